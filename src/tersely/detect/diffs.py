"""Diffs, found by reading them: hunk headers say how many lines must follow.

A `--- FAIL` line, an assertion's `- old`/`+ new` or a signature's `-- ` is not a
diff, because no `@@` header accounts for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..model import ContentType
from .view import Evidence, View

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_COMBINED = re.compile(
    r"(@@@+) (?:-\d{1,9}(?:,\d{1,9})? )+\+\d{1,9}(?:,(\d{1,9}))? @@@"
)
_ED = re.compile(r"\d{1,9}(?:,\d{1,9})?[acd]\d{1,9}(?:,\d{1,9})?$")
_HEADERS = (
    "diff --git ", "diff --cc ", "diff --combined ", "diff -", "index ", "--- ",
    "+++ ", "*** ", "new file mode ", "deleted file mode ", "old mode ", "new mode ",
    "similarity index ", "dissimilarity index ", "rename from ", "rename to ",
    "copy from ", "copy to ", "Binary files ", "GIT binary patch", "Index: ",
    "=======", "Only in ", "# HG changeset", "# Parent", "# User", "# Date",
    "# Node", "Property changes on", "_______", "mode change ", "Added: ",
    "Files ", "Submodule ", "literal ", "delta ",
)  # fmt: skip
#: What a header or a hunk can begin with.
_FIRSTS = frozenset("@*0123456789" + "".join(header[0] for header in _HEADERS))
#: What stands between patches when commits are printed with them.
_COMMIT = re.compile(r"commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} Mon Sep 17")

#: What ends a hunk that has not all its lines.
_NEXT = ("diff --git ", "@@ -")
_STARTS = ("@@ -", "@@@ -", "***************", "diff --")

_NONE, _HEAD, _BODY = 0, 1, 2


def evidence(view: View) -> Iterator[Evidence]:
    """Claim DIFF when most lines belong to hunks and their headers."""
    runs = view.patches
    if not runs:
        return
    inside = sum(stop - start for start, stop in runs)
    share = min(1.0, inside / max(1, view.filled))
    if _COMMIT.match(view.first) and share >= 0.2:
        yield Evidence(ContentType.DIFF, "commit_patch", 0.97)
    elif share >= 0.55:
        yield Evidence(ContentType.DIFF, "hunk_headers", 0.9 + 0.09 * share)
    else:
        yield Evidence(ContentType.DIFF, "hunk_headers", 0.5 * share)


def blocks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Runs of lines, half-open, that are patches: hunks with their headers."""
    marks = _marks(lines)
    runs: list[tuple[int, int]] = []
    at, size = 0, len(lines)
    while at < size:
        if marks[at] == _NONE:
            at += 1
            continue
        start = at
        while at < size and (marks[at] or not lines[at].strip()):
            at += 1
        stop = at
        while not marks[stop - 1]:
            stop -= 1
        if _BODY in marks[start:stop] or lines[start].startswith("diff --"):
            runs.append((start, stop))
    return runs


def may_hold(view: View) -> bool:
    """Whether a hunk can begin anywhere: four searches instead of a look at lines."""
    text = view.text
    if text.startswith(_STARTS) or any("\n" + start in text for start in _STARTS):
        return True
    return any(_ED.match(line) for line in view.sample if line[:1].isdigit())


def _marks(lines: Sequence[str]) -> bytearray:
    marks = bytearray(len(lines))
    at, size = 0, len(lines)
    while at < size:
        if lines[at][:1] not in _FIRSTS:
            at += 1
            continue
        stop = _body(lines, at)
        if stop > at + 1:
            marks[at:stop] = bytes([_BODY]) * (stop - at)
            at = stop
            continue
        if lines[at].startswith(_HEADERS):
            marks[at] = _HEAD
            if lines[at].startswith("GIT binary patch"):
                stop = _binary_end(lines, at)
                marks[at:stop] = bytes([_BODY]) * (stop - at)
                at = stop - 1
        at += 1
    return marks


def _body(lines: Sequence[str], at: int) -> int:
    """Where the hunk that begins at line `at` stops; `at` when none begins."""
    line = lines[at]
    first = line[:1]
    if first == "@":
        if found := _HUNK.match(line):
            return _unified(lines, at + 1, found)
        if found := _COMBINED.match(line):
            return _combined(lines, at + 1, found)
    elif first == "*" and line.startswith("***************"):
        return _context(lines, at + 1)
    elif first.isdigit() and len(line) < 40 and _ED.match(line):
        return _ed(lines, at + 1)
    return at


def _unified(lines: Sequence[str], at: int, found: re.Match[str]) -> int:
    old = 1 if found.group(1) is None else int(found.group(1))
    new = 1 if found.group(2) is None else int(found.group(2))
    stop, whole = _counted(lines, at, old, new)
    if not whole:
        later, whole = _counted(lines, at, old, new, parted=True)
        if whole:
            return later
    return stop


def _counted(
    lines: Sequence[str], at: int, old: int, new: int, *, parted: bool = False
) -> tuple[int, bool]:
    """Where a hunk of so many lines stops, and whether it has them all.

    Args:
        parted: a line without a sign is the rest of the one above. A lone CR
            ends a line here, and not for the tool that wrote the patch.
    """
    size = len(lines)
    same = (" ",) if parted else (" ", "", "\t")
    while at < size and (old > 0 or new > 0):
        first = lines[at][:1]
        if first == "-":
            old -= 1
        elif first == "+":
            new -= 1
        elif first in same:
            # Mail and editors strip the blank that stands for an empty line.
            old -= 1
            new -= 1
        elif first != "\\" and (not parted or lines[at].startswith(_NEXT)):
            break
        if old < 0 or new < 0:
            break
        at += 1
    while parted and at < size and _is_rest(lines[at]):
        at += 1
    if at < size and lines[at].startswith("\\ "):
        at += 1
    return at, old == 0 == new


def _is_rest(line: str) -> bool:
    """Whether the rest of the last line of a hunk: no line of a patch."""
    return bool(line) and line[0] not in "\\@" and not line.startswith(_HEADERS)


def _combined(lines: Sequence[str], at: int, found: re.Match[str]) -> int:
    width = len(found.group(1)) - 1
    new = 1 if found.group(2) is None else int(found.group(2))
    size = len(lines)
    while at < size:
        signs = lines[at][:width]
        if signs.strip(" +-") or lines[at].startswith("@@@"):
            break
        if "-" not in signs:
            if new <= 0:
                break
            new -= 1
        at += 1
    return at


def _context(lines: Sequence[str], at: int) -> int:
    size = len(lines)
    if at >= size or not lines[at].startswith("*** "):
        return at - 1
    marks = ("*** ", "--- ", "  ", "! ", "+ ", "- ", "\\ ")
    while at < size and (lines[at].startswith(marks) or not lines[at]):
        at += 1
    return at


def _ed(lines: Sequence[str], at: int) -> int:
    start, size = at, len(lines)
    while at < size and (
        lines[at][:2] in ("< ", "> ", "<", ">", "\\ ") or lines[at] == "---"
    ):
        at += 1
    return at if at > start else start - 1


def _binary_end(lines: Sequence[str], at: int) -> int:
    size = len(lines)
    at += 1
    while (
        at < size
        and " " not in lines[at].strip()
        or at < size
        and lines[at].startswith(("literal ", "delta "))
    ):
        at += 1
    return at
