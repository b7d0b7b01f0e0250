"""Turn a choice of lines into the parts of a line-wise change."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence

from ..model import Cut, Fold

#: How a folded line ends (rendered by `pipeline/emit.py`).
SUFFIX = re.compile(r" \[(?:×\d+|~\d+ alike)\]$")

#: Shorter lines cost less than the suffix.
LEAST_CHARS = 8

_GONE = re.compile(rb"\0+")


def ends_like_fold(line: str) -> bool:
    """Whether a payload line already ends like a fold: it is not folded."""
    return line.endswith("]") and SUFFIX.search(line) is not None


def cuts(keep: bytearray, why: Callable[[int], str]) -> tuple[Cut, ...]:
    """Runs of lines that are not kept, one `Cut` for each run of one reason.

    Args:
        keep: one byte a line: 0 goes, 1 stays, 2 is folded.
        why: reason for line `at`.
    """
    out: list[Cut] = []
    for run in _GONE.finditer(keep):
        start, stop = run.span()
        reason = why(start)
        for here in range(start + 1, stop):
            other = why(here)
            if other != reason:
                out.append(Cut(start, here - start, reason))
                start, reason = here, other
        out.append(Cut(start, stop - start, reason))
    return tuple(out)


def runs(
    lines: Sequence[str], keep: bytearray, least: int, skip: Container[int] = ()
) -> list[Fold]:
    """Folds of runs of equal kept lines, `least` lines or more.

    Folded lines are marked 2 in `keep`: not shown, not cut. Short lines cost
    less than the suffix and stay.

    Args:
        skip: lines that open no fold, because they are edited.
    """
    out = []
    at, size = 0, len(lines)
    while at < size:
        stop = at + 1
        line = lines[at]
        while stop < size and lines[stop] == line and keep[stop] and keep[at]:
            stop += 1
        if (
            stop - at >= least
            and len(line) >= LEAST_CHARS
            and at not in skip
            and not ends_like_fold(line)
        ):
            out.append(Fold(at, tuple(range(at + 1, stop))))
            keep[at + 1 : stop] = b"\2" * (stop - at - 1)
        at = stop
    return out
