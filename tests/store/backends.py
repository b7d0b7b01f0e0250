"""What the store tests share: a clock to wind, and the backends they all run on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tersely.store import Store

MakeStore = Callable[..., Store]

#: name -> url of an empty store, given a folder. A server is one more row.
BACKENDS: dict[str, Callable[[Path], str]] = {
    "memory": lambda folder: ":memory:",
    "file": lambda folder: str(folder / "new" / "store.sqlite"),
}

START = 1_900_000_000.0
MINUTE = 60.0
DAY = 24 * 3600.0


class Clock:
    """Seconds since the epoch, wound by the test."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += seconds
