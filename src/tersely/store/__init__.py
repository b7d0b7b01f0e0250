"""Archive of originals and ledger of savings: contracts, values, `open_store`.

Nothing here touches a database: `open_store` picks a backend, the backend opens
its file at the first call, and `sqlite3` is imported then and not before.
Every backend keeps the rules written at `Archive` and `Ledger`; the same contract
tests run on all of them (`tests/store`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Protocol

from ..errors import ConfigError
from ..model import Block

__all__ = [
    "Archive",
    "ArchiveStatus",
    "GROUPS",
    "KINDS",
    "Event",
    "Ledger",
    "Limits",
    "Note",
    "Purged",
    "Store",
    "Swept",
    "Total",
    "content_key",
    "merge",
    "open_store",
]

#: Whatever config says, an original used within this time is not expired.
MIN_TTL_S = 30 * 60.0
TTL_S = 7 * 24 * 3600.0
CAP_BYTES = 1 << 30
TOMBSTONE_S = 90 * 24 * 3600.0
#: How long one call may wait for another writer. With 16 busy writers on two cores
#: that others load as well the longest of 3,200 puts waited 1.8 s (2026-11).
BUSY_TIMEOUT_MS = 5_000

#: Hex digits of a key and of a short handle; the fewest a reader may give.
KEY_DIGITS = 24
HANDLE_DIGITS = 12
PREFIX_DIGITS = 8

#: What an `Event` is about; `Event` says how each one counts.
KINDS = ("emission", "fault", "expand", "bounce", "standing", "measure")

#: What `Ledger.totals` can group by.
GROUPS = ("command", "type", "transform", "reason", "day", "frontend", "config")

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive keeps, and for how long.

    Attributes:
        ttl_s: since the last use; below 30 minutes counts as 30 minutes.
        cap_bytes: of all bodies as stored, that is compressed.
        tombstone_s: how long it is remembered that an original was here. A pin
            that is not renewed lapses after the same time.
    """

    ttl_s: float = TTL_S
    cap_bytes: int = CAP_BYTES
    tombstone_s: float = TOMBSTONE_S

    @property
    def kept_s(self) -> float:
        """The time to live that really holds."""
        return max(self.ttl_s, MIN_TTL_S)


@dataclass(frozen=True, slots=True)
class Note:
    """Where an original came from; noted with every put, never its content.

    Attributes:
        workspace: root of the project it was made in.
        scope: conversation that saw it.
        command: argv[0] and sub-command; a third word is not stored.
    """

    workspace: str = ""
    scope: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class ArchiveStatus:
    """The archive in numbers.

    Attributes:
        rows: originals that can be read.
        size_bytes, stored_bytes: of them, as they came and as they are stored.
        file_bytes: of the files on disk.
        oldest, newest: last use, seconds since the epoch; None when empty.
    """

    path: str
    schema_version: int
    rows: int
    size_bytes: int
    stored_bytes: int
    file_bytes: int
    oldest: float | None
    newest: float | None
    pinned: int
    tombstones: int
    cap_bytes: int
    ttl_s: float


@dataclass(frozen=True, slots=True)
class Swept:
    """What `Archive.gc` removed; `stored_bytes` of expired and evicted."""

    expired: int = 0
    evicted: int = 0
    stored_bytes: int = 0
    tombstones: int = 0
    pins: int = 0


