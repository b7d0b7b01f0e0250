"""Rules of `store.Archive`, the same on every backend."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.backends import DAY, MINUTE, Clock, MakeStore
from tersely.errors import HandleExpired, HandleUnknown, StoreError
from tersely.store import Note, content_key, open_store

NOTE = Note("/project", "conversation", "git log")


def noise(size_bytes: int, seed: int = 0) -> bytes:
    """Bytes that do not compress."""
    return random.Random(seed).randbytes(size_bytes)


# From BLAKE3's test_vectors.json: the input is 0, 1, .. 250, 0, 1, ..
@pytest.mark.parametrize(
    ("size_bytes", "key"),
    [
        (0, "af1349b9f5f9a1a6a0404dea"),
        (1, "2d3adedff11b61f14c886e35"),
        (1023, "10108970eeda3eb932baac14"),
        (1024, "42214739f095a406f3fc83de"),
        (102400, "bc3e3d41a1146b069abffad3"),
    ],
)
def test_key_is_the_first_24_digits_of_blake3(size_bytes: int, key: str) -> None:
    data = bytes(i % 251 for i in range(size_bytes))

    assert key == content_key(data)


def test_handle_is_12_digits_of_the_key(make_store: MakeStore) -> None:
    archive = make_store().archive

    handle = archive.put(b"abc\n", NOTE)

    assert content_key(b"abc\n")[:12] == handle


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"one line without end",
        b"a\r\nb\rc\n\xff\xfe\x00\n\xef\xbb\xbf",
        b"x" * 10_000_000,
        noise(300_000),
    ],
    ids=["empty", "nul", "no-end", "bytes", "long-line", "noise"],
)
def test_gives_the_bytes_back(make_store: MakeStore, data: bytes) -> None:
    archive = make_store().archive

    handle = archive.put(data, NOTE)

    assert data == archive.get(handle)


@given(st.lists(st.binary(max_size=200), max_size=8))
def test_gives_any_bytes_back(texts: list[bytes]) -> None:
    store = open_store(":memory:", clock=Clock())
    handles = [store.archive.put(data, NOTE) for data in texts]

    found = [store.archive.get(handle) for handle in handles]

    assert texts == found
    assert len(set(texts)) == store.archive.status().rows
    store.close()


def test_same_bytes_are_one_row_and_one_handle(make_store: MakeStore) -> None:
    archive = make_store().archive

    handles = {archive.put(b"abc\n", Note(command=c)) for c in ("ls", "ls -l", "make")}

    assert (1, 1) == (len(handles), archive.status().rows)


def test_key_of_other_bytes_is_refused(make_store: MakeStore) -> None:
    archive = make_store().archive

    with pytest.raises(StoreError, match="not the key of these bytes"):
        archive.put(b"abc\n", NOTE, key=content_key(b"abd\n"))

    assert 0 == archive.status().rows


@pytest.mark.parametrize("digits", [8, 11, 12, 13, 24])
def test_any_unique_prefix_of_8_digits_is_a_handle(
    make_store: MakeStore, digits: int
) -> None:
    archive = make_store().archive
    archive.put(b"abc\n", NOTE)
    key = content_key(b"abc\n")

    assert b"abc\n" == archive.get(key[:digits])
    assert b"abc\n" == archive.get(f" {key[:digits].upper()}\n")


@pytest.mark.parametrize(
    "handle", ["", "abcdef1", "0" * 25, "xyzxyzxyzxyz", "%_%_%_%_", "../../../../x"]
)
def test_what_is_no_handle_is_unknown_and_says_so(
    make_store: MakeStore, handle: str
) -> None:
    archive = make_store().archive
    archive.put(b"abc\n", NOTE)

    with pytest.raises(HandleUnknown, match="not a handle") as caught:
        archive.get(handle)

    assert (5, handle) == (caught.value.exit_code, caught.value.handle)


def test_handle_that_never_was_is_unknown(make_store: MakeStore) -> None:
    archive = make_store().archive

    with pytest.raises(HandleUnknown, match="unknown handle 3f2a9c0b7d1e") as caught:
        archive.get("3f2a9c0b7d1e")

    assert 5 == caught.value.exit_code


def test_lives_29_minutes_59_whatever_config_says(
    make_store: MakeStore, clock: Clock
) -> None:
    archive = make_store(ttl_s=1).archive
    handle = archive.put(b"abc\n", NOTE)

    clock.forward(29 * MINUTE + 59)
    archive.gc()

    assert b"abc\n" == archive.get(handle)


@pytest.mark.parametrize("collect", [False, True], ids=["at-get", "after-gc"])
def test_after_its_time_it_is_expired_not_unknown(
    make_store: MakeStore, clock: Clock, collect: bool
) -> None:
    archive = make_store(ttl_s=DAY).archive
    handle = archive.put(b"abc\n", NOTE)

    clock.forward(DAY)
    if collect:
        assert 1 == archive.gc().expired

    with pytest.raises(
        HandleExpired, match="time to live, 2030-03-18 17:46 UTC"
    ) as caught:
        archive.get(handle)
    assert (4, handle) == (caught.value.exit_code, caught.value.handle)
    assert "run the command again" in caught.value.hint
    assert (0, 1) == (archive.status().rows, archive.status().tombstones)


@pytest.mark.parametrize("use", ["put", "get"])
def test_every_use_starts_its_time_anew(
    make_store: MakeStore, clock: Clock, use: str
) -> None:
    archive = make_store(ttl_s=DAY).archive
    handle = archive.put(b"abc\n", NOTE)

    for _ in range(3):
        clock.forward(DAY - 1)
        if use == "put":
            archive.put(b"abc\n", NOTE)
        else:
            archive.get(handle)

    assert 0 == archive.gc().expired
    assert b"abc\n" == archive.get(handle)


def test_put_again_after_it_expired_opens_the_old_handle(
    make_store: MakeStore, clock: Clock
) -> None:
    archive = make_store(ttl_s=DAY).archive
    before = archive.put(b"abc\n", NOTE)
    clock.forward(2 * DAY)
    archive.gc()

    again = archive.put(b"abc\n", NOTE)

    assert before == again
    assert b"abc\n" == archive.get(before)
    assert 0 == archive.status().tombstones


def test_tombstone_is_forgotten_after_its_time(
    make_store: MakeStore, clock: Clock
) -> None:
    archive = make_store(ttl_s=DAY, tombstone_s=10 * DAY).archive
    handle = archive.put(b"abc\n", NOTE)
    clock.forward(DAY)
    archive.gc()

    clock.forward(10 * DAY)
    swept = archive.gc()

    assert 1 == swept.tombstones
    with pytest.raises(HandleUnknown):
        archive.get(handle)


def test_clock_that_goes_back_does_not_shorten_a_life(
    make_store: MakeStore, clock: Clock
) -> None:
    archive = make_store(ttl_s=DAY).archive
    handle = archive.put(b"abc\n", NOTE)

    clock.forward(-30 * DAY)
    archive.put(b"abc\n", NOTE)
    clock.forward(31 * DAY - 1)

    assert b"abc\n" == archive.get(handle)


def test_pinned_outlives_its_time_until_unpinned(
    make_store: MakeStore, clock: Clock
) -> None:
    archive = make_store(ttl_s=DAY).archive
    handle = archive.put(b"abc\n", NOTE)
    archive.pin(handle, "one")
    archive.pin(handle, "two")

    clock.forward(3 * DAY)
    archive.gc()

    assert b"abc\n" == archive.get(handle)
    assert (1, 1) == (archive.status().pinned, archive.unpin("one"))
    clock.forward(DAY)
    assert 0 == archive.gc().expired
    assert (1, 0) == (archive.unpin("two"), archive.unpin("two"))
    assert 1 == archive.gc().expired


def test_pin_of_a_dead_conversation_lapses(make_store: MakeStore, clock: Clock) -> None:
    archive = make_store(ttl_s=DAY, tombstone_s=10 * DAY).archive
    handle = archive.put(b"abc\n", NOTE)
    archive.pin(handle, "never unpinned")

    clock.forward(10 * DAY)
    swept = archive.gc()

    assert (1, 1) == (swept.pins, swept.expired)


def test_pin_of_an_unknown_handle_says_so(make_store: MakeStore) -> None:
    archive = make_store().archive

    with pytest.raises(HandleUnknown):
        archive.pin("3f2a9c0b7d1e", "one")


def test_above_the_cap_the_longest_unused_go(
    make_store: MakeStore, clock: Clock
) -> None:
    archive = make_store(cap_bytes=100_000).archive
    handles = []
    for seed in range(8):
        handles.append(archive.put(noise(12_000, seed), NOTE))
        clock.forward(31 * MINUTE)
    archive.get(handles[0])

    archive.put(noise(12_000, 8), NOTE)

    assert archive.status().stored_bytes <= 100_000
    assert noise(12_000, 0) == archive.get(handles[0])
    with pytest.raises(HandleExpired, match="below its cap"):
        archive.get(handles[1])
    assert noise(12_000, 3) == archive.get(handles[3])


def test_above_the_cap_pinned_and_young_go_last(
    make_store: MakeStore, clock: Clock
) -> None:
    archive = make_store(cap_bytes=100_000).archive
    pinned = archive.put(noise(30_000, 0), NOTE)
    archive.pin(pinned, "one")
    clock.forward(MINUTE)
    old = archive.put(noise(30_000, 1), NOTE)
    clock.forward(40 * MINUTE)
    young = archive.put(noise(30_000, 2), NOTE)

    archive.put(noise(30_000, 3), NOTE)
    with pytest.raises(HandleExpired):
        archive.get(old)
    assert noise(30_000, 2) == archive.get(young)
    assert noise(30_000, 0) == archive.get(pinned)

    # Nothing but pinned and young is left: now the longest unused of them goes.
    clock.forward(MINUTE)
    archive.get(pinned)
    archive.get(young)
    archive.put(noise(30_000, 4), NOTE)
    assert archive.status().stored_bytes <= 100_000
    with pytest.raises(HandleExpired):
        archive.get(content_key(noise(30_000, 3)))


def test_put_never_evicts_what_it_puts(make_store: MakeStore, clock: Clock) -> None:
    archive = make_store(cap_bytes=100_000).archive
    archive.put(noise(60_000, 0), NOTE)
    clock.forward(-MINUTE)

    handle = archive.put(noise(60_000, 1), NOTE)

    assert noise(60_000, 1) == archive.get(handle)
    assert 1 == archive.status().rows


def test_one_above_the_cap_is_refused_and_nothing_goes(make_store: MakeStore) -> None:
    archive = make_store(cap_bytes=100_000).archive
    handle = archive.put(noise(50_000), NOTE)

    with pytest.raises(StoreError, match="above the cap"):
        archive.put(noise(100_001, 1), NOTE)

    assert noise(50_000) == archive.get(handle)


def test_puts_alone_keep_an_archive_clean(make_store: MakeStore, clock: Clock) -> None:
    archive = make_store(ttl_s=DAY).archive
    for i in range(100):
        archive.put(b"old %d" % i, NOTE)
    clock.forward(2 * DAY)

    for i in range(100):
        archive.put(b"new %d" % i, NOTE)

    assert 100 == archive.status().rows


def test_status_counts(make_store: MakeStore, clock: Clock) -> None:
    archive = make_store(ttl_s=1, cap_bytes=1 << 20).archive
    archive.put(b"a" * 10_000, NOTE)
    clock.forward(MINUTE)
    archive.put(noise(10_000), NOTE)

    status = archive.status()

    assert (2, 20_000, 0, 0) == (
        status.rows,
        status.size_bytes,
        status.pinned,
        status.tombstones,
    )
    assert 10_000 < status.stored_bytes < 11_000
    assert status.newest == clock.now and status.oldest == clock.now - MINUTE
    assert (1 << 20, 30 * MINUTE) == (status.cap_bytes, status.ttl_s)
    assert status.file_bytes > status.stored_bytes


def test_sound_archive_has_no_problems(make_store: MakeStore) -> None:
    store = make_store()
    assert (None, ()) == (store.problem(), store.archive.verify())

    for i in range(20):
        store.archive.put(noise(i * 100, i), NOTE)

    assert (None, ()) == (store.problem(), store.archive.verify())


def test_purge_takes_everything_and_leaves_tombstones(make_store: MakeStore) -> None:
    archive = make_store().archive
    handle = archive.put(b"abc\n", NOTE)
    archive.pin(handle, "one")

    purged = archive.purge()

    assert (1, 4) == (purged.rows, purged.stored_bytes)
    with pytest.raises(HandleExpired, match="expired: purged, "):
        archive.get(handle)
    assert (0, 0) == (archive.status().rows, archive.status().pinned)
    assert handle == archive.put(b"abc\n", NOTE)


def test_threads_share_a_store(make_store: MakeStore) -> None:
    archive = make_store().archive
    texts = [noise(2_000, seed % 40) for seed in range(160)]

    with ThreadPoolExecutor(8) as pool:
        handles = list(pool.map(lambda data: archive.put(data, NOTE), texts))
        found = list(pool.map(archive.get, handles))

    assert texts == found
    assert 40 == archive.status().rows


def test_note_with_odd_bytes_does_not_fail_a_put(make_store: MakeStore) -> None:
    archive = make_store().archive

    handle = archive.put(b"abc\n", Note("/a\udcff", "\ud800", "ls \udcff"))

    assert b"abc\n" == archive.get(handle)


def test_closed_store_says_so(make_store: MakeStore) -> None:
    store = make_store()
    store.close()
    store.close()

    with pytest.raises(StoreError, match="closed"):
        store.archive.put(b"abc\n", NOTE)
