r"""Read runs that are told as JSON events, one a line.

``go test -json`` (`go doc test2json`) tells each test's output line by line and
then what became of it; ``cargo --message-format json`` holds a diagnostic as it
would be printed (`rendered`) beside the same facts as data.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from ...model import ELISION, Edit
from .marks import Marks

_ACTION = '"Action":"'
_GO = re.compile(
    r'\{(?:"(?:Time|ImportPath)":"[^"]{0,500}",)*"Action":"([\w-]{1,20})"'
    r'(?:,"Package":"([^"]{0,500})")?(?:,"Test":"((?:[^"\\]|\\.){0,500})")?'
)
_OUTPUT = '"Output":"'
_PASSING = ("=== ", "--- PASS")

#: Cargo says what it built; a diagnostic carries its own text.
_BUILT = ('{"reason":"compiler-artifact"', '{"reason":"build-script-executed"')
_MESSAGE = '{"reason":"compiler-message"'
_RENDERED = re.compile(r'"rendered":"(?:[^"\\]|\\.)*+"')
#: Line, action, package, test.
_Event = tuple[int, str, str | None, str | None]

#: Shorter messages stay as they are.
_LONG_CHARS = 600


def read(lines: Sequence[str]) -> Marks:
    """Mark what failing tests said; runs and passes are noise."""
    marks = Marks()
    rows: list[_Event] = []
    for at, line in enumerate(lines):
        if line.startswith(_BUILT):
            marks.noise.append(range(at, at + 1))
        elif line.startswith('{"reason":"build-finished"'):
            marks.format = "cargo_json"
            marks.summary.append(at)
        elif line.startswith('{"') and _ACTION in line[:700]:
            found = _GO.match(line)
            if found:
                rows.append((at, found[1], found[2], found[3]))
    if rows:
        marks.format = "go_test_json"
        _go(lines, rows, marks)
    return marks


def edits(lines: Sequence[str], pinned: Container[int]) -> tuple[Edit, ...]:
    """Cargo's messages shortened to their head and the whole rendered text."""
    out = []
    for at, line in enumerate(lines):
        if not line.startswith(_MESSAGE) or len(line) <= _LONG_CHARS or at in pinned:
            continue
        found = _RENDERED.search(line)
        head = line.find(',"manifest_path"')
        if found and 0 < head < found.start() and ELISION not in line:
            short = line[:head] + ELISION + found.group()
            if found.end() < len(line):
                short += ELISION + line[-1]
            out.append(Edit(at, short, "data beside the rendered text"))
    return tuple(out)


def _go(
    lines: Sequence[str],
    rows: Sequence[_Event],
    marks: Marks,
) -> None:
    failed = {(package, test) for _, what, package, test in rows if what == "fail"}
    for at, what, package, test in rows:
        line, here = lines[at], range(at, at + 1)
        if what in ("build-output", "build-fail"):
            marks.failures.append(here)
        elif what == "fail":
            marks.failures.append(here)
            if not test:
                marks.summary.append(at)
        elif what != "output":
            if test or what != "pass":
                marks.noise.append(here)
        else:
            said = line[line.find(_OUTPUT) + len(_OUTPUT) :].lstrip()
            if said.startswith(_PASSING):
                marks.noise.append(here)
            elif said.startswith("--- SKIP"):
                marks.notable.append(at)
            elif test and (package, test) in failed:
                marks.failures.append(here)
