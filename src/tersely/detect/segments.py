"""Several contents in one observation: HTTP headers, JSON and patches among text.

Modest on purpose: an island is cut out only where it is a good part of the
whole, so a report with one JSON body in a captured log stays one report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..model import ContentType, Segment
from . import data
from .view import View

_STATUS_LINE = re.compile(r"HTTP/\d(?:\.\d)? \d{3}\b")
_FIELD = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}:(?: |$)")

#: Islands together are at least this share of the characters, and few.
_SHARE = 0.25
_MOST = 16
_LEAST_DIFF_LINES = 5


def http_headers(lines: Sequence[str]) -> int:
    """Number of lines of the HTTP header blocks the text begins with, or 0."""
    at = 0
    while at < len(lines) and _STATUS_LINE.match(lines[at][:40]):
        stop = at + 1
        while stop < len(lines) and _FIELD.match(lines[stop][:200]):
            stop += 1
        if stop < len(lines) and lines[stop].strip():
            return at
        at = stop + 1
    return min(at, len(lines))


def islands(view: View) -> list[tuple[int, int, ContentType]]:
    """JSON values and patches that stand between other lines, ascending."""
    lines = view.lines
    found = [
        (start, stop, ContentType.DIFF)
        for start, stop in view.patches
        if stop - start >= _LEAST_DIFF_LINES
    ]
    taken = bytearray(len(lines))
    for start, stop, _ in found:
        taken[start:stop] = b"\1" * (stop - start)
    for start, stop in data.islands(view.text):
        if not any(taken[start:stop]):
            found.append((start, stop, ContentType.JSON))
    found.sort(key=lambda run: run[0])
    if not found or len(found) > _MOST:
        return []
    inside = sum(size(lines, start, stop) for start, stop, _ in found)
    return found if inside >= _SHARE * size(lines, 0, len(lines)) else []


def size(lines: Sequence[str], start: int, stop: int) -> int:
    """Characters of a run of lines, line ends counted as one."""
    return sum(map(len, lines[start:stop])) + stop - start


def largest(lines: Sequence[str], segments: Sequence[Segment]) -> Segment:
    """The segment with the most characters; the first of equals."""
    return max(segments, key=lambda part: size(lines, part.start, part.stop))
