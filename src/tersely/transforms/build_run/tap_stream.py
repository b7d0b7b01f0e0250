"""Read TAP: ``ok`` and ``not ok`` lines, each with a block of YAML below it.

A test point that passed goes with its block and the ``# Subtest`` comment
above it, one that failed stays with its block to the closing ``...``.
Source: TAP 13 and 14, and the reporters of node:test, tap and prove.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .marks import Marks

_POINT = re.compile(r"(\s{0,40})(not )?ok\b(?: \d+)?(?: .*)?$")
_DIRECTIVE = re.compile(r"#\s{0,4}(?:SKIP|TODO)\b", re.IGNORECASE)
_PLAN = re.compile(r"\s*\d+\.\.\d+(?: |$)|TAP version \d+$")

#: A block that is not closed within so many lines is none.
LIMIT_LINES = 250


def read(lines: Sequence[str]) -> Marks:
    """Mark every test point of the TAP streams in `lines`."""
    marks = Marks()
    if not any(_PLAN.match(line) for line in lines if ".." in line or "TAP " in line):
        return marks
    at = 0
    while at < len(lines):
        found = _POINT.match(lines[at]) if "ok" in lines[at][:60] else None
        if not found:
            at += 1
            continue
        marks.format = "tap"
        stop = _block_end(lines, at + 1, len(found[1]))
        if found[2] and not _DIRECTIVE.search(lines[at]):
            marks.failures.append(range(at, stop))
        elif _DIRECTIVE.search(lines[at]):
            marks.notable.append(at)
        else:
            above = at - 1 if at and _names(lines[at - 1], lines[at]) else at
            marks.noise.append(range(above, stop))
        at = stop
    return marks


def _block_end(lines: Sequence[str], start: int, indent: int) -> int:
    """First line behind what belongs to a point: a YAML block, or comments that
    are set in (``#   Failed test 'x'``)."""
    end = min(len(lines), start + LIMIT_LINES)
    if start < end and lines[start].strip() == "---":
        for at in range(start + 1, end):
            line = lines[at]
            if line.strip() == "..." and len(line) - len(line.lstrip()) >= indent:
                return at + 1
        return start
    at = start
    while at < end and lines[at].lstrip().startswith("#  "):
        at += 1
    return at


def _names(comment: str, point: str) -> bool:
    """Whether a ``# Subtest: NAME`` comment names the test point below it."""
    _, found, name = comment.partition("# Subtest: ")
    return bool(found) and point.endswith(f" - {name}")
