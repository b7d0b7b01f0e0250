"""The one look at a text that every family of signals shares.

Row shapes are read from a sample (head, windows in the middle, tail), so a
detector costs the same on 1 MB as on 100 KB; banners are looked for in every
line. Lines are clipped, so no pattern ever sees a 10 MB line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from ..model import ContentType
from .paths import Place, place

#: Lines of a sample, chosen by hand: 360 lines of 10 us of patterns are 4 ms.
HEAD, WINDOWS, WINDOW, TAIL = 120, 5, 20, 100
#: Patterns see this much of a line.
WIDTH = 600


@dataclass(frozen=True, slots=True)
class Evidence:
    """One family's claim.

    Attributes:
        confidence: 0 to 1, from the share of lines that carry the signal; the
            families' scales are comparable.
    """

    content_type: ContentType
    signal: str
    confidence: float


class View:
    """Lines without their common prefix, and what is derived from them once.

    Attributes:
        lines: all lines.
        prefix: what was taken off each line: a name of `prefixes`, or empty.
    """

    def __init__(self, lines: tuple[str, ...], prefix: str = "") -> None:
        self.lines = lines
        self.prefix = prefix

    @cached_property
    def filled(self) -> int:
        """How many lines are not blank."""
        return sum(1 for line in self.lines if line and not line.isspace())

    @cached_property
    def sample(self) -> tuple[str, ...]:
        """Non-blank lines of head, middle and tail, clipped, in order."""
        return sample(self.lines)

    @cached_property
    def places(self) -> tuple[Place | None, ...]:
        """For each line of the sample the place in a file it begins with."""
        return tuple([place(line) for line in self.sample])

    @cached_property
    def text(self) -> str:
        """All lines joined by LF."""
        return "\n".join(self.lines)

    @cached_property
    def first(self) -> str:
        """The first line that is not blank, clipped, or empty."""
        return self.sample[0] if self.sample else ""

    def share(self, pattern: re.Pattern[str]) -> float:
        """Share of the sample's lines that begin with `pattern`."""
        if not self.sample:
            return 0.0
        match = pattern.match
        return sum(1 for line in self.sample if match(line)) / len(self.sample)


def sample(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Non-blank lines of head, middle windows and tail, clipped to `WIDTH`."""
    size = len(lines)
    if size > HEAD + WINDOWS * WINDOW + TAIL:
        chosen = list(lines[:HEAD])
        step = (size - HEAD - TAIL) // (WINDOWS + 1)
        for number in range(1, WINDOWS + 1):
            start = HEAD + number * step
            chosen.extend(lines[start : start + WINDOW])
        chosen.extend(lines[-TAIL:])
    else:
        chosen = list(lines)
    return tuple(
        [line[:WIDTH] for line in chosen if line and not line[:WIDTH].isspace()]
    )
