"""The ledger in SQLite, under the rules of `store.Ledger`."""

from __future__ import annotations

from ...errors import StoreError
from .. import GROUPS, KINDS, Clock, Event, Total, manifest
from ..words import clean, short_command
from .database import Database

#: Each of `GROUPS` as an expression over the table.
_GROUP = {
    "command": "command",
    "type": "content_type",
    "transform": "transform",
    "reason": "reason",
    "day": "date(at, 'unixepoch')",
    "frontend": "frontend",
    "config": "config",
}

#: In the order of `Event`'s fields and of the table's columns.
_COLUMNS = (
    "kind, counter, tokens_raw, tokens_out, at, key, frontend, command,"
    " content_type, transform, version, proof, tier, reason, overhead,"
    " blocks, config, exit_code, elapsed_ms, detail"
)
_DETAIL_CHARS = 200
_BLOCKS = _COLUMNS.split(", ").index("blocks")


def _sum(value: str, *kinds: str) -> str:
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    return f"sum(CASE WHEN kind IN ({listed}) THEN {value} ELSE 0 END)"


#: In the order of `Total`'s fields, after group and counter.
_SUMS = (
    _sum("1", "emission", "fault"),
    _sum("1", "fault"),
    _sum("tokens_raw", "emission", "fault"),
    _sum("tokens_out", "emission", "fault"),
    _sum("overhead", "emission", "fault"),
    _sum("1", "expand"),
    _sum("tokens_out - tokens_raw", "expand"),
    _sum("1", "bounce"),
    _sum("tokens_out - tokens_raw", "bounce"),
    _sum("tokens_out - tokens_raw", "standing"),
    _sum("1", "measure"),
    _sum("tokens_raw - tokens_out", "measure"),
)


class SqliteLedger:
    """See `store.Ledger`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def add(self, event: Event) -> None:
        """See `store.Ledger.add`."""
        try:
            row = _row(event, self._clock())
            marks = ", ".join("?" * len(row))
            with self._database.write() as db:
                db.execute(f"INSERT INTO event ({_COLUMNS}) VALUES ({marks})", row)
        except (StoreError, ValueError, TypeError) as exc:
            _log(exc)

    def totals(
        self,
        by: str | None = None,
        *,
        since: float | None = None,
        until: float | None = None,
    ) -> tuple[Total, ...]:
        """See `store.Ledger.totals`."""
        if by is not None and by not in GROUPS:
            raise ValueError(f"by {by!r}: not one of {', '.join(GROUPS)}")
        group = "''" if by is None else _GROUP[by]
        where, values = _where(("at >= ?", since), ("at < ?", until))
        with self._database.read() as db:
            rows = db.execute(
                f"SELECT {group} AS what, counter, {', '.join(_SUMS)} FROM event"
                f"{where} GROUP BY what, counter ORDER BY what, counter",
                values,
            ).fetchall()
        return tuple(Total(*row) for row in rows)

    def events(
        self, limit: int, *, key: str | None = None, kind: str | None = None
    ) -> tuple[Event, ...]:
        """See `store.Ledger.events`."""
        # "g" comes after every hex digit.
        above = None if key is None else key + "g"
        where, values = _where(
            ("key >= ?", key), ("key < ?", above), ("kind = ?", kind)
        )
        with self._database.read() as db:
            rows = db.execute(
                f"SELECT {_COLUMNS} FROM event{where} ORDER BY id DESC LIMIT ?",
                (*values, limit),
            ).fetchall()
        return tuple(_event(row) for row in rows)

    def faults(self, limit: int = 20) -> tuple[Event, ...]:
        """See `store.Ledger.faults`."""
        return self.events(limit, kind="fault")


Column = str | int | float | None


def _row(event: Event, now: float) -> tuple[Column, ...]:
    if event.kind not in KINDS:
        raise ValueError(f"kind {event.kind!r}: not one of {', '.join(KINDS)}")
    return (
        event.kind,
        clean(event.counter),
        event.tokens_raw,
        event.tokens_out,
        event.at or now,
        event.key,
        clean(event.frontend),
        short_command(event.command),
        event.content_type,
        event.transform,
        event.version,
        event.proof,
        event.tier,
        clean(event.reason),
        event.overhead,
        manifest.dump(event.blocks),
        event.config,
        event.exit_code,
        event.elapsed_ms,
        clean(event.detail)[:_DETAIL_CHARS],
    )


def _event(row: tuple[Column, ...]) -> Event:
    values = list[object](row)
    values[_BLOCKS] = manifest.load(str(row[_BLOCKS]))
    return Event(*values)  # type: ignore[arg-type]  # columns are Event's fields


def _where(*terms: tuple[str, Column]) -> tuple[str, tuple[Column, ...]]:
    """Join the terms whose value is not None."""
    given = [term for term in terms if term[1] is not None]
    if not given:
        return "", ()
    return " WHERE " + " AND ".join(t[0] for t in given), tuple(t[1] for t in given)


def _log(exc: Exception) -> None:
    import logging

    logger = logging.getLogger("tersely.store")
    if not logger.handlers:
        # Without any handler Python prints to stderr, which belongs to the agent.
        logger.addHandler(logging.NullHandler())
    logger.warning("ledger: event not written: %s", exc)
