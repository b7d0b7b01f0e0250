"""What a long-lived engine has already worked out: two tiers, bounded, pure.

Skip set: keys known not to shrink. Results: envelopes. An entry lives for
`ttl_s` seconds from its last use; the clock's value is passed in.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")


class Results(Generic[V]):
    """Values by key, bounded in bytes, least recently used first out.

    Attributes:
        hits, misses: how often `get` found something, or nothing.
    """

    def __init__(self, ttl_s: float, limit_bytes: int) -> None:
        self._ttl_s = ttl_s
        self._limit_bytes = limit_bytes
        self._size_bytes = 0
        self._rows: OrderedDict[str, tuple[V, int, float]] = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key: str, now: float) -> V | None:
        """Return the value and start its time anew, or None."""
        row = self._rows.get(key)
        if row is None or now - row[2] > self._ttl_s:
            self.drop(key)
            self.misses += 1
            return None
        self._rows[key] = (row[0], row[1], now)
        self._rows.move_to_end(key)
        self.hits += 1
        return row[0]

    def put(self, key: str, value: V, size_bytes: int, now: float) -> None:
        """Keep `value`, dropping the least recently used ones beyond the bound."""
        self.drop(key)
        if size_bytes > self._limit_bytes:
            return
        self._rows[key] = (value, size_bytes, now)
        self._size_bytes += size_bytes
        while self._size_bytes > self._limit_bytes:
            self._size_bytes -= self._rows.popitem(last=False)[1][1]

    def drop(self, key: str) -> None:
        """Forget `key`, if it is there."""
        if row := self._rows.pop(key, None):
            self._size_bytes -= row[1]

    def __len__(self) -> int:
        return len(self._rows)
