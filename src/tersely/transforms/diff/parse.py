"""Read a unified diff into the sections of its files.

Driven by the counts of the hunk headers, so content that looks like a header
(``--- x``, ``diff --git``, ``@@``) stays content. Lines between sections
(commits, mail, prose, ``Only in``) belong to none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_GIT = ("diff --git ", "diff --cc ", "diff --combined ")
_HEADER = (
    "index ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "mode ",
    "similarity index ",
    "dissimilarity index ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "===================",
)


@dataclass(frozen=True, slots=True)
class Section:
    """The part of one file: header and hunks. Lines, 0-based, half-open.

    Attributes:
        path: as the new side names it, of a deleted file the old side.
        names: line of ``---``; the one of ``+++`` is the next. None where
            there is no text patch (binary, pure rename, mode only).
        hunks: each with its ``@@`` line.
        header: lines before `names` that are no names (``index`` and so on).
        binary: holds a binary patch or says that binary files differ.
        whole: every hunk has the lines its header counts. False for combined
            diffs, which nothing applies.
    """

    start: int
    stop: int
    path: str
    names: int | None
    hunks: tuple[tuple[int, int], ...]
    header: tuple[int, ...]
    binary: bool
    whole: bool


def sections(lines: Sequence[str]) -> tuple[Section, ...]:
    """Return the sections in order; they do not overlap."""
    found = []
    at, size = 0, len(lines)
    while at < size:
        if lines[at][:1] in ("d", "I", "-") and _opens(lines, at):
            section = _section(lines, at)
            found.append(section)
            at = section.stop
        else:
            at += 1
    return tuple(found)


def _opens(lines: Sequence[str], at: int) -> bool:
    line = lines[at]
    if line.startswith(_GIT):
        return True
    after = lines[at + 1] if at + 1 < len(lines) else ""
    if line.startswith("Index: "):
        return after.startswith("=====")
    if line.startswith("diff -"):
        return _names(lines, at + 1)
    return _names(lines, at)


def _names(lines: Sequence[str], at: int) -> bool:
    """Whether ``---``, ``+++`` and a hunk follow one another from `at`."""
    return (
        at + 2 < len(lines)
        and lines[at].startswith("--- ")
        and lines[at + 1].startswith("+++ ")
        and lines[at + 2].startswith("@@")
    )


def _section(lines: Sequence[str], start: int) -> Section:
    at, size = start, len(lines)
    header: list[int] = []
    names, binary = None, False
    if not lines[at].startswith("--- "):
        at += 1
    while at < size:
        line = lines[at]
        if line.startswith(_HEADER):
            header.append(at)
        elif line.startswith("--- ") and names is None and _names(lines, at):
            names, at = at, at + 1
        elif line.startswith(("Binary files ", "Files ")) and line.endswith("differ"):
            binary = True
        elif line == "GIT binary patch":
            binary, at = True, _binary_end(lines, at + 1) - 1
        else:
            break
        at += 1
    hunks, whole = [], True
    while at < size and whole and lines[at].startswith("@@"):
        stop, whole = _hunk(lines, at)
        hunks.append((at, stop))
        at = stop
    path = _path(lines, start, names)
    return Section(start, at, path, names, tuple(hunks), tuple(header), binary, whole)


def _binary_end(lines: Sequence[str], at: int) -> int:
    size = len(lines)
    while at < size and (
        " " not in lines[at] or lines[at].startswith(("literal ", "delta "))
    ):
        at += 1
    return at


def _hunk(lines: Sequence[str], at: int) -> tuple[int, bool]:
    """Where the hunk at `at` stops, and whether its counts are met."""
    found = _HUNK.match(lines[at])
    if not found:
        return _combined_end(lines, at + 1), False
    old = int(found.group(1) or 1)
    new = int(found.group(2) or 1)
    at, size = at + 1, len(lines)
    while at < size and (old > 0 or new > 0):
        sign = lines[at][:1]
        if sign == "+":
            new -= 1
        elif sign == "-":
            old -= 1
        elif sign in (" ", ""):  # mail strips the blank of an empty line
            old -= 1
            new -= 1
        elif sign != "\\":
            break
        at += 1
    if at < size and lines[at].startswith("\\ "):
        at += 1
    return at, old == 0 == new


def _combined_end(lines: Sequence[str], at: int) -> int:
    size = len(lines)
    while at < size and lines[at][:1] in (" ", "+", "-", "@", "\\"):
        at += 1
    return at


def _path(lines: Sequence[str], start: int, names: int | None) -> str:
    if names is None:
        line = lines[start]
        return _bare(line.rpartition(" b/")[2] if " b/" in line else line)
    new = lines[names + 1][4:]
    return _bare(lines[names][4:] if new.startswith("/dev/null") else new)


def _bare(name: str) -> str:
    """A path without quotes, date and the ``a/`` or ``b/`` that git puts first."""
    name = name.partition("\t")[0].strip().strip('"')
    return name[2:] if name[1:2] == "/" and name[:1] in "abciow" else name
