"""Read pytest's terminal report, wherever it stands in the text.

Sections are set off by lines of ``=`` with a title, failures by lines of
``_`` with the test's name. Source: pytest's own terminal writer, versions 6
to 9; xdist and verbose progress lines included.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .marks import Marks

_SECTION = re.compile(r"^(?:E\s+)?={3,} (.{1,200}?) ={3,}\s*$")
_BLOCK = re.compile(r"^_{3,} (.{1,300}?) _{3,}\s*$")
#: Titles that only pytest writes: with ``-q`` a run has neither its first line
#: nor signs around its last.
_OPENS = re.compile(r"test session starts|short test summary info|(?:FAILURES|ERRORS)$")
_FINAL = re.compile(r"\d+ \w+.* in [\d.]+ ?s|no tests ran")
_BRIEF_FINAL = re.compile(
    r"^\d+ (?:passed|failed|error|skipped|deselected|xfailed)\b.* in [\d.]+s"
)
_PROGRESS = re.compile(
    r"^(?:\S{1,300}\s)?[.sxXPRw]{1,400}\s*(?:\[\s*\d+%\])?$"
    r"|^(?:\[gw\d+\] )?(?:\[\s*\d+%\] )?(?:PASSED|SKIPPED|XFAIL|XPASS)\b"
    r"|^\S{1,600}(?: <- \S+)? (?:PASSED|SKIPPED|XFAIL|XPASS)\b.{0,200}$"
    r"|^\S{1,600}::\S.{0,300} (?:PASSED|SKIPPED|XFAIL|XPASS)\b.{0,200}$"
    r"|^\S{1,600}::\S.{0,300} SUB(?:PASSED|SKIPPED|XFAIL)\b.{0,200}$"
    r"|^\S{1,600}::\S{1,300}\s*$"
)


def read(lines: Sequence[str]) -> Marks:
    """Mark the sections of every pytest report in `lines`."""
    marks = Marks()
    heads = [
        (at, found.group(1))
        for at, line in enumerate(lines)
        if line.startswith("===") and (found := _SECTION.match(line))
    ]
    if not any(_OPENS.match(title) or _FINAL.search(title) for _, title in heads):
        return marks
    marks.format = "pytest"
    for (at, title), (stop, _) in pairwise([*heads, (len(lines), "")]):
        _section(lines, at, _final(lines, at + 1, stop), title, marks)
    return marks


def _final(lines: Sequence[str], start: int, stop: int) -> int:
    """Where a section ends that a bare last line (``-q``) closes: behind it."""
    for row in range(start, stop):
        if lines[row][:1].isdigit() and _BRIEF_FINAL.match(lines[row]):
            return row + 1
    return stop


def _section(
    lines: Sequence[str], at: int, stop: int, title: str, marks: Marks
) -> None:
    if "test session starts" in title:
        _progress(lines, at + 1, stop, marks)
    elif title in ("FAILURES", "ERRORS") or title.startswith("rerun test summary"):
        marks.failures += _blocks(lines, at + 1, stop)
    elif title == "PASSES":
        marks.factors.append((range(at, stop), 0.3))
    elif title.startswith("warnings summary"):
        marks.factors.append((range(at, stop), 0.6))
    elif title.startswith("slowest"):
        marks.factors.append((range(at, stop), 0.4))
    elif title.startswith("short test summary"):
        marks.summary.append(at)
        for row in range(at + 1, stop):
            if lines[row].startswith(("FAILED", "ERROR", "SUBFAILED")):
                marks.summary.append(row)
            elif lines[row].startswith(("XFAIL", "SKIPPED", "XPASS")):
                marks.notable.append(row)
            elif _BRIEF_FINAL.match(lines[row]):
                marks.summary.append(row)
    elif _FINAL.search(title):
        marks.summary.append(at)


def _progress(lines: Sequence[str], start: int, stop: int, marks: Marks) -> None:
    """Lines of dots and passing tests go; the header and every F or E stay."""
    for row in range(start, stop):
        if _PROGRESS.match(lines[row]):
            marks.noise.append(range(row, row + 1))
        elif _BRIEF_FINAL.match(lines[row]):
            marks.summary.append(row)


def _blocks(lines: Sequence[str], start: int, stop: int) -> list[range]:
    """One range a failure, from its title line to the next one's."""
    titles = [
        row
        for row in range(start, stop)
        if lines[row].startswith("___") and _BLOCK.match(lines[row])
    ]
    return [range(row, end) for row, end in pairwise([*titles, stop])]
