"""Regroup search hits under their files.

    src/app.py:12:import os            src/app.py
    src/app.py-13-                     12:import os
    src/app.py:40:os.exit(1)     ->    13-
    lib/b.py:7:import os               40:os.exit(1)

                                       lib/b.py
                                       7:import os

The layout is the one of ``rg --heading``: file, rows, an empty line. Rows keep
their own separator (``:`` hit, ``-`` context, ``=`` function of ``git grep
-p``) and everything behind it, columns included. Lines that are no rows
(``--``, notices, warnings) stay in place.

Input:  grep, rg, ag and git grep output, with or without line numbers; lists
        of paths and of ``path:count``; events of ``rg --json``.
Output: the same hits in the same order, each path once; above the budget the
        first hits of every file, as they were.
Keeps:  every hit, context row, separator, notice and empty line (regrouped);
        at least one hit of every file (cut).
Drops:  nothing below the budget. Where it is not plain at which colon a path
        ends, the line stays whole.
Params: budget_tokens -- estimated tokens above which hits are cut;
        drop_imports -- hits that are imports go, counted (off unless asked).
Cost:   two passes, O(characters).
Source: own design; saved in o200k tokens (2026-11-30): grep -rn 27-49 %,
        rg -C 32-50 %, grep -r 36 %, one text in
        many files 64 %, counts and paths 11-58 %, rg --json 70 %.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ...model import (
    ELISION,
    Change,
    Cut,
    Edit,
    Facts,
    Legend,
    Params,
    Proof,
    Text,
    Transform,
)
from ...text import lines as text_lines
from ...text import paths
from . import events, repeats

#: A separator, a line number, the separator again: where a path may end.
_PLACE = re.compile(r"([:=-])(\d+)(?=\1)")
_ROW = re.compile(r"\d+[:=-]")
_TAIL = re.compile(r"([:=-])\d+\1")
_NEXT = re.compile(r":\d+:")

#: Longest path looked for (PATH_MAX is 4,096 on Linux; longer than this is
#: text that happens to hold ``:12:``; chosen by hand).
_LONGEST_PATH = 512

#: Characters a token stands for at least, in source code (the scoreboard's
#: corpus has 3.6 on average): decides only where cutting starts.
_CHARS_PER_TOKEN = 3.5

#: How far above the budget a new layout may be: a cut shows lines as they were,
#: so as many tokens show fewer of them (chosen by hand).
_LOSSLESS_IS_WORTH = 1.5

#: One text in many files is said once where that is shorter by this factor than
#: the hits by file (chosen by hand).
_CLEARLY = 0.8

#: Lines that only name what a file uses: Python, JavaScript, Java, Go, Rust, C,
#: C#, PHP, Ruby.
_IMPORT = re.compile(
    r"\s*(?:import\s+[\w.{*'\"(]|from\s+[\w.]+\s+import\b|export\s+.{0,200}\bfrom\s"
    r"|(?:const|let|var)\s+.{1,200}=\s*require\(|(?:pub(?:\(\w+\))?\s+)?use\s+[\w:\\]"
    r"|extern\s+crate\s|#\s*include\b|(?:global\s+)?using\s+(?:static\s+)?[\w.]+;"
    r"|require(?:_relative|_once)?\s+['\"])"
)

#: Above the budget a longer line (minified code) is shown by its ends.
_LONG_LINE = 1_200
_LONG_HEAD, _LONG_TAIL = 700, 200

_NUMBERED = "path, then line:text"
_PLAIN = "path:, then text"
_FOLDERS = "folder, then names"


def apply(text: Text, params: Params, facts: Facts) -> Change | None:
    """Regroup `text`, or cut it where it is above the budget."""
    lines = text.lines
    # A lone CR as line end and an added LF behind it would be read as one.
    if len(lines) < 2 or "\r" in text.ends:
        return None
    if lines[0].startswith("{") and (change := events.reduce(text)):
        return change
    if params.get("drop_imports") and not params.get("lossless"):
        if cut := _without_imports(lines, frozenset(params.get("pins", ()))):
            return cut
    change = _numbered(text) or _plain(text) or _folders(text)
    budget_chars = int(params["budget_tokens"] * _CHARS_PER_TOKEN)
    if change and change.text:
        fits = len(change.text) <= budget_chars * _LOSSLESS_IS_WORTH
    else:
        fits = sum(map(len, lines)) <= budget_chars
    return change if fits else _cut(lines, budget_chars) or change


def inverse(new: str, legend: Legend | None) -> str:
    """Give every row its path again."""
    how = legend.how if legend else ""
    if how == _FOLDERS:
        return paths.unfold(new)
    if how in repeats.HOWS and legend:
        return repeats.inverse(new, legend)
    if how == events.HOW:
        return events.inverse(new)
    text = text_lines.split(new)
    return _ungroup_plain(text) if how == _PLAIN else _ungroup(text)


# Hits with line numbers.


def _numbered(text: Text) -> Change | None:
    files = _files(text.lines)
    hits = len(files) - files.count(None)
    if hits < 2 or hits * 4 < len(files):
        return None
    out: list[str] = []
    group: str | None = None  # the file whose rows are being written
    free = False  # the line above is no row and under no file
    skip = 0  # characters of its path and the separator behind it
    for line, end, path in zip(text.lines, text.ends, files, strict=True):
        if path is not None:
            if path != group:
                out.append("\n" if group is not None else "")
                out.append(path + "\n")
                group, free, skip = path, False, len(path) + 1
            out.append(line[skip:] + end)
            continue
        row = _ROW.match(line) is not None
        if group is not None and (not line or row or _first_hit(line)):
            out.append("\n")
            group, free = None, False
        if group is None:
            if row and free:
                return None  # it would be read as a hit in the line above
            free = bool(line) and not row
        out.append(line + end)
    new = "".join(out)
    same = repeats.reduce(text, files)
    if same and len(same.text or "") < _CLEARLY * len(new):
        return same
    return Change(Proof.EXACT, text=new, legend=Legend(f"{hits} hits", _NUMBERED))


def _ungroup(text: Text) -> str:
    out: list[str] = []
    lines = text.lines
    is_row = _ROW.match
    path: str | None = None
    last = len(lines) - 1
    for at, (line, end) in enumerate(zip(lines, text.ends, strict=True)):
        if path is not None:
            if not line:
                path = None
            elif found := is_row(line):
                out.append(path + line[found.end() - 1] + line + end)
            else:
                out.append(line + end)
        elif line and at < last and is_row(lines[at + 1]) and not is_row(line):
            path = line
        else:
            out.append(line + end)
    return "".join(out)


def _files(lines: Sequence[str]) -> list[str | None]:
    """The file of each line, None for a line that is no row."""
    known = _known(lines)
    out: list[str | None] = []
    is_tail = _TAIL.match
    path, size = "", 0
    for line in lines:
        if size and line.startswith(path) and is_tail(line, size):
            out.append(path)
            continue
        found = _path(line, known)
        out.append(found)
        if found:
            path, size = found, len(found)
    return out


def _known(lines: Sequence[str]) -> set[str]:
    """Paths of the hits where it is plain at which colon they end."""
    known: set[str] = set()
    doubtful: dict[str, list[int]] = {}
    is_tail = _TAIL.match
    path, size = "", 0
    for line in lines:
        if size and line.startswith(path) and is_tail(line, size):
            continue
        if not (found := _first_hit(line)):
            continue
        if _goes_on(line, found.end()):
            doubtful.setdefault(line[: found.start()], []).append(int(found.group(2)))
        else:
            path, size = line[: found.start()], found.start()
            known.add(path)
    # Hits of one file have ascending numbers; a time stamp in a folder's name
    # gives the same number again and again.
    for path, numbers in doubtful.items():
        if len(numbers) > 1 and all(a < b for a, b in pairwise(numbers)):
            known.add(path)
    return known - _odd(known)


def _odd(known: set[str]) -> set[str]:
    """Paths with a colon inside: said on each line, they are told apart best.

    A drive is no such colon, nor is a revision (``HEAD:src/a.c``), which
    several files share.
    """
    odd: dict[str, set[str]] = {}
    for path in known:
        colon = path.find(":", 2)
        if colon >= 0:
            odd.setdefault(path[:colon], set()).add(path)
    return {path for group in odd.values() if len(group) == 1 for path in group}


def _first_hit(line: str) -> re.Match[str] | None:
    for found in _PLACE.finditer(line, 0, _LONGEST_PATH):
        if found.group(1) == ":" and _may_be_path(line, found.start()):
            return found
    return None


def _goes_on(line: str, end: int) -> bool:
    """Whether the text behind a place looks like the rest of a longer path."""
    later = _NEXT.search(line, end + 1, end + _LONGEST_PATH)
    if later is None:
        return False
    between = line[end + 1 : later.start()]
    return "/" in between and not any(map(str.isspace, between))


def _path(line: str, known: set[str]) -> str | None:
    """The known path that `line` begins with."""
    for found in _PLACE.finditer(line, 0, _LONGEST_PATH):
        path = line[: found.start()]
        if path in known:
            return path
    return None


def _may_be_path(line: str, end: int) -> bool:
    if end < 1 or line[0].isspace() or line[end - 1].isspace():
        return False
    return _ROW.match(line, 0, end) is None and "\0" not in line[:end]


# Hits without line numbers.


def _plain(text: Text) -> Change | None:
    files = [_plain_file(line) for line in text.lines]
    hits = sum(1 for path in files if path)
    if hits * 2 < len(files):
        return None
    hits = 0
    out: list[str] = []
    group = ""
    for at, (line, end, path) in enumerate(
        zip(text.lines, text.ends, files, strict=True)
    ):
        if path and path == group:
            out.append(line[len(path) + 1 :] + end)
            hits += 1
            continue
        if group:
            out.append("\n")
            group = ""
        if path and path in files[at + 1 : at + 2]:
            out.append(path + ":\n" + line[len(path) + 1 :] + end)
            group = path
            hits += 1
        elif line.endswith(":"):
            return None  # it would be read as a file
        else:
            out.append(line + end)
    if not hits:
        return None
    legend = Legend(f"{hits} hits", _PLAIN)
    return Change(Proof.EXACT, text="".join(out), legend=legend)


def _ungroup_plain(text: Text) -> str:
    out: list[str] = []
    path = ""
    for line, end in zip(text.lines, text.ends, strict=True):
        if path and not line:
            path = ""
        elif path:
            out.append(path + line + end)
        elif line.endswith(":"):
            path = line
        else:
            out.append(line + end)
    return "".join(out)


def _plain_file(line: str) -> str:
    """What stands before the first colon, where it looks like a file's name."""
    colon = line.find(":", 2, _LONGEST_PATH)  # the one of `C:\` is at 1
    if colon < 0 or colon == len(line) - 1:
        return ""
    path = line[:colon]
    if any(map(str.isspace, path)) or not ("/" in path or "." in path):
        return ""
    return path


