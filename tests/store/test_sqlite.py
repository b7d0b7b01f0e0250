"""The SQLite file: modes, faults, many processes, what is left on disk."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from store.backends import DAY, MINUTE, Clock, MakeStore
from store.writer import text
from tersely.errors import ConfigError, HandleExpired, HandleUnknown, StoreError
from tersely.store import Event, Note, Store, content_key, open_store
from tersely.store.sqlite import migrations
from tersely.store.sqlite.database import LONG_WAL_BYTES, RETRY_S

WRITER = Path(__file__).with_name("writer.py")
NOTE = Note("/project", "conversation", "git log")
SECRET = b"a-text-that-must-be-gone-after-purge\n"


def run_writer(*args: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), *map(str, args)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        text=True,
    )


@contextmanager
def sql(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program's connection to the file, in autocommit."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        yield connection
    finally:
        connection.close()


def mode(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):04o}"


def bytes_on_disk(path: Path) -> bytes:
    return b"".join(p.read_bytes() for p in sorted(path.parent.iterdir()))


def problem(path: Path) -> str:
    """What a doctor in another process would say."""
    store = open_store(str(path), clock=Clock(), busy_timeout_ms=20)
    found = store.problem()
    store.close()
    assert found is not None and "\n" not in found
    return found


def assert_not_kept_and_not_raised(store: Store, match: str) -> None:
    """The fault laws: put raises a `StoreError`, the ledger is silent."""
    with pytest.raises(StoreError, match=match) as caught:
        store.archive.put(b"abc\n", NOTE)
    assert "\n" not in str(caught.value)
    store.ledger.add(Event(kind="emission", counter="o200k"))


# Opening


@pytest.mark.parametrize("url", ["redis://:secret@host/0", "postgresql://u:secret@h/d"])
def test_server_store_is_a_later_release(url: str) -> None:
    with pytest.raises(ConfigError, match="arrives with a later release") as caught:
        open_store(url, clock=Clock())

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["", "http://host/x"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="not a path of a file or :memory:"):
        open_store(url, clock=Clock())


def test_making_a_store_touches_nothing_and_imports_no_sqlite3(path: Path) -> None:
    script = (
        "import sys, tersely.store as s\n"
        "store = s.open_store(sys.argv[1], clock=lambda: 0.0)\n"
        "early = {'sqlite3', 'zstandard', 'logging', 'json'} & set(sys.modules)\n"
        "assert not early, early\n"
        "store.archive.put(b'abc', s.Note())\n"
        "assert 'sqlite3' in sys.modules\n"
    )
    store = open_store(str(path), clock=Clock())
    assert not path.parent.exists()
    store.close()

    subprocess.run(
        [sys.executable, "-c", script, str(path)],
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_files_are_0600_and_their_directory_0700(
    path: Path, open_file: MakeStore
) -> None:
    before = os.umask(0)
    try:
        open_file().archive.put(b"abc\n", NOTE)
    finally:
        os.umask(before)

    found = {p.name: mode(p) for p in path.parent.iterdir()}
    names = (path.name, f"{path.name}-shm", f"{path.name}-wal")
    assert dict.fromkeys(names, "0600") == found
    assert "0700" == mode(path.parent)


def test_files_that_others_can_read_are_tightened(
    path: Path, open_file: MakeStore
) -> None:
    store = open_file()
    store.archive.put(b"abc\n", NOTE)
    store.close()
    path.chmod(0o644)

    open_file().archive.status()

    assert "0600" == mode(path)


def test_journal_is_wal_and_version_is_set(path: Path, open_file: MakeStore) -> None:
    open_file().archive.put(b"abc\n", NOTE)

    with sql(path) as db:
        assert ("wal",) == db.execute("PRAGMA journal_mode").fetchone()
        assert (migrations.LATEST,) == db.execute("PRAGMA user_version").fetchone()


def test_kept_across_close_and_open(open_file: MakeStore) -> None:
    first = open_file()
    handle = first.archive.put(b"abc\n", NOTE)
    first.ledger.add(Event(kind="emission", counter="o200k", tokens_raw=9))
    first.close()

    again = open_file()

    assert b"abc\n" == again.archive.get(handle)
    assert [9] == [total.tokens_raw for total in again.ledger.totals()]
    assert () == again.archive.verify()


def test_log_of_many_short_lives_stays_short(path: Path, open_file: MakeStore) -> None:
    wal = path.with_name(f"{path.name}-wal")
    longest = 0
    for n in range(80):
        store = open_file()
        assert n == store.archive.status().rows
        store.archive.put(text(1, n) * 4, NOTE)
        store.close()
        longest = max(longest, wal.stat().st_size if wal.exists() else 0)

    assert LONG_WAL_BYTES / 2 < longest < 1.2 * LONG_WAL_BYTES
    assert () == open_file().archive.verify()


@pytest.mark.parametrize("name", ["a b", "50%?#x", "ü-日本", "quote'\"s"])
def test_any_file_name_works(tmp_path: Path, clock: Clock, name: str) -> None:
    for seed in range(3):
        store = open_store(str(tmp_path / name / name), clock=clock)
        store.archive.put(text(seed, 0), NOTE)
        assert seed + 1 == store.archive.status().rows
        store.close()

    assert {name, f"{name}-wal", f"{name}-shm"} >= {
        p.name for p in (tmp_path / name).iterdir()
    }


def test_relative_path_works(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store("store.sqlite", clock=clock)

    store.archive.put(b"abc\n", NOTE)
    store.close()

    assert (tmp_path / "store.sqlite").exists()


# Handles of which the first 12 digits are taken


def plant(path: Path, key: str, *, handle_digits: int, table: str) -> None:
    """Put a row as if other bytes with this key were or had been here."""
    with sql(path) as db:
        if table == "tombstone":
            db.execute(
                "INSERT INTO tombstone VALUES (?, ?, 'expired', 1.9e9)",
                (key, handle_digits),
            )
        else:
            db.execute(
                "INSERT INTO original (key, handle_digits, digest, size_bytes,"
                " stored_bytes, codec, created_at, used_at)"
                " VALUES (?, ?, x'00', 1, 1, 0, 1.9e9, 1.9e9)",
                (key, handle_digits),
            )


@pytest.mark.parametrize("table", ["original", "tombstone"])
def test_taken_prefix_gives_24_digits(
    path: Path, open_file: MakeStore, table: str
) -> None:
    archive = open_file().archive
    archive.status()
    key = content_key(b"abc\n")
    plant(path, key[:12] + "0" * 12, handle_digits=12, table=table)

    handle = archive.put(b"abc\n", NOTE)

    assert key == handle == archive.put(b"abc\n", NOTE)
    assert b"abc\n" == archive.get(handle)


def test_who_had_12_digits_first_keeps_them(path: Path, open_file: MakeStore) -> None:
    archive = open_file().archive
    handle = archive.put(b"abc\n", NOTE)
    twin = handle + "0" * 12
    plant(path, twin, handle_digits=24, table="tombstone")

    assert b"abc\n" == archive.get(handle)
    assert handle == archive.put(b"abc\n", NOTE)
    with pytest.raises(HandleUnknown, match="ambiguous handle .* 2 originals"):
        archive.get(handle[:8])


def test_24_digits_stay_when_the_other_one_is_forgotten(
    path: Path, open_file: MakeStore, clock: Clock
) -> None:
    archive = open_file(ttl_s=DAY, tombstone_s=10 * DAY).archive
    archive.status()
    key = content_key(b"abc\n")
    plant(path, key[:12] + "0" * 12, handle_digits=12, table="tombstone")
    archive.put(b"abc\n", NOTE)
    archive.pin(key, "one")

    clock.forward(10 * DAY - 1)
    archive.pin(key, "one")
    clock.forward(DAY)
    archive.gc()

    assert key == archive.put(b"abc\n", NOTE)
    assert b"abc\n" == archive.get(key[:12])


def test_same_24_digits_of_other_bytes_are_refused(
    path: Path, open_file: MakeStore
) -> None:
    archive = open_file().archive
    archive.status()
    plant(path, content_key(b"abc\n"), handle_digits=12, table="original")

    with pytest.raises(StoreError, match="other bytes have the same key"):
        archive.put(b"abc\n", NOTE)


# Faults


def test_directory_that_cannot_be_made(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "file").write_text("in the way")
    path = tmp_path / "file" / "store.sqlite"

    assert_not_kept_and_not_raised(
        open_store(str(path), clock=clock), "Not a directory"
    )

    assert "Not a directory" in problem(path)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux")
def test_directory_that_cannot_be_written_even_by_root(clock: Clock) -> None:
    path = Path("/proc/self/store.sqlite")

    assert_not_kept_and_not_raised(open_store(str(path), clock=clock), "/proc/self")

    assert "/proc/self" in problem(path)


def test_path_that_is_a_directory(tmp_path: Path, clock: Clock) -> None:
    store = open_store(str(tmp_path), clock=clock)

    assert_not_kept_and_not_raised(store, "not a file")

    assert "not a file" in problem(tmp_path)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0 and not shutil.which("unshare"),
    reason="root may write anywhere and cannot mount read-only without unshare",
)
def test_read_only_file_still_gives_originals_back(
    path: Path, open_file: MakeStore
) -> None:
    store = open_file()
    handle = store.archive.put(b"abc\n", NOTE)
    store.close()
    script = (
        "import sys, tersely.store as s\n"
        "store = s.open_store(sys.argv[1], clock=lambda: 1.9e9)\n"
        "print(store.archive.get(sys.argv[2]))\n"
        "try: store.archive.put(b'new', s.Note())\n"
        "except s.StoreError as error: print(error)\n"
        "print(store.problem())\n"
    ).replace("s.StoreError", "__import__('tersely.errors').errors.StoreError")
    mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift'
    argv = [sys.executable, "-c", script, str(path), handle]
    if os.geteuid() == 0:
        shell = f'{mount} && exec "$@"'
        argv = ["unshare", "-m", "sh", "-c", shell, "sh", str(path.parent), *argv]
    else:
        path.parent.chmod(0o500)
        path.chmod(0o400)

    done = subprocess.run(
        argv,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("this machine does not let root mount in a namespace")
    assert "" == done.stderr
    got, put, doctor = done.stdout.splitlines()
    assert str(b"abc\n") == got
    assert "not writable" in put and "not writable" in doctor


def test_disk_full_by_quota(path: Path) -> None:
    process = run_writer(path, 1, 1_000, 400_000)
    lines = process.communicate(timeout=60)[0].splitlines()

    assert 1 == process.returncode
    assert "cannot be read or written" in lines[-1] or "disk full" in lines[-1]
    store = open_store(str(path), clock=Clock())
    assert () == store.archive.verify()
    for n, handle in enumerate(lines[:-1]):
        assert text(1, n) == store.archive.get(handle)
    store.close()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("unshare"),
    reason="mounting a small file system takes root",
)
def test_disk_full_by_file_system(tmp_path: Path) -> None:
    shell = 'mount -t tmpfs -o size=700k tmpfs "$1" && shift && exec "$@"'
    command = [sys.executable, str(WRITER), str(tmp_path / "s.sqlite"), "1", "1000"]

    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", shell, "sh", str(tmp_path), *command],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("this machine does not let root mount in a namespace")
    lines = done.stdout.splitlines()
    assert len(lines) > 10
    assert "disk full" in lines[-1]


def test_locked_database_fails_once_and_soon(
    path: Path, open_file: MakeStore, clock: Clock
) -> None:
    store = open_file(busy_timeout_ms=20)
    handle = store.archive.put(b"old\n", NOTE)

    with sql(path) as db:
        db.execute("BEGIN EXCLUSIVE")
        assert_not_kept_and_not_raised(store, "locked by another process")
        assert b"old\n" == store.archive.get(handle)
        assert "locked by another process" in problem(path)
        db.execute("COMMIT")
        # Not tried again at once: each try of a locked store costs its timeout.
        with pytest.raises(StoreError, match="locked"):
            store.archive.put(b"abc\n", NOTE)

    clock.forward(RETRY_S)
    assert b"abc\n" == store.archive.get(store.archive.put(b"abc\n", NOTE))
    assert store.problem() is None


def test_store_that_cannot_be_opened_is_not_tried_at_every_put(
    path: Path, open_file: MakeStore, clock: Clock
) -> None:
    path.parent.write_text("in the way")
    store = open_file()
    assert_not_kept_and_not_raised(store, "Not a directory")

    path.parent.unlink()
    assert_not_kept_and_not_raised(store, "Not a directory")
    clock.forward(RETRY_S)

    assert b"abc\n" == store.archive.get(store.archive.put(b"abc\n", NOTE))


@pytest.mark.parametrize(
    "content", [b"no database at all\n" * 500, b"SQLite format 3\0" + b"\xff" * 5_000]
)
def test_file_that_is_no_database(
    path: Path, open_file: MakeStore, content: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)

    store = open_file()
    assert_not_kept_and_not_raised(store, "not a database|corrupt|cannot be")

    assert content == path.read_bytes()
    assert 1 == len(store.archive.verify())
    assert "start afresh" in problem(path) or "cannot be" in problem(path)


def test_corrupt_page_is_named(path: Path, open_file: MakeStore) -> None:
    store = open_file()
    for n in range(50):
        store.archive.put(text(1, n), NOTE)
    store.archive.gc()
    store.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))

    store = open_file()
    assert_not_kept_and_not_raised(store, "corrupt|not a database")

    assert "corrupt" in problem(path)
    assert "corrupt" in " ".join(store.archive.verify())


def test_future_schema_is_refused_and_left_alone(
    path: Path, open_file: MakeStore
) -> None:
    store = open_file()
    store.archive.put(b"abc\n", NOTE)
    store.close()
    with sql(path) as db:
        db.execute(f"PRAGMA user_version = {migrations.LATEST + 1}")

    assert_not_kept_and_not_raised(
        open_file(), f"schema version {migrations.LATEST + 1} is newer"
    )

    assert "upgrade tersely" in problem(path)


def test_database_of_another_program_is_left_alone(
    path: Path, open_file: MakeStore
) -> None:
    path.parent.mkdir()
    with sql(path) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")

    assert_not_kept_and_not_raised(open_file(), "another program")

    with sql(path) as db:
        assert [("bookmarks",)] == db.execute(
            "SELECT name FROM sqlite_master"
        ).fetchall()


def test_failed_migration_leaves_nothing_behind(
    path: Path, open_file: MakeStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = (*migrations.STEPS, ("CREATE TABLE extra (x)", "CREATE TABLE extra (x)"))
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "STEPS", steps)
        patch.setattr(migrations, "LATEST", len(steps))
        store = open_file()
        assert_not_kept_and_not_raised(store, "extra already exists")

    clock.forward(RETRY_S)
    assert b"abc\n" == store.archive.get(store.archive.put(b"abc\n", NOTE))


def test_next_step_runs_on_a_store_with_rows(
    open_file: MakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_file()
    handle = store.archive.put(b"abc\n", NOTE)
    store.close()
    steps = (*migrations.STEPS, ("CREATE TABLE extra (x)",))
    monkeypatch.setattr(migrations, "STEPS", steps)
    monkeypatch.setattr(migrations, "LATEST", len(steps))

    store = open_file()

    assert b"abc\n" == store.archive.get(handle)
    assert len(steps) == store.archive.status().schema_version


def test_deleted_file_is_made_anew_and_the_handle_opens_elsewhere(
    path: Path, open_file: MakeStore
) -> None:
    store = open_file()
    store.archive.put(b"abc\n", NOTE)
    shutil.rmtree(path.parent)

    handle = store.archive.put(b"abc\n", NOTE)

    assert b"abc\n" == open_file().archive.get(handle)


def test_replaced_file_keeps_what_its_new_owner_wrote(
    path: Path, tmp_path: Path, open_file: MakeStore
) -> None:
    store = open_file()
    store.archive.put(b"old\n", NOTE)
    path.parent.rename(tmp_path / "away")
    other = open_file()
    theirs = other.archive.put(b"theirs\n", NOTE)

    ours = store.archive.put(b"ours\n", NOTE)

    assert (b"theirs\n", b"ours\n") == (
        store.archive.get(theirs),
        other.archive.get(ours),
    )
    assert () == other.archive.verify()


def test_readable_by_others_is_a_problem(path: Path, open_file: MakeStore) -> None:
    store = open_file()
    store.archive.put(b"abc\n", NOTE)
    path.chmod(0o640)

    found = store.problem()

    assert found == f"{path}: mode 0640, others can read it"


# Damage to one original


def damage(path: Path) -> None:
    """Flip one bit in the only body, past all of SQLite's own structures."""
    with sql(path) as db:
        (body,) = db.execute("SELECT data FROM body").fetchone()
        flipped = body[:-1] + bytes([body[-1] ^ 1])
        db.execute("UPDATE body SET data = ?", (flipped,))


