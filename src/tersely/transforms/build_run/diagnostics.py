"""Read compiler diagnostics: an error, its notes, and the place in one's own code.

``path:line:col: error: text`` with ``note:`` lines below (gcc, clang, and
tools that print like them). An error inside a library's header says little
without the first note that points at a file of the project.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text import salience
from .marks import Marks

_DIAGNOSTIC = re.compile(
    r"(?P<path>(?:[A-Za-z]:)?[^:\s][^:]{0,300}):\d+(?::\d+)?: "
    r"(?P<kind>(?:fatal )?error|warning|note): "
)
#: A diagnostic's own lines: itself and its code frame.
FRAME_LINES = 6
#: Below the code of a frame: carets, labels, a fix. clang and javac print the
#: code without a margin.
_CARET = re.compile(r"\s*(?:\|\s*)?[\^~]")


def read(lines: Sequence[str]) -> Marks:
    """Mark errors with their code, and the first own note of one in a library."""
    marks = Marks()
    seeking = False
    for at, line in enumerate(lines):
        if ": note: " not in line and "error: " not in line and "warning: " not in line:
            continue
        found = _DIAGNOSTIC.match(line)
        if not found:
            continue
        library = salience.is_library(found["path"])
        if found["kind"].endswith("error"):
            marks.format = "diagnostics"
            seeking = library
            marks.frames.append(range(at, _frame_end(lines, at)))
        elif found["kind"] == "warning":
            seeking = False
            leaning = range(at + 2, _frame_end(lines, at))
            if leaning:
                marks.format = "diagnostics"
                marks.leaning += leaning
        elif seeking and not library:
            seeking = False
            marks.failures.append(range(at, _frame_end(lines, at)))
    return marks


def _frame_end(lines: Sequence[str], at: int) -> int:
    stop = at + 1
    if stop + 1 < len(lines) and _CARET.match(lines[stop + 1]):
        stop += 2
    while stop < len(lines) and stop - at < FRAME_LINES:
        if not lines[stop].startswith((" ", "\t")):
            break
        stop += 1
    return stop
