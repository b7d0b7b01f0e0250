"""Listings above the budget: every folder stays, with as many entries as fit.

Whole lines go, so the text may be of any layout. The folder of an entry is the
branch of a drawn tree that it hangs on, the path before its last slash, or the
``folder:`` line of ``ls -R`` above it. A list without folders is not cut: there
is nothing to tell what matters in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...model import Change, Cut, Proof

_BRANCH = re.compile(r"[│|+`\\├└─┬ \u00a0-]*[├└+`\\|][─-]*┬?[─-]* ?")


def reduce(lines: Sequence[str], budget_chars: int) -> Change | None:
    """Cut entries, from the fullest folders first."""
    ranks = _ranks_in_tree(lines) or _ranks_in_folders(lines)
    if ranks is None:
        return None
    sizes: dict[int, int] = {}
    for line, rank in zip(lines, ranks, strict=True):
        sizes[rank] = sizes.get(rank, 0) + len(line) + 1
    most, total = 0, 0
    for rank in sorted(sizes):
        total += sizes[rank]
        if total > budget_chars and rank > 1:
            break
        most = rank
    cuts = _runs([rank > most for rank in ranks])
    return Change(Proof.CUT, cuts=cuts) if cuts else None


def _ranks_in_tree(lines: Sequence[str]) -> list[int] | None:
    """The how manieth entry of its branch each is; 0 has entries below it."""
    widths = [_width(line) for line in lines]
    if sum(1 for width in widths if width) * 2 < len(lines):
        return None
    ranks: list[int] = []
    counts: dict[int, int] = {}  # width -> entries so far on the open branch
    for at, width in enumerate(widths):
        for deeper in [other for other in counts if other > width]:
            del counts[deeper]
        opens = at + 1 < len(widths) and widths[at + 1] > width
        if not width or opens:
            ranks.append(0)
        else:
            counts[width] = counts.get(width, 0) + 1
            ranks.append(counts[width])
    return ranks


def _width(line: str) -> int:
    found = _BRANCH.match(line, 0, 400)
    return found.end() if found else 0


def _ranks_in_folders(lines: Sequence[str]) -> list[int] | None:
    """The how manieth entry of its folder each is; 0 is no entry."""
    ranks: list[int] = []
    counts: dict[str, int] = {}
    under = ""
    for line in lines:
        if line.endswith(":") and " " not in line:
            under = line
        folder = _folder(line) or under
        if not line or line == under or line.startswith("total ") or not folder:
            ranks.append(0)
            continue
        counts[folder] = counts.get(folder, 0) + 1
        # `ls -l` shows what is a folder.
        ranks.append(0 if line.startswith("d") and under else counts[folder])
    return ranks if len(counts) > 1 else None


def _folder(line: str) -> str:
    """The path before the last slash of the last word with a slash inside."""
    slash = line.rfind("/", 0, -1)
    if slash < 0:
        return ""
    word = max(line.rfind(" ", 0, slash), line.rfind("\t", 0, slash)) + 1
    # `1/1` pods are ready: a share is no path.
    return "" if line[word:slash].isdecimal() else line[word:slash]


def _runs(gone: Sequence[bool]) -> tuple[Cut, ...]:
    cuts: list[Cut] = []
    start: int | None = None
    for at, cut in enumerate((*gone, False)):
        if cut and start is None:
            start = at
        elif not cut and start is not None:
            cuts.append(Cut(start, at - start, "further entries of a folder"))
            start = None
    return tuple(cuts)