def test_flipped_bit_is_found_by_get_and_verify(
    path: Path, open_file: MakeStore
) -> None:
    archive = open_file().archive
    handle = archive.put(text(1, 1), NOTE)
    damage(path)

    with pytest.raises(StoreError, match="corrupt"):
        archive.get(handle)

    (found,) = archive.verify()
    assert content_key(text(1, 1)) in found


def test_flipped_bit_on_disk_is_found(path: Path, open_file: MakeStore) -> None:
    store = open_file()
    store.archive.put(text(1, 1), NOTE)
    store.archive.gc()
    store.close()
    content = bytearray(path.read_bytes())
    content[content.index(text(1, 1)[-64:])] ^= 0x10
    path.write_bytes(content)

    (found,) = open_file().archive.verify()

    assert content_key(text(1, 1)) in found


@pytest.mark.parametrize("lost", ["bit", "body"])
def test_putting_the_bytes_again_heals(
    path: Path, open_file: MakeStore, lost: str
) -> None:
    archive = open_file().archive
    handle = archive.put(text(1, 1), NOTE)
    if lost == "bit":
        damage(path)
    else:
        with sql(path) as db:
            db.execute("DELETE FROM body")
        assert "its body is missing" in archive.verify()[0]
        with pytest.raises(StoreError, match="its body is missing"):
            archive.get(handle)

    assert handle == archive.put(text(1, 1), NOTE)

    assert text(1, 1) == archive.get(handle)
    assert () == archive.verify()


