"""One SQLite file: opened late and privately, migrated, locked, and let go at forks.

What must stay true:

- `sqlite3` is imported by the first call that needs it.
- After a failure nothing is tried again for `RETRY_S`, so that a broken or locked
  store costs an agent one wait, not one per observation. Reading goes on when only
  writing fails.
- No connection crosses a fork: SQLite keeps its locks per process, and a child that
  inherits them believes it holds locks it does not have
  (https://sqlite.org/howtocorrupt.html, section 2.6).
- A file that was deleted or replaced under us is opened anew: bytes written to the
  old one could not be read by anybody else.
"""

from __future__ import annotations

import os
import stat
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import StoreError
from .. import Clock
from . import migrations

if TYPE_CHECKING:
    import sqlite3

MEMORY = ":memory:"

#: Chosen by hand: a burst of observations meets a broken store once.
RETRY_S = 3.0

#: `problem` speaks up below this: one archived CI log must still fit.
LOW_SPACE_BYTES = 64 << 20

#: A close moves the write-ahead log into the file from this size on, and waits for the
#: disk: 24 ms, each 30 puts. Below, the first process to open reads the log: 3 ms a MB.
#: The sum of both is least near this size (ext4 on a shared box, 2026-11).
LONG_WAL_BYTES = 1 << 20

#: Give up pages of the write-ahead log above this after a big put.
WAL_LIMIT_BYTES = 16 << 20

#: Between two tries to get the turn to write: first and last of a growing pause.
#: A put holds the turn for 0.2 ms; chosen by hand.
_POLL_S = 0.0005
_LAST_POLL_S = 0.008

_BUSY, _LOCKED, _PROTOCOL = 5, 6, 15

_RECOVER = "`ctx archive verify` shows the damage; move the file away to start afresh"

#: SQLite's primary result codes (https://sqlite.org/rescode.html) in our words.
_MEANING: dict[int, tuple[str, str]] = {
    3: ("no permission", "give yourself read and write access"),
    _BUSY: ("locked by another process", "see which processes have it open"),
    _LOCKED: ("locked by another thread", ""),
    7: ("out of memory", ""),
    8: ("not writable", "give yourself write access to file and directory"),
    10: ("cannot be read or written", "see the disk and its free space"),
    11: ("corrupt", _RECOVER),
    13: ("disk full", "free some space, or lower the archive's cap"),
    14: ("cannot be opened", "give yourself write access to file and directory"),
    _PROTOCOL: ("locked by too many processes", ""),
    18: ("original too big for one row", ""),
    26: ("not a database", _RECOVER),
}

#: Failures of one statement's values, not of the file; 0 is the module's own.
_OF_VALUES = (0, 18, 19, 20, 25)


@dataclass(frozen=True, slots=True)
class _Failure:
    at: float
    error: StoreError