# Paths, and paths with a count.


def _folders(text: Text) -> Change | None:
    lines = text.lines
    listed = sum(1 for line in lines if "/" in line and " " not in line)
    if listed * 2 < len(lines):
        return None
    new = paths.fold(text)
    if new is None:
        return None
    legend = Legend(f"{len(lines)} entries", _FOLDERS)
    return Change(Proof.EXACT, text=new, legend=legend)


# Imports, where they are asked to go.


def _without_imports(lines: Sequence[str], pins: frozenset[int]) -> Change | None:
    """Cut hits that are imports; None where there are none, or no others."""
    gone, left = [], 0
    for at, (line, path) in enumerate(zip(lines, _files(lines), strict=True)):
        tail = _TAIL.match(line, len(path)) if path else None
        if tail is None or tail.group(1) != ":":
            gone.append(False)
            continue
        is_import = at not in pins and _IMPORT.match(line, tail.end()) is not None
        gone.append(is_import)
        left += not is_import
    cuts = _runs(gone, "import lines")
    return Change(Proof.CUT, cuts=cuts) if cuts and left else None


# Above the budget.


def _cut(lines: Sequence[str], budget_chars: int) -> Change | None:
    """Keep the first hits of every file, as many as fit."""
    ranks = _ranks(lines)
    sizes: dict[int, int] = {}
    for line, rank in zip(lines, ranks, strict=True):
        sizes[rank] = sizes.get(rank, 0) + min(len(line), _LONG_LINE) + 1
    most, total = 0, 0
    for rank in sorted(sizes):
        total += sizes[rank]
        if total > budget_chars and rank > 1:
            break
        most = rank
    cuts = _runs([rank > most for rank in ranks], "further hits of a file")
    edits = tuple(
        Edit(at, line[:_LONG_HEAD] + ELISION + line[-_LONG_TAIL:], "long line")
        for at, line in enumerate(lines)
        if len(line) > _LONG_LINE and ranks[at] <= most and ELISION not in line
    )
    if not cuts and not edits:
        return None
    proof = Proof.EDIT if edits else Proof.CUT
    return Change(proof, cuts=cuts, edits=edits, unit="lines")


