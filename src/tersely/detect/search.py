"""Search hits: rows of `path:line:text`, their context, headings and counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model import ContentType
from .paths import is_path
from .view import Evidence, View

_MESSAGE = re.compile(
    r"Binary file .{1,500} matches$|(?:e?grep|fgrep|rg|ag|git|ugrep): .{1,300}"
    r"|\d{1,7} match(?:es)?\b|\d{1,7} files? (?:contained|searched)"
)
_NUMBERED = re.compile(r"(\d{1,7})([:=-])(?!\d{1,2}:\d\d\b)")
_COUNT = re.compile(r"(.{1,400}):(\d{1,7})$")

#: Below this share of explained lines a text is no search result.
_SHARE = 0.7


def evidence(view: View) -> Iterator[Evidence]:
    """Claim SEARCH_RESULTS for each way in which hits are printed."""
    if not view.sample:
        return
    for signal, share, scale in (
        ("grep_rows", _rows(view), 0.97),
        ("grep_headings", _headings(view), 0.95),
        ("grep_counts", _counts(view), 0.93),
        ("grep_numbers", _numbers(view), 0.8),
        ("grep_path_rows", _path_rows(view), 0.85),
    ):
        if share >= _SHARE:
            yield Evidence(ContentType.SEARCH_RESULTS, signal, scale * share)


def _rows(view: View) -> float:
    """Share of `path:12:text` rows, context and separators; diagnostics are none."""
    hits = diagnostics = other = spaced = 0
    for line, where in zip(view.sample, view.places, strict=True):
        if where is None:
            other += line == "--" or _MESSAGE.match(line) is not None
        elif where.diagnostic:
            diagnostics += 1
        else:
            hits += 1
            spaced += where.spaced and where.mark == ":"
    if not hits or diagnostics >= 0.5 * (hits + diagnostics):
        return 0.0
    if spaced >= 3 and spaced >= 0.9 * hits:
        return 0.0  # `docs/a.rst:12: WARNING` and the like: messages, not text
    return (hits + diagnostics + other) / len(view.sample)


def _headings(view: View) -> float:
    """Share of path lines followed by `12:text` rows, and of those rows."""
    headings = rows = 0
    path = False
    for line in view.sample:
        if found := _NUMBERED.match(line):
            rows += path or rows > 0
            path = False
            _ = found
        elif line == "--" or _MESSAGE.match(line):
            rows += 1
        elif is_path(line.rstrip()):
            headings += 1
            path = True
    if not headings or rows < 2 or rows < headings:
        return 0.0
    return (headings + rows) / len(view.sample)


def _counts(view: View) -> float:
    """Share of `path:3` rows, as `grep -c` prints them."""
    rows = 0
    for line in view.sample:
        found = _COUNT.match(line)
        rows += found is not None and is_path(found.group(1))
    return rows / len(view.sample) if rows >= 2 else 0.0


def _numbers(view: View) -> float:
    """Share of `12:text` rows with rising numbers: `grep -n` in one file."""
    last = rows = spaced = 0
    for line in view.sample:
        found = _NUMBERED.match(line)
        if found and int(found.group(1)) > last:
            rows += 1
            last = int(found.group(1))
            rest = line[found.end() :]
            spaced += rest[:1] == " " and rest[1:2] not in ("", " ")
        elif line == "--":
            rows += 1
    share = rows / len(view.sample)
    # Numbered lists and reports (`1: first`) put one blank behind the number.
    if rows < 2 or share < 0.95 or 2 * spaced > rows:
        return 0.0
    return share


def _path_rows(view: View) -> float:
    """Share of `path:text` rows, as `grep -r` without `-n` prints them."""
    rows = spaced = 0
    paths = set()
    for line, where in zip(view.sample, view.places, strict=True):
        path, colon, rest = line.partition(":")
        if where is not None or not colon or "/" not in path or not is_path(path):
            rows += _MESSAGE.match(line) is not None
            continue
        if "." not in path.rsplit("/", 1)[-1]:
            continue
        rows += 1
        paths.add(path)
        spaced += rest[:1] == " " and rest[1:2] not in ("", " ")
    if rows < 3 or 2 * spaced > rows or not any(paths):
        return 0.0
    share = rows / len(view.sample)
    return share if share >= 0.9 else 0.0
