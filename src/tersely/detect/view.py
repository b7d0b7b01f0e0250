"""The one look at a text that every family of signals shares.

Row shapes are read from a sample (head, windows in the middle, tail), so a
detector costs the same on 1 MB as on 100 KB; banners are looked for in every
line. Lines are clipped, so no pattern ever sees a 10 MB line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ..model import ContentType
from .paths import Place, place

#: Lines of a sample. Chosen by hand: twice as many changed no type on our labelled
#: inputs and doubled the time.
HEAD, WINDOWS, WINDOW, TAIL = 64, 4, 12, 56
#: A shape that hardly any of so many lines have is not looked for in the others.
PROBE = 24
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
        """How many lines are not empty."""
        return len(self.lines) - self.lines.count("")

    @cached_property
    def sample(self) -> tuple[str, ...]:
        """Non-blank lines of head, middle and tail, clipped, in order."""
        return sample(self.lines)

    @cached_property
    def places(self) -> tuple[Place | None, ...]:
        """For each line of the sample the place in a file it begins with."""
        return tuple([place(line) for line in self.sample])

    @cached_property
    def patches(self) -> tuple[tuple[int, int], ...]:
        """Runs of lines, half-open, that are patches."""
        from . import diffs

        return tuple(diffs.blocks(self.lines)) if diffs.may_hold(self) else ()

    @cached_property
    def text(self) -> str:
        """All lines joined by LF."""
        return "\n".join(self.lines)

    @cached_property
    def first(self) -> str:
        """The first line that is not blank, clipped, or empty."""
        return self.sample[0] if self.sample else ""

    @cached_property
    def probe(self) -> tuple[str, ...]:
        """Up to `PROBE` lines of the sample, evenly spread."""
        step = max(1, len(self.sample) // PROBE)
        return self.sample[::step]

    def share(self, pattern: re.Pattern[str], least: float = 0.0) -> float:
        """Share of the sample's lines that begin with `pattern`.

        0 where the probe shows that it is far below `least`, which is the least
        share that matters to the caller.
        """
        match = pattern.match
        if least and len(self.sample) > 2 * PROBE:
            if not self.likely(lambda line: match(line) is not None, least):
                return 0.0
        found = [1 for line in self.sample if match(line)]
        return len(found) / len(self.sample) if self.sample else 0.0

    def likely(self, holds: Callable[[str], bool], least: float) -> bool:
        """Whether the probe lets expect `holds` for a share of at least `least`."""
        found = [1 for line in self.probe if holds(line)]
        return len(found) >= 0.6 * least * len(self.probe)


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
