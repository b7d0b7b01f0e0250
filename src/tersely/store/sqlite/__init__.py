"""The default store: archive and ledger in one SQLite file.

Constructing opens nothing and does not import `sqlite3`. One connection under a
lock serves all threads; several processes share the file through WAL.
"""

from __future__ import annotations

from ...errors import StoreError
from .. import Clock, Limits
from .archive import SqliteArchive
from .database import Database
from .ledger import SqliteLedger

__all__ = ["SqliteStore"]


class SqliteStore:
    """Archive and ledger in one SQLite file.

    Args:
        path: of the file, or ``:memory:``.
        clock: seconds since the epoch.
    """

    def __init__(
        self, path: str, clock: Clock, limits: Limits, busy_timeout_ms: int
    ) -> None:
        self._database = Database(path, clock, busy_timeout_ms)
        self.archive = SqliteArchive(self._database, clock, limits)
        self.ledger = SqliteLedger(self._database, clock)

    def problem(self) -> str | None:
        """Say in one line what is wrong with the store, after trying it; slow."""
        try:
            self._database.probe()
        except StoreError as error:
            return f"{error} ({error.hint})" if error.hint else str(error)
        return None

    def close(self) -> None:
        """Let go of the database. Closing twice is fine."""
        self._database.close()