# What is left on disk


def test_purge_leaves_no_byte_in_any_file(path: Path, open_file: MakeStore) -> None:
    archive = open_file().archive
    for n in range(30):
        archive.put(text(1, n) + SECRET, Note(workspace="/secret-place"))
    assert SECRET in bytes_on_disk(path)
    assert b"/secret-place" in bytes_on_disk(path)

    archive.gc()
    before = path.stat().st_size

    purged = archive.purge()

    assert 30 == purged.rows
    assert path.stat().st_size < before
    left = bytes_on_disk(path)
    assert SECRET not in left
    assert b"/secret-place" not in left
    assert text(1, 7)[10:40] not in left


def test_purge_beside_an_open_store_is_as_thorough(
    path: Path, open_file: MakeStore
) -> None:
    archive, other = open_file().archive, open_file().archive
    handle = archive.put(text(1, 1) + SECRET, NOTE)
    other.get(handle)

    archive.purge()

    assert SECRET not in bytes_on_disk(path)
    with pytest.raises(HandleExpired):
        other.get(handle)


def test_purge_beside_a_reader_says_that_bytes_are_left(
    path: Path, open_file: MakeStore
) -> None:
    archive = open_file(busy_timeout_ms=20).archive
    archive.put(text(1, 1) + SECRET, NOTE)

    with sql(path) as db:
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM body").fetchone()
        with pytest.raises(StoreError, match="may still be in the files"):
            archive.purge()

    archive.purge()
    assert SECRET not in bytes_on_disk(path)