@dataclass(frozen=True, slots=True)
class Purged:
    """What `Archive.purge` removed."""

    rows: int
    stored_bytes: int


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the ledger. It never holds content.

    What without us would have been sent is `tokens_raw`, what was sent on top or
    instead is `tokens_out`, so a sum over events needs no special cases:

    =========  ==========================  =======================================
    kind       tokens_raw                  tokens_out
    =========  ==========================  =======================================
    emission   of the observation          of the emission, footer included
    fault      of the observation          the same; `detail` says what failed
    expand     0                           of the original text that was sent back
    bounce     0                           of the full text fetched past us; it
                                           stands for that text's emission
    standing   0                           of what we add to each request: schemas
    measure    of the observation          of what would have been sent
    =========  ==========================  =======================================

    Attributes:
        at: seconds since the epoch; 0 lets the ledger's clock stamp it.
        key: of the original, 24 hex digits.
        command: argv[0] and sub-command; a third word is not stored.
        content_type, proof, tier: values of the enums in `model`, or empty.
        reason: `Envelope.reason`.
        counter: of both numbers; numbers of two counters are never added.
        overhead: of `tokens_out`, the footer, end marker and legend.
        blocks: the manifest. Their warnings may quote and are not stored.
        config: fingerprint of the config that was in force.
        elapsed_ms: time in the engine.
        detail: of a fault, the class of the error and the place. Messages of
            errors may quote and do not belong here; cut to 200 characters.
    """

    kind: str
    counter: str
    tokens_raw: int = 0
    tokens_out: int = 0
    at: float = 0.0
    key: str = ""
    frontend: str = ""
    command: str = ""
    content_type: str = ""
    transform: str = ""
    version: int = 0
    proof: str = ""
    tier: str = ""
    reason: str = ""
    overhead: int = 0
    blocks: tuple[Block, ...] = ()
    config: str = ""
    exit_code: int | None = None
    elapsed_ms: float = 0.0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Total:
    """Sums over the events of one group and one counter.

    Attributes:
        group: value of what was grouped by; empty without grouping.
        emissions: with faults.
        tokens_raw, tokens_out, overhead: of emissions and faults.
        tokens_measured: what `measure` events would have saved. Not in `net`.
    """

    group: str
    counter: str
    emissions: int = 0
    faults: int = 0
    tokens_raw: int = 0
    tokens_out: int = 0
    overhead: int = 0
    expansions: int = 0
    tokens_expanded: int = 0
    bounces: int = 0
    tokens_bounced: int = 0
    tokens_standing: int = 0
    measured: int = 0
    tokens_measured: int = 0

    @property
    def net(self) -> int:
        """Tokens saved after all debits; below zero where we cost more."""
        debits = self.tokens_expanded + self.tokens_bounced + self.tokens_standing
        return self.tokens_raw - self.tokens_out - debits


def merge(totals: Iterable[Total], group: str = "") -> Total:
    """Add rows of one counter up.

    Raises:
        ValueError: the rows are of several counters, or there are none.
    """
    rows = tuple(totals)
    counters = sorted({row.counter for row in rows})
    if len(counters) != 1:
        raise ValueError(f"token numbers of several counters: {counters}")
    names = [field.name for field in fields(Total)][2:]
    sums = {name: sum(getattr(row, name) for row in rows) for name in names}
    return Total(group, counters[0], **sums)


class Archive(Protocol):
    """Originals under the blake3 of their bytes.

    An original lives `Limits.kept_s` from its last put or get. Removed, it leaves
    a tombstone (key, why, when), so that expired and unknown can be told apart.

    Eviction, when the bodies exceed the cap: first what is neither pinned nor was
    used within 30 minutes, the longest unused first, down to 15/16 of the cap.
    Only if nothing of that kind is left, pinned and young ones, the longest unused
    first, down to the cap. The one being put is never evicted by its own put.
    """

    def put(self, data: bytes, note: Note, *, key: str | None = None) -> str:
        """Keep the bytes and return their handle.

        The handle is the first 12 hex digits of the key, or all 24 if another
        original, live or removed, held these 12 before. Putting the same bytes
        again gives the same handle, one row, and a new life.

        Raises:
            StoreError: not kept. A lossy emission must not be sent.
        """
        ...

    def get(self, handle: str) -> bytes:
        """Return the bytes, proved against their hash, and give them a new life.

        Args:
            handle: 8 to 24 hex digits.

        Raises:
            HandleExpired: they were here.
            HandleUnknown: they were not, or several originals begin like this.
            StoreError: the store cannot be read, or the bytes are damaged.
        """
        ...

    def pin(self, handle: str, conversation: str) -> None:
        """Keep an original past its time to live while a conversation lives.

        Raises:
            HandleExpired, HandleUnknown, StoreError: as `get`.
        """
        ...

    def unpin(self, conversation: str) -> int:
        """Drop all pins of a conversation and return how many there were."""
        ...

    def status(self) -> ArchiveStatus:
        """Count what is there."""
        ...

    def verify(self) -> tuple[str, ...]:
        """Read everything and say what is wrong, one line each."""
        ...

    def gc(self, now: float | None = None) -> Swept:
        """Remove what is expired or above the cap, as of `now` or the clock."""
        ...

    def purge(self) -> Purged:
        """Remove every original, from the files too; tombstones stay.

        Raises:
            StoreError: another process is using the store; the message says
                whether the bytes are still in its files.
        """
        ...


class Ledger(Protocol):
    """Append-only record of what was done and what it saved."""

    def add(self, event: Event) -> None:
        """Append; a fault is logged and swallowed."""
        ...

    def totals(
        self,
        by: str | None = None,
        *,
        since: float | None = None,
        until: float | None = None,
    ) -> tuple[Total, ...]:
        """Sum up per group and counter, ordered by both; days are UTC.

        Args:
            since, until: seconds since the epoch, half-open.
        """
        ...

    def events(
        self, limit: int, *, key: str | None = None, kind: str | None = None
    ) -> tuple[Event, ...]:
        """Return the latest events, newest first; `key` may be a prefix."""
        ...

    def faults(self, limit: int = 20) -> tuple[Event, ...]:
        """Return the latest faults, newest first."""
        ...


class Store(Protocol):
    """An archive and a ledger that live in one place."""

    @property
    def archive(self) -> Archive:
        """The originals."""
        ...

    @property
    def ledger(self) -> Ledger:
        """The record."""
        ...

    def problem(self) -> str | None:
        """Say in one line what is wrong with the store, after trying it; slow."""
        ...

    def close(self) -> None:
        """Let go of the database. Closing twice is fine."""
        ...


def content_key(data: bytes) -> str:
    """Return the first 24 hex digits of the bytes' blake3."""
    from blake3 import blake3

    return blake3(data).hexdigest(length=KEY_DIGITS // 2)


def open_store(
    url: str,
    *,
    clock: Clock,
    ttl_s: float = TTL_S,
    cap_bytes: int = CAP_BYTES,
    tombstone_s: float = TOMBSTONE_S,
    busy_timeout_ms: int = BUSY_TIMEOUT_MS,
) -> Store:
    """Make a store; nothing is opened or created before its first use.

    Args:
        url: path of a file, or ``:memory:``.
        clock: seconds since the epoch.

    Raises:
        ConfigError: no backend for this url.
    """
    # The url may hold a password: messages name its scheme only.
    scheme, separator, _ = url.partition("://")
    if separator and scheme in ("redis", "rediss", "postgres", "postgresql"):
        raise ConfigError(
            f"store {scheme}://: arrives with a later release",
            hint="use the path of a file",
        )
    if separator or not url:
        raise ConfigError(
            f"store {scheme + separator!r}: not a path of a file or :memory:"
        )

    from .sqlite import SqliteStore

    limits = Limits(ttl_s, cap_bytes, tombstone_s)
    return SqliteStore(url, clock, limits, busy_timeout_ms)
