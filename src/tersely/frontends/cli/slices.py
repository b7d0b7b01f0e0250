"""Take a part of an original: line ranges, matches, head, tail, a JSON value.

Pure. Lines are the engine's (LF, CR LF and lone CR end one) and keep their
ends, so that what comes out stands in the original byte for byte; numbers are
those of the original, from 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import TerselyError, UsageError
from ...text import decode, json_path, lines


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines are asked for, in the order in which it is applied.

    Attributes:
        ranges: first and last line, 1-based, inclusive; empty means all.
        grep: a regular expression that a line must contain.
        context: lines around each match.
        head, tail: so many of what is left.
        numbers: put its number before each line.
    """

    ranges: tuple[tuple[int, int], ...] = ()
    grep: str | None = None
    context: int = 0
    head: int | None = None
    tail: int | None = None
    numbers: bool = False

    @property
    def everything(self) -> bool:
        """Whether the original is wanted as it is."""
        return self == Wanted()


def ranges(text: str) -> tuple[tuple[int, int], ...]:
    """Read ``10-20,31,40-``; an open end is the last line.

    Raises:
        ValueError: it is no list of ranges.
    """
    found = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        start = int(first or 1)
        stop = int(last or 1 << 62) if dash else start
        if start < 1 or stop < start or not (first or last):
            raise ValueError(part)
        found.append((start, stop))
    return tuple(found)


def cut(data: bytes, wanted: Wanted) -> bytes:
    """Return the wanted lines of `data`.

    Raises:
        UsageError: the pattern is none, or a range begins behind the last line.
        TerselyError: no line matches.
    """
    if wanted.everything:
        return data
    text, encoding = decode.decode(data)
    split = lines.split(text)
    size = len(split.lines)
    chosen = _in_ranges(size, wanted.ranges)
    hits: set[int] = set()
    if wanted.grep is not None:
        hits = _matches(split.lines, chosen, wanted.grep)
        if not hits:
            raise TerselyError(f"no line of {len(chosen)} matches {wanted.grep!r}")
        chosen = _around(chosen, hits, wanted.context)
    if wanted.head is not None:
        chosen = chosen[: wanted.head]
    if wanted.tail is not None:
        chosen = chosen[-wanted.tail :] if wanted.tail else []
    out = []
    before = None
    for at in chosen:
        if wanted.grep is not None and before is not None and at > before + 1:
            out.append("--\n")
        line = split.lines[at] + split.ends[at]
        if wanted.numbers or wanted.grep is not None:
            line = f"{at + 1}{':' if not hits or at in hits else '-'}{line}"
        out.append(line)
        before = at
    return "".join(out).encode(encoding, "surrogateescape")


def json_value(data: bytes, path: str) -> bytes:
    """Return the value at `path` with its numbers and texts as they are written.

    Raises:
        TerselyError: `data` is no JSON, `path` is no path, or nothing is there.
    """
    text, encoding = decode.decode(data)
    try:
        value = json_path.select(text.removeprefix("\ufeff"), path)
    except ValueError as exc:
        raise TerselyError(f"--json-path: {exc}") from None
    return (value + "\n").encode(encoding, "surrogateescape")


def _in_ranges(size: int, wanted: Sequence[tuple[int, int]]) -> list[int]:
    if not wanted:
        return list(range(size))
    chosen: set[int] = set()
    for start, stop in wanted:
        if start > size:
            raise UsageError(f"line {start} is behind the last, {size}")
        chosen.update(range(start - 1, min(stop, size)))
    return sorted(chosen)


def _matches(split: Sequence[str], chosen: Sequence[int], pattern: str) -> set[int]:
    try:
        search = re.compile(pattern).search
    except re.error as exc:
        raise UsageError(f"bad pattern {pattern!r}: {exc}") from None
    return {at for at in chosen if search(split[at])}


def _around(chosen: Sequence[int], hits: set[int], context: int) -> list[int]:
    shown = set(hits)
    for at in hits:
        shown.update(range(at - context, at + context + 1))
    return [at for at in chosen if at in shown]