def _ranks(lines: Sequence[str]) -> list[int]:
    """The how manieth of its file, or folder, each hit is; 0 for a notice.

    With context the unit is the hunk: a hit and its context stay together.
    """
    keys: list[str | None] = _files(lines)
    if keys.count(None) * 4 > len(keys) * 3:
        keys = [_plain_file(line) or None for line in lines]
    if keys.count(None) * 4 > len(keys) * 3:
        keys = [line[: line.rfind("/") + 1] for line in lines]
    hunks = "--" in lines
    ranks: list[int] = []
    seen: dict[str, int] = {}
    at = 0
    while at < len(lines):
        stop = at + 1
        while hunks and stop < len(lines) and lines[stop] != "--":
            stop += 1
        key = next((key for key in keys[at:stop] if key is not None), None)
        if key is not None:
            seen[key] = seen.get(key, 0) + 1
        for line_key in keys[at:stop]:
            notice = line_key is None and lines[len(ranks)] != "--"
            ranks.append(0 if notice or key is None else seen[key])
        at = stop
    return ranks


def _runs(gone: Sequence[bool], why: str) -> tuple[Cut, ...]:
    cuts: list[Cut] = []
    start: int | None = None
    for at, cut in enumerate((*gone, False)):
        if cut and start is None:
            start = at
        elif not cut and start is not None:
            cuts.append(Cut(start, at - start, why))
            start = None
    return tuple(cuts)


TRANSFORM = Transform(
    id="search_hits",
    version=2,
    apply=apply,
    defaults={"budget_tokens": 20_000, "drop_imports": False},
    inverse=inverse,
)