class Database:
    """A lazily opened connection, shared by threads under one lock."""

    def __init__(self, path: str, clock: Clock, busy_timeout_ms: int) -> None:
        self.path = path
        self._clock = clock
        self._busy_timeout_ms = busy_timeout_ms
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None
        self._not_opened: _Failure | None = None
        self._not_written: _Failure | None = None
        self._closed = False
        self._watches_forks = False

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for reading.

        Raises:
            StoreError: it cannot be opened or read.
        """
        with self._lock:
            connection = self._ready()
            import sqlite3

            try:
                yield connection
            except sqlite3.Error as exc:
                raise self._failed(exc) from exc

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Give the connection inside a transaction, committed at the end.

        Raises:
            StoreError: it cannot be opened or written; nothing was changed.
        """
        with self._lock:
            self._refuse_soon_after(self._not_written)
            connection = self._ready()
            import sqlite3

            try:
                self._begin(connection)
                yield connection
                connection.execute("COMMIT")
            except BaseException as exc:
                with suppress(sqlite3.Error):
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                if not isinstance(exc, (sqlite3.Error, OverflowError)):
                    raise
                raise self._failed(exc, writing=True) from exc
            self._not_written = None

    def close(self) -> None:
        """Close for good."""
        with self._lock:
            self._closed = True
            self._let_go()

    def probe(self) -> None:
        """Try everything the store needs, whatever failed a moment ago.

        Raises:
            StoreError: what is wrong, as a person should read it.
        """
        with self._lock:
            self._not_opened = self._not_written = None
            with self.write() as connection:
                connection.execute("REPLACE INTO probe VALUES (1, ?)", (self._clock(),))
            with self.read() as connection:
                found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise StoreError(f"{self.path}: corrupt: {found}", hint=_RECOVER)
            if self.path != MEMORY:
                _check_surroundings(self.path)

    def file_bytes(self) -> int:
        """Size of the file and its companions on disk."""
        return sum(found.st_size for _, found in _files(self.path))

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Wait for the turn to write.

        SQLite's own wait sleeps longer and longer, 100 ms in the end, and loses
        against those who come later: of 16 busy writers some waited over 2 s.
        """
        import sqlite3

        deadline = time.monotonic() + self._busy_timeout_ms / 1000
        pause_s = _POLL_S
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as exc:
                    if not _is_busy(exc) or time.monotonic() >= deadline:
                        raise
                time.sleep(pause_s)
                pause_s = min(2 * pause_s, _LAST_POLL_S)
        finally:
            connection.execute(f"PRAGMA busy_timeout = {self._busy_timeout_ms}")

    def _ready(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError(f"{self.path}: store is closed")
        if self._connection is not None and self._moved():
            self._let_go()
        if self._connection is None:
            self._refuse_soon_after(self._not_opened)
            self._connection = self._opened()
        return self._connection

    def _refuse_soon_after(self, failure: _Failure | None) -> None:
        # A clock that went back also ends the pause.
        if failure and 0 <= self._clock() - failure.at < RETRY_S:
            raise StoreError(str(failure.error), hint=failure.error.hint)

    def _opened(self) -> sqlite3.Connection:
        import sqlite3

        try:
            if self.path != MEMORY:
                _prepare(self.path)
            connection = self._settled()
        except StoreError as error:
            self._not_opened = _Failure(self._clock(), error)
            raise
        except (sqlite3.Error, OSError) as exc:
            explained = self._explained(exc)
            self._not_opened = _Failure(self._clock(), explained)
            raise explained from exc
        self._not_opened = None
        return connection

    def _settled(self) -> sqlite3.Connection:
        """Connect and migrate, again and again while others do the same."""
        import sqlite3

        deadline = time.monotonic() + self._busy_timeout_ms / 1000
        while True:
            connection = sqlite3.connect(
                self.path,
                timeout=self._busy_timeout_ms / 1000,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._inode = _inode(self.path)
                _settle(connection, self.path)
            except BaseException as exc:
                connection.close()
                # The change to WAL does not wait for its lock by itself.
                if not _is_busy(exc) or time.monotonic() >= deadline:
                    raise
                time.sleep(_LAST_POLL_S)
                continue
            self._watch_forks()
            return connection

    def _moved(self) -> bool:
        return self.path != MEMORY and _inode(self.path) != self._inode

    def _let_go(self) -> None:
        """Close, as a rule without the checkpoint that the last one to close makes.

        It waits for the disk: 24 ms instead of 1, which every short process would
        pay. SQLite leaves it out where a reader is open, and a reader cannot make it.
        """
        connection, self._connection = self._connection, None
        if connection is None:
            return
        import sqlite3

        reader = None
        with suppress(sqlite3.Error):
            if self.path != MEMORY and _size_bytes(f"{self.path}-wal") > LONG_WAL_BYTES:
                # Emptied, not only copied: the next process would not know that it
                # was copied, and do it again.
                connection.execute("PRAGMA busy_timeout = 0")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            elif self.path != MEMORY:
                reader = _reader(self.path)
        for each in (connection, reader):
            if each is not None:
                with suppress(sqlite3.Error):
                    each.close()

    def _failed(self, exc: BaseException, *, writing: bool = False) -> StoreError:
        error = self._explained(exc)
        of_values = _code(exc) in _OF_VALUES
        if writing and not of_values:
            self._not_written = _Failure(self._clock(), error)
        return error

    def _explained(self, exc: BaseException) -> StoreError:
        if isinstance(exc, OSError):
            return StoreError(f"{self.path}: {exc.strerror or exc}")
        if isinstance(exc, OverflowError):
            return StoreError(f"{self.path}: original too big for one row")
        message, hint = _MEANING.get(_code(exc), (str(exc), ""))
        return StoreError(f"{self.path}: {message}", hint=hint)

    def _watch_forks(self) -> None:
        """Close before a fork; both sides open again when they next need it."""
        if self._watches_forks or not hasattr(os, "register_at_fork"):
            return
        self._watches_forks = True
        # Hooks cannot be taken back: they must not keep a dropped store alive.
        self_or_none = weakref.ref(self)

        def before() -> None:
            if database := self_or_none():
                database._lock.acquire()
                if database.path != MEMORY:
                    database._let_go()

        def after() -> None:
            if database := self_or_none():
                database._lock.release()

        os.register_at_fork(before=before, after_in_parent=after, after_in_child=after)


def _settle(connection: sqlite3.Connection, path: str) -> None:
    """Check whose file it is, migrate it, set what holds per connection."""
    version = _version(connection, path)
    if version < migrations.LATEST:
        # Both are kept in the file; auto_vacuum only before its first page.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        _migrate(connection, path)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT_BYTES}")


def _version(connection: sqlite3.Connection, path: str) -> int:
    """Read the schema's version.

    Raises:
        StoreError: another program's database, or a newer schema.
    """
    alone = not connection.in_transaction
    if alone:
        # The three must be of one moment: somebody may be migrating.
        connection.execute("BEGIN")
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if alone:
        connection.execute("COMMIT")
    if application != migrations.APPLICATION_ID and (version or tables):
        raise StoreError(
            f"{path}: a database of another program",
            hint="point the store to a file of its own",
        )
    if version > migrations.LATEST:
        raise StoreError(
            f"{path}: schema version {version} is newer than"
            f" {migrations.LATEST}, the newest this program knows",
            hint="upgrade tersely, or point the store to another file",
        )
    return version


def _migrate(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have been faster.
    done = _version(connection, path)
    for step in migrations.STEPS[done:]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {migrations.LATEST}")
    connection.execute("COMMIT")


def _reader(path: str) -> sqlite3.Connection | None:
    """Open for reading only; None where that is not possible at once."""
    if os.name != "posix":
        return None
    import sqlite3

    name = os.path.abspath(path)
    for character in "%?#":
        name = name.replace(character, f"%{ord(character):02x}")
    try:
        reader = sqlite3.connect(
            f"file://{name}?mode=ro", uri=True, timeout=0, check_same_thread=False
        )
        # The first read takes the lock that counts as being open.
        reader.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return None
    return reader


def _prepare(path: str) -> None:
    """Create directory and file for the owner only, or tighten the files.

    Raises:
        OSError, StoreError: there is something else, or no permission.
    """
    try:
        found = os.stat(path)
    except FileNotFoundError:
        _make_directory(os.path.dirname(os.path.abspath(path)))
        _create(path)
        return
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path}: not a file")
    for name, companion in _files(path):
        if companion.st_mode & 0o077:
            # Not ours to change: `problem` says so.
            with suppress(OSError):
                os.chmod(name, 0o600)


def _make_directory(path: str) -> None:
    if os.path.isdir(path):
        return
    _make_directory(os.path.dirname(path))
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)


def _create(path: str) -> None:
    # mknod opens nothing. Closing a descriptor would drop the locks that another
    # connection of this process may have taken on the file in between.
    if hasattr(os, "mknod"):
        try:
            os.mknod(path, 0o600 | stat.S_IFREG)
            return
        except FileExistsError:
            return
        except PermissionError:
            # macOS keeps mknod for root.
            pass
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _check_surroundings(path: str) -> None:
    """Look at modes and free space.

    Raises:
        StoreError: what is wrong.
    """
    for name, found in _files(path):
        mode = stat.S_IMODE(found.st_mode)
        if os.name == "posix" and mode & 0o077:
            raise StoreError(f"{name}: mode {mode:04o}, others can read it")
    directory = os.path.dirname(os.path.abspath(path))
    mode = os.stat(directory).st_mode
    if os.name == "posix" and mode & 0o022 and not mode & stat.S_ISVTX:
        raise StoreError(f"{directory}: others can replace the store in it")
    import shutil

    free = shutil.disk_usage(directory).free
    if free < LOW_SPACE_BYTES:
        raise StoreError(f"{directory}: only {free >> 20} MB free")


def _files(path: str) -> Iterator[tuple[str, os.stat_result]]:
    for name in (path, path + "-wal", path + "-shm"):
        # The companions go when another process closes last.
        with suppress(FileNotFoundError):
            yield name, os.stat(name)


def _size_bytes(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _inode(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _code(exc: BaseException) -> int:
    """SQLite's primary result code; 0 for anything else."""
    code: int = getattr(exc, "sqlite_errorcode", 0)
    return code & 0xFF


def _is_busy(exc: BaseException) -> bool:
    return _code(exc) in (_BUSY, _LOCKED, _PROTOCOL)
