"""Shorten one over-long line to the pieces of it that matter.

Pieces are cut at ``, ; }`` and spaces, about `PIECE_CHARS` long; first and
last ones stay, then those with error words, then those with rare words, in
their order, joined by `model.ELISION`. Windows of fixed size were the worst
choice of a prototype (FINDINGS, "What gave most" 8).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from ..model import ELISION, Edit
from . import salience

PIECE_CHARS = 200

_BREAK = re.compile(r"[,;}\s]")


def edits(
    lines: Sequence[str], limit_chars: int, pinned: Container[int]
) -> tuple[Edit, ...]:
    """Edits of all over-long lines that can be shortened and are not pinned."""
    out = []
    for at, line in enumerate(lines):
        if len(line) > limit_chars and at not in pinned:
            short = shorten(line, limit_chars)
            if short is not None:
                out.append(Edit(at, short, "long line"))
    return tuple(out)


def shorten(line: str, limit_chars: int) -> str | None:
    """Return `line` in at most about `limit_chars`, or None when it cannot shrink.

    What comes back is made of pieces of `line` in their order, between them
    `model.ELISION`. A line that holds the elision itself is left alone.
    """
    if len(line) <= limit_chars * 5 // 4 or ELISION in line:
        return None
    spans = list(_spans(line))
    if len(spans) < 4:
        return None
    chosen = _choose(line, spans, limit_chars)
    runs: list[list[int]] = []
    for at in sorted(chosen):
        start, stop = spans[at]
        if runs and runs[-1][1] == start:
            runs[-1][1] = stop
        else:
            runs.append([start, stop])
    if len(runs) < 2:
        return None
    return ELISION.join(line[start:stop] for start, stop in runs)


def _spans(line: str) -> Iterator[tuple[int, int]]:
    start, size = 0, len(line)
    while start < size:
        found = _BREAK.search(
            line, start + PIECE_CHARS * 3 // 4, start + PIECE_CHARS * 2
        )
        stop = found.end() if found else min(size, start + PIECE_CHARS)
        yield start, stop
        start = stop


def _choose(line: str, spans: list[tuple[int, int]], limit_chars: int) -> set[int]:
    chosen = {0, len(spans) - 1}
    left = limit_chars - sum(spans[at][1] - spans[at][0] for at in chosen)
    seen: dict[str, int] = {}
    ranked = []
    texts = [line[start:stop].replace("\n", " ") for start, stop in spans]
    for at, form in enumerate(salience.masked(texts)):
        piece = texts[at]
        seen[form] = seen.get(form, 0) + 1
        weight = max(0.5, salience.weight_of(piece)) / seen[form] ** 0.8
        edge = min(at, len(spans) - 1 - at)
        ranked.append((-weight - (0.5 / (1 + edge)), at))
    for _, at in sorted(ranked):
        size = spans[at][1] - spans[at][0]
        if at not in chosen and size <= left:
            chosen.add(at)
            left -= size
    return chosen
