"""Originals in SQLite, under the rules of `store.Archive`."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from blake3 import blake3

from ...errors import HandleExpired, HandleUnknown, StoreError
from .. import (
    HANDLE_DIGITS,
    KEY_DIGITS,
    MIN_TTL_S,
    PREFIX_DIGITS,
    ArchiveStatus,
    Clock,
    Limits,
    Note,
    Purged,
    Swept,
    codec,
)
from ..words import clean, short_command
from . import migrations
from .database import MEMORY, Database

if TYPE_CHECKING:
    import sqlite3

#: New originals between two sweeps inside a put, and the most rows of a kind such a
#: sweep removes: it costs the put about a millisecond (measured in 2026-11).
SWEEP_EVERY = 64
SWEEP_ROWS = 128

#: Eviction of unprotected rows goes down to cap - cap / this, so that an archive at
#: its cap does not evict at every put. Chosen by hand.
SLACK = 16

_HEX = "0123456789abcdef"

_UNPINNED = "NOT EXISTS (SELECT 1 FROM pin WHERE pin.id = original.id)"

#: Why a tombstone is there, as it is shown.
_WHY = {
    "expired": "not used within its time to live",
    "evicted": "removed to keep the archive below its cap",
    "purged": "purged",
}
_AGAIN = "run the command again to get its output"
_PURGE_AGAIN = "stop what uses the store, then `ctx archive purge` again"


@dataclass(frozen=True, slots=True)
class _Row:
    """An original without its body."""

    id: int
    key: str
    handle_digits: int
    digest: bytes
    size_bytes: int
    codec: int
    used_at: float
    pinned: int

    @property
    def handle(self) -> str:
        return self.key[: self.handle_digits]


class SqliteArchive:
    """See `store.Archive`."""

    def __init__(self, database: Database, clock: Clock, limits: Limits) -> None:
        self._database = database
        self._clock = clock
        self._limits = limits

    def put(self, data: bytes, note: Note, *, key: str | None = None) -> str:
        """See `store.Archive.put`."""
        digest = blake3(data).digest()
        own = digest.hex()[:KEY_DIGITS]
        if key is not None and key != own:
            raise StoreError(f"key {key!r} is not the key of these bytes")
        # Packing is the slow part: it is done outside the transaction.
        body = None if self._holds(own, data) else codec.encode(data)
        if body is not None and len(body[1]) > self._limits.cap_bytes:
            raise StoreError(f"{len(body[1])} bytes: above the cap of the archive")
        now = self._clock()
        with self._database.write() as db:
            row = _row(db, own)
            if row is not None and row.digest != digest:
                raise StoreError(f"key {own}: other bytes have the same key")
            if row is None:
                body = body or codec.encode(data)
                row_id, handle = _insert(db, own, digest, len(data), body, now)
            else:
                row_id, handle = row.id, row.handle
                _renew(db, row, body, now)
            _add_note(db, row_id, note, now)
            stored = _usage(db)[2]
        if stored > self._limits.cap_bytes or (
            row is None and not row_id % SWEEP_EVERY
        ):
            # The bytes are safe: housekeeping must not fail the put.
            with suppress(StoreError):
                self._sweep(now, limit=SWEEP_ROWS, spare=row_id)
        return handle

    def get(self, handle: str) -> bytes:
        """See `store.Archive.get`."""
        row = self._live(handle)
        with self._database.read() as db:
            body = _body(db, row.id)
        if body is None:
            raise StoreError(f"original {row.key}: corrupt: its body is missing")
        try:
            data = codec.decode(row.codec, body, row.size_bytes)
        except StoreError as error:
            raise StoreError(f"original {row.key}: {error}", error.hint) from error
        if blake3(data).digest() != row.digest:
            raise StoreError(f"original {row.key}: corrupt: not the bytes of its hash")
        # A store that can only be read still gives its originals back.
        with suppress(StoreError), self._database.write() as db:
            _touch(db, row.id, self._clock())
        return data

    def pin(self, handle: str, conversation: str) -> None:
        """See `store.Archive.pin`."""
        row = self._live(handle)
        with self._database.write() as db:
            db.execute(
                "REPLACE INTO pin SELECT id, ?, ? FROM original WHERE id = ?",
                (clean(conversation), self._clock(), row.id),
            )

    def unpin(self, conversation: str) -> int:
        """See `store.Archive.unpin`."""
        with self._database.write() as db:
            return db.execute(
                "DELETE FROM pin WHERE conversation = ?", (clean(conversation),)
            ).rowcount

    def status(self) -> ArchiveStatus:
        """See `store.Archive.status`."""
        with self._database.read() as db:
            rows, size_bytes, stored_bytes = _usage(db)
            oldest, newest = db.execute(
                "SELECT min(used_at), max(used_at) FROM original"
            ).fetchone()
            pinned = _count(db, "SELECT count(DISTINCT id) FROM pin")
            tombstones = _count(db, "SELECT count(*) FROM tombstone")
            pages = _count(db, "PRAGMA page_count") * _count(db, "PRAGMA page_size")
        path = self._database.path
        return ArchiveStatus(
            path=path,
            schema_version=migrations.LATEST,
            rows=rows,
            size_bytes=size_bytes,
            stored_bytes=stored_bytes,
            file_bytes=pages if path == MEMORY else self._database.file_bytes(),
            oldest=oldest,
            newest=newest,
            pinned=pinned,
            tombstones=tombstones,
            cap_bytes=self._limits.cap_bytes,
            ttl_s=self._limits.kept_s,
        )

    def verify(self) -> tuple[str, ...]:
        """See `store.Archive.verify`."""
        problems: list[str] = []
        try:
            with self._database.read() as db:
                found = [row[0] for row in db.execute("PRAGMA integrity_check")]
                problems += [f"database: {line}" for line in found if line != "ok"]
                problems += _miscounted(db)
                ids = [row[0] for row in db.execute("SELECT id FROM original")]
        except StoreError as error:
            return (*problems, str(error))
        for row_id in ids:
            problems += self._damage(row_id)
        return tuple(problems)

    def gc(self, now: float | None = None) -> Swept:
        """See `store.Archive.gc`."""
        swept = self._sweep(self._clock() if now is None else now)
        with suppress(StoreError), self._database.read() as db:
            # Frees a page a step, and `execute` makes one step.
            db.executescript("PRAGMA incremental_vacuum")
            _checkpoint(db)
        return swept

    def purge(self) -> Purged:
        """See `store.Archive.purge`."""
        now = self._clock()
        with self._database.read() as db:
            # Freed pages are overwritten, not only forgotten.
            db.execute("PRAGMA secure_delete = ON")
        with self._database.write() as db:
            rows, _, stored_bytes = _usage(db)
            _bury(db, "purged", [(now, row[0]) for row in _ids(db)])
        try:
            with self._database.read() as db:
                # Overwrite the pages in the file before VACUUM cuts them off.
                busy = _checkpoint(db)
                db.execute("VACUUM")
                busy = busy or _checkpoint(db)
                db.execute("PRAGMA secure_delete = OFF")
        except StoreError as error:
            raise StoreError(_left_behind(error), hint=_PURGE_AGAIN) from error
        if busy:
            raise StoreError(
                _left_behind("another process is reading"), hint=_PURGE_AGAIN
            )
        return Purged(rows, stored_bytes)

    def _holds(self, key: str, data: bytes) -> bool:
        """Whether exactly these bytes can be read back; heals damage by a no."""
        with self._database.read() as db:
            row = _row(db, key)
            body = None if row is None else _body(db, row.id)
        if row is None or body is None:
            return False
        try:
            return codec.decode(row.codec, body, row.size_bytes) == data
        except StoreError:
            return False

    def _live(self, handle: str) -> _Row:
        """Find an original by its handle, and bury it when its time is over.

        Raises:
            HandleExpired, HandleUnknown, StoreError: as `store.Archive.get`.
        """
        now = self._clock()
        with self._database.read() as db:
            key, row = _find(db, handle)
            grave = None if row else _grave(db, key)
        if row is None:
            # Another process may have dropped the tombstone in between.
            raise _expired(handle, *(grave or ("expired", now)))
        over_at = row.used_at + self._limits.kept_s
        if row.pinned or now < over_at:
            return row
        with suppress(StoreError), self._database.write() as db:
            # Used or pinned by another process in between: it stays.
            if _row(db, key) == row:
                _bury(db, "expired", [(over_at, row.id)])
        raise _expired(handle, "expired", over_at)

    def _damage(self, row_id: int) -> list[str]:
        try:
            with self._database.read() as db:
                row = _row_by_id(db, row_id)
                body = None if row is None else _body(db, row_id)
        except StoreError as error:
            return [f"original number {row_id}: {error}"]
        if row is None:
            return []
        if body is None:
            return [f"original {row.key}: its body is missing"]
        try:
            data = codec.decode(row.codec, body, row.size_bytes)
        except StoreError as error:
            return [f"original {row.key}: {error}"]
        digest = blake3(data).digest()
        if digest == row.digest and digest.hex().startswith(row.key):
            return []
        return [f"original {row.key}: not the bytes of its hash"]

    def _sweep(self, now: float, *, limit: int = -1, spare: int = -1) -> Swept:
        """Remove what is over; `limit` rows of a kind, -1 is all.

        Args:
            spare: an id that is not evicted.
        """
        limits = self._limits
        forgotten_at = now - limits.tombstone_s
        with self._database.write() as db:
            before = _usage(db)[2]
            pins = db.execute("DELETE FROM pin WHERE at <= ?", (forgotten_at,)).rowcount
            expired = db.execute(
                f"SELECT used_at + ?, id FROM original WHERE used_at <= ?"
                f" AND {_UNPINNED} ORDER BY used_at LIMIT ?",
                (limits.kept_s, now - limits.kept_s, limit),
            ).fetchall()
            _bury(db, "expired", expired)
            evicted = [(now, row_id) for row_id in _surplus(db, limits, now, spare)]
            _bury(db, "evicted", evicted)
            stored_bytes = before - _usage(db)[2]
            tombstones = db.execute(
                "DELETE FROM tombstone WHERE key IN"
                " (SELECT key FROM tombstone WHERE at <= ? LIMIT ?)",
                (forgotten_at, limit),
            ).rowcount
        return Swept(len(expired), len(evicted), stored_bytes, tombstones, pins)


def _left_behind(reason: object) -> str:
    return f"originals removed, but their bytes may still be in the files: {reason}"


def _checkpoint(db: sqlite3.Connection) -> bool:
    """Move the write-ahead log into the file and empty it; whether that failed."""
    return bool(db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])


def _row(db: sqlite3.Connection, key: str) -> _Row | None:
    return _one_row(db, "key = ?", key)


def _row_by_id(db: sqlite3.Connection, row_id: int) -> _Row | None:
    return _one_row(db, "id = ?", row_id)


def _one_row(db: sqlite3.Connection, where: str, value: str | int) -> _Row | None:
    found = db.execute(
        "SELECT id, key, handle_digits, digest, size_bytes, codec, used_at,"
        f" NOT {_UNPINNED} FROM original WHERE {where}",
        (value,),
    ).fetchone()
    return None if found is None else _Row(*found)


def _body(db: sqlite3.Connection, row_id: int) -> bytes | None:
    found = db.execute("SELECT data FROM body WHERE id = ?", (row_id,)).fetchone()
    return None if found is None else found[0]


def _ids(db: sqlite3.Connection) -> list[tuple[int]]:
    return db.execute("SELECT id FROM original").fetchall()


def _count(db: sqlite3.Connection, query: str) -> int:
    count: int = db.execute(query).fetchone()[0]
    return count


def _usage(db: sqlite3.Connection) -> tuple[int, int, int]:
    """Rows, bytes as they came, bytes as stored."""
    found: tuple[int, int, int] = db.execute(
        "SELECT row_count, size_bytes, stored_bytes FROM usage"
    ).fetchone()
    return found


def _insert(
    db: sqlite3.Connection,
    key: str,
    digest: bytes,
    size_bytes: int,
    body: tuple[int, bytes],
    now: float,
) -> tuple[int, str]:
    """Insert an original; return its id and handle."""
    number, packed = body
    alike = dict(_alike(db, key[:HANDLE_DIGITS]))
    # One that comes back has the handle it had.
    digits = alike.pop(key, KEY_DIGITS if alike else HANDLE_DIGITS)
    row_id = db.execute(
        "INSERT INTO original (key, handle_digits, digest, size_bytes, stored_bytes,"
        " codec, created_at, used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (key, digits, digest, size_bytes, len(packed), number, now, now),
    ).lastrowid
    assert row_id is not None
    # A body without an original can only be left by damage.
    db.execute("REPLACE INTO body VALUES (?, ?)", (row_id, packed))
    db.execute("DELETE FROM tombstone WHERE key = ?", (key,))
    return row_id, key[:digits]


def _renew(
    db: sqlite3.Connection, row: _Row, body: tuple[int, bytes] | None, now: float
) -> None:
    """Give an original a new life, and its body back if that was damaged."""
    if body is not None:
        number, packed = body
        db.execute(
            "UPDATE original SET codec = ?, stored_bytes = ? WHERE id = ?",
            (number, len(packed), row.id),
        )
        db.execute("REPLACE INTO body VALUES (?, ?)", (row.id, packed))
    _touch(db, row.id, now)


def _alike(db: sqlite3.Connection, prefix: str) -> list[tuple[str, int]]:
    """Key and digits of the handle of all that begin like this, removed or not."""
    # "g" comes after every hex digit.
    ends = (prefix, prefix + "g")
    return db.execute(
        "SELECT key, handle_digits FROM original WHERE key >= ? AND key < ?"
        " UNION ALL"
        " SELECT key, handle_digits FROM tombstone WHERE key >= ? AND key < ?",
        (*ends, *ends),
    ).fetchall()


def _find(db: sqlite3.Connection, handle: str) -> tuple[str, _Row | None]:
    """Return the key that a handle stands for; no row when it is a tombstone.

    Raises:
        HandleUnknown: nothing, or several originals begin like this.
    """
    text = handle.strip().lower()
    if not PREFIX_DIGITS <= len(text) <= KEY_DIGITS or set(text) - set(_HEX):
        raise HandleUnknown(
            handle,
            f"not a handle: {handle[:80]!r}",
            hint=f"a handle is {PREFIX_DIGITS} to {KEY_DIGITS} hex digits",
        )
    alike = _alike(db, text)
    # The one that was given these digits keeps them, whoever came later.
    keys = [key for key, digits in alike if digits == len(text)]
    if len(keys) != 1:
        keys = [key for key, _ in alike]
    if not keys:
        raise HandleUnknown(
            handle,
            f"unknown handle {text}",
            hint="`ctx archive status` shows which store was asked",
        )
    if len(keys) > 1:
        raise HandleUnknown(
            handle,
            f"ambiguous handle {text}: {len(keys)} originals begin like this",
            hint="give more of its digits",
        )
    return keys[0], _row(db, keys[0])


def _grave(db: sqlite3.Connection, key: str) -> tuple[str, float] | None:
    found: tuple[str, float] | None = db.execute(
        "SELECT why, at FROM tombstone WHERE key = ?", (key,)
    ).fetchone()
    return found


def _expired(handle: str, why: str, at: float) -> HandleExpired:
    date = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at))
    message = f"handle {handle} has expired: {_WHY.get(why, why)}, {date}"
    return HandleExpired(handle, message, hint=_AGAIN)


def _touch(db: sqlite3.Connection, row_id: int, now: float) -> None:
    # A clock that went back does not shorten a life.
    db.execute(
        "UPDATE original SET used_at = ?1 WHERE id = ?2 AND used_at < ?1", (now, row_id)
    )


def _add_note(db: sqlite3.Connection, row_id: int, note: Note, now: float) -> None:
    db.execute(
        "REPLACE INTO note VALUES (?, ?, ?, ?, ?)",
        (
            row_id,
            clean(note.workspace),
            clean(note.scope),
            short_command(note.command),
            now,
        ),
    )


def _bury(db: sqlite3.Connection, why: str, rows: list[tuple[float, int]]) -> None:
    """Remove originals (when, id) and leave tombstones."""
    db.executemany(
        f"REPLACE INTO tombstone SELECT key, handle_digits, '{why}', ? FROM original"
        " WHERE id = ?",
        rows,
    )
    db.executemany("DELETE FROM original WHERE id = ?", [(row[1],) for row in rows])


def _surplus(
    db: sqlite3.Connection, limits: Limits, now: float, spare: int
) -> list[int]:
    """Ids to evict, by the rule of `store.Archive`."""
    stored = _usage(db)[2]
    if stored <= limits.cap_bytes:
        return []
    young = now - MIN_TTL_S
    ids: list[int] = []
    passes = (
        (f"used_at <= ? AND {_UNPINNED}", limits.cap_bytes - limits.cap_bytes // SLACK),
        (f"NOT (used_at <= ? AND {_UNPINNED})", limits.cap_bytes),
    )
    for where, goal in passes:
        rows = db.execute(
            "SELECT id, stored_bytes FROM original"
            f" WHERE {where} AND id != ? ORDER BY used_at, id",
            (young, spare),
        )
        for row_id, stored_bytes in rows:
            if stored <= goal:
                break
            ids.append(row_id)
            stored -= stored_bytes
        if stored <= limits.cap_bytes:
            break
    return ids


def _miscounted(db: sqlite3.Connection) -> list[str]:
    counted = db.execute(
        "SELECT count(*), coalesce(sum(size_bytes), 0),"
        " coalesce(sum(stored_bytes), 0) FROM original"
    ).fetchone()
    return [] if counted == _usage(db) else ["database: usage does not add up"]
