"""Shorten listings: say shared folders, branches and columns once.

Input:  ls -l, find, tree, git ls-files, npm ls, cargo tree, unzip -l, tar tv,
        du, df, ps, systemctl, apt and dpkg lists, tables of docker and kubectl, git
        log, and lists of paths.
Output: the same entries in the same order in a cheaper layout; above the
        budget every folder with its first entries, as they were.
Keeps:  every entry, name, summary and notice (new layout); every folder (cut).
Drops:  nothing below the budget but the spaces that align columns.
Params: budget_tokens -- estimated tokens above which entries are cut.
Cost:   O(characters): each layout is tried once and read back once.
Source: own design; saved in o200k tokens (2026-11-30): tree 10-51 %, npm ls
        28 %, find 27 %, ls -l 26-55 %, unzip -l 73 %, ps 21-49 %, apt 12 %.
"""

from __future__ import annotations

from ...model import Change, Facts, Legend, Params, Proof, Text, Transform
from ...text import paths
from . import columns, commits, cut, tree

_FOLDERS = "folder, then names"

#: Characters a token stands for in a listing in its new layout (2.3-3.5 on the
#: scoreboard's corpus): decides only where cutting starts.
_CHARS_PER_TOKEN = 2.8

#: How far above the budget a new layout may be: a cut shows lines as they were,
#: so as many tokens show fewer of them (chosen by hand).
_LOSSLESS_IS_WORTH = 1.5


def apply(text: Text, params: Params, facts: Facts) -> Change | None:
    """Lay `text` out anew, or cut it where it is above the budget."""
    if len(text.lines) < 3:
        return None
    change = (
        commits.reduce(text)
        or tree.reduce(text)
        or columns.reduce(text)
        or _folders(text)
    )
    budget_chars = int(params["budget_tokens"] * _CHARS_PER_TOKEN)
    if change and change.text:
        fits = len(change.text) <= budget_chars * _LOSSLESS_IS_WORTH
    else:
        fits = sum(map(len, text.lines)) <= budget_chars
    return change if fits else cut.reduce(text.lines, budget_chars) or change


def inverse(new: str, legend: Legend | None) -> str:
    """Give the listing back, or its canonical form: columns without padding."""
    if legend is None:
        return new
    if legend.how == _FOLDERS:
        return paths.unfold(new)
    if legend.how in commits.HOWS:
        return commits.inverse(new, legend)
    if any(style.how == legend.how for style in tree.STYLES):
        return tree.inverse(new, legend)
    return columns.inverse(new, legend)


def _folders(text: Text) -> Change | None:
    lines = text.lines
    if sum(1 for line in lines if "/" in line) * 2 < len(lines):
        return None
    new = paths.fold(text)
    if new is None:
        return None
    legend = Legend(f"{len(lines)} entries", _FOLDERS)
    return Change(Proof.EXACT, text=new, legend=legend)


TRANSFORM = Transform(
    id="listing",
    version=2,
    apply=apply,
    defaults={"budget_tokens": 20_000},
    inverse=inverse,
    canon=columns.canon,
)