def test_gc_gives_space_back(path: Path, open_file: MakeStore, clock: Clock) -> None:
    archive = open_file(ttl_s=DAY).archive
    for n in range(100):
        archive.put(text(1, n), NOTE)
    archive.gc()
    before = path.stat().st_size

    clock.forward(DAY)
    swept = archive.gc()

    assert 100 == swept.expired and swept.stored_bytes > 400_000
    assert path.stat().st_size < before / 2


# Many processes


def test_16_processes_lose_nothing_and_are_never_locked_out(path: Path) -> None:
    processes = [run_writer(path, seed % 8, 200) for seed in range(16)]
    outputs = [process.communicate(timeout=120)[0] for process in processes]

    assert [0] * 16 == [process.returncode for process in processes]
    store = open_store(str(path), clock=Clock())
    assert (8 * 200, ()) == (store.archive.status().rows, store.archive.verify())
    for seed, lines in enumerate(outputs):
        found = [store.archive.get(handle) for handle in lines.splitlines()]
        assert [text(seed % 8, n) for n in range(200)] == found
    store.close()


def test_killed_in_the_middle_of_puts(path: Path) -> None:
    acknowledged: dict[tuple[int, int], str] = {}
    for seed, count in enumerate((1, 7, 40)):
        process = run_writer(path, seed, 100_000)
        assert process.stdout is not None
        for n in range(count):
            acknowledged[seed, n] = process.stdout.readline().strip()
        process.kill()
        rest = process.communicate(timeout=60)[0].splitlines(keepends=True)
        for n, line in enumerate((r for r in rest if r.endswith("\n")), start=count):
            acknowledged[seed, n] = line.strip()

    store = open_store(str(path), clock=Clock())
    assert () == store.archive.verify()
    for (seed, n), handle in acknowledged.items():
        assert text(seed, n) == store.archive.get(handle)
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_forked_child_and_parent_both_go_on(open_file: MakeStore) -> None:
    store = open_file()
    store.archive.put(text(0, 0), NOTE)

    child = os.fork()
    if child == 0:
        status = 1
        try:
            for n in range(50):
                store.archive.put(text(1, n), NOTE)
            store.close()
            status = 0
        finally:
            os._exit(status)
    for n in range(50):
        store.archive.put(text(2, n), NOTE)

    assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert (101, ()) == (store.archive.status().rows, store.archive.verify())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_forked_child_holds_a_lock_of_its_own(path: Path, open_file: MakeStore) -> None:
    """A child that inherits the connection holds none, and nobody waits for it."""
    store = open_file()
    store.archive.put(text(0, 0), NOTE)
    told, tell = os.pipe()
    hold, done = os.pipe()

    child = os.fork()
    if child == 0:
        os.close(done)
        store.archive.put(text(1, 0), NOTE)
        os.write(tell, b"x")
        os.read(hold, 1)
        os._exit(0)
    os.read(told, 1)
    store.close()
    with sql(path) as db, pytest.raises(sqlite3.OperationalError, match="locked"):
        db.execute("PRAGMA journal_mode = DELETE").fetchone()

    for end in (done, tell, told, hold):
        os.close(end)
    os.waitpid(child, 0)


# The ledger beside a broken archive


def test_ledger_of_an_unwritable_store_is_silent_on_every_stream(
    tmp_path: Path, clock: Clock, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    store = open_store(str(tmp_path / "file" / "x"), clock=clock)
    logger = logging.getLogger("tersely.store")
    logger.propagate, before = False, logger.propagate
    try:
        for _ in range(3):
            store.ledger.add(Event(kind="emission", counter="o200k"))
            clock.forward(MINUTE)
    finally:
        logger.propagate = before

    assert ("", "") == capfd.readouterr()
    with pytest.raises(StoreError):
        store.ledger.totals()
