"""Take off what a runner or a log writes before every line.

A pytest run in a CI job, a container log or under `ts` is still a pytest run.
The prefix is taken off for looking only; the lines themselves stay as they are.
"""

from __future__ import annotations

import re

from .view import sample

_DATE = (
    r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?Z| ?[+-]\d\d:?\d\d)?"
)
_TIME = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"

#: Name and pattern; the first that most lines carry is taken off. ``ci``: only
#: CI runners write it. ``container``: container or process names. ``stamp``: a
#: time, which logs and runners write. ``numbered``: line numbers of a printed file.
_ROWS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ci", re.compile(rf"[^\t\n]{{1,200}}\t[^\t\n]{{1,200}}\t\ufeff?{_DATE} ?")),
    ("ci", re.compile(r"\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?")),
    ("ci", re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z \d\d[OE][+ ]?")),
    ("container", re.compile(rf"(?:{_TIME} )?([A-Za-z][\w.-]{{0,60}}) *\| ")),
    ("container", re.compile(r"\[pod/([^\s\]]{1,200})(?: [^\s\]]{1,100})?\] ")),
    ("container", re.compile(r"([\w@/.-]{1,60}:(?:build|test|lint|dev|check)): ")),
    ("stamp", re.compile(rf"\[?{_DATE}\]? ?")),
    ("stamp", re.compile(rf"\[?{_TIME}\]?[ \t]+")),
    ("stamp", re.compile(rf"[A-Z][a-z]{{2}} [ \d]?\d {_TIME} ")),
    ("numbered", re.compile(r" {0,8}(\d{1,7})(?:\t|→)")),
)

_SHARE = 0.8


def strip(lines: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the name of the prefix (or empty) and the lines without it."""
    probe = sample(lines)
    if len(probe) < 3:
        return "", lines
    for name, pattern in _ROWS:
        # Three lines decide for most texts that the pattern is not theirs.
        few = (probe[0], probe[len(probe) // 2], probe[-1])
        if sum(1 for line in few if pattern.match(line)) < 2:
            continue
        found = [pattern.match(line) for line in probe]
        hits = [match for match in found if match]
        if len(hits) < _SHARE * len(probe) or not _holds(name, hits):
            continue
        return name, tuple([_without(pattern, line) for line in lines])
    return "", lines


def _without(pattern: re.Pattern[str], line: str) -> str:
    found = pattern.match(line)
    return line[found.end() :] if found else line


def _holds(name: str, hits: list[re.Match[str]]) -> bool:
    """A second look at prefixes whose shape tables share."""
    if name == "container":
        names = {match.group(1) for match in hits}
        ends = {match.end() for match in hits}
        aligned = len(ends) == 1 or "|" not in hits[0].group()
        return aligned and len(names) <= max(2, len(hits) // 4)
    if name == "numbered":
        numbers = [int(match.group(1)) for match in hits]
        return all(a < b for a, b in zip(numbers, numbers[1:], strict=False))
    return True
