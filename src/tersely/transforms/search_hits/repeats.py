"""Hits with one text in many files: the text once, then where it stands.

    src/app.py:3:import os              =import os
    src/cli.py:9:import os              src/
    src/log.py:1:import os      ->      app.py:3
    tests/x.py:5:import re              cli.py:9
                                        log.py:1
                                        tests/x.py:5:import re

Hits keep their order, so only neighbours share a text. A hit alone with its
text is whole. Exact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ...model import Change, Legend, Proof, Text
from ...text import lines as text_lines
from ...text import paths

_HOW = "a text behind =, then its path:line"
_FOLDERS = " under their folder"
HOWS = (_HOW, _HOW + _FOLDERS)

_TEXT = "="
_PLACE = re.compile(r":(\d{1,9}):")
_PLACED = re.compile(r".*[^:]:\d{1,9}", re.DOTALL)

#: Share of the lines that must stand in runs of one text, and how long these
#: are on average (chosen by hand: a hit among others is read best whole).
_SHARE = 0.8
#: Lines after which a look decides whether to go on.
_SAMPLE = 400
_RUN = 4


def reduce(text: Text, files: Sequence[str | None]) -> Change | None:
    """Return `text` with shared texts said once.

    Args:
        files: of each line, None for one that is no hit.
    """
    if set(text.ends) - {"\n", ""}:
        return None
    hits = [_hit(*row) for row in zip(text.lines[:_SAMPLE], files, strict=False)]
    alike = sum(1 for a, b in pairwise(hits) if a and b and a[1] == b[1])
    if alike * 2 < len(hits):
        return None
    rest = zip(text.lines[_SAMPLE:], files[_SAMPLE:], strict=True)
    hits += [_hit(line, path) for line, path in rest]
    out: list[str] = []
    shared = runs = 0
    above: str | None = None
    for at, hit in enumerate(hits):
        line = text.lines[at]
        if hit is None:
            out.append(line)
            above = None
            continue
        place, said = hit
        after = hits[at + 1] if at + 1 < len(hits) else None
        if said != above and (after is None or after[1] != said):
            out.append(line)
            above = None
            continue
        if said != above:
            out.append(_TEXT + said)
            above = said
            runs += 1
        out.append(place)
        shared += 1
    if not runs or shared < _SHARE * len(hits) or shared < _RUN * runs:
        return None
    rows = Text(tuple(out), ("\n",) * (len(out) - 1) + text.ends[-1:])
    folded = paths.fold(rows)
    new = rows.join() if folded is None else folded
    found = sum(1 for hit in hits if hit)
    legend = Legend(f"{found} hits", HOWS[folded is not None])
    if inverse(new, legend) != text.join():
        return None
    return Change(Proof.EXACT, text=new, legend=legend)


def inverse(new: str, legend: Legend) -> str:
    """Give every place its text again."""
    text = text_lines.split(paths.unfold(new) if legend.how == HOWS[1] else new)
    out: list[str] = []
    said: str | None = None
    for line, end in zip(text.lines, text.ends, strict=True):
        if line.startswith(_TEXT):
            said = line[len(_TEXT) :]
        elif said is not None and _PLACED.fullmatch(line):
            out.append(f"{line}:{said}{end}")
        else:
            out.append(line + end)
            said = None
    return "".join(out)


def _hit(line: str, path: str | None) -> tuple[str, str] | None:
    """Place and text of a hit."""
    found = _PLACE.match(line, len(path)) if path else None
    return (line[: found.end() - 1], line[found.end() :]) if found else None
