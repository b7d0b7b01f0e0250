"""Read a CI job's log: groups, steps, the failing step, runner talk.

GitHub's runner writes ``##[group]TITLE`` ... ``##[endgroup]`` around a step's
command and environment and ``##[error]`` where a step failed; ``gh run view
--log`` puts job and step before each line (the canonical step leaves them on
the first line of each step). Line stamps are gone by now.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .marks import Marks

_POST = ("Post job cleanup", "##[group]Post ", "Post-job", "Cleaning up orphan")
_ENV = re.compile(r"^(?:env:|shell: |with:)$|^  [A-Za-z_][\w-]*: |^shell: ")

#: How much of its weight a line keeps.
AFTER = 0.15
OTHER_STEP = 0.45
SETTINGS = 0.3

#: So many ``##[error]`` lines go first, the last ones, each with the lines above
#: it, which say what it is about.
ERRORS = 6
LED_LINES = 2

#: What stands right above the ``##[error]`` that failed the job led to it.
NEARNESS = ((40, 1.6), (12, 2.0))

#: Lines above an ``##[error]`` of an earlier step that do not fade.
NEAR_LINES = 6
NEAR = 1.3


def read(lines: Sequence[str]) -> Marks:
    """Mark steps; weights fade away from the failing one."""
    marks = Marks()
    groups = [at for at, line in enumerate(lines) if "##[group]" in line[:80]]
    errors = [at for at, line in enumerate(lines) if line.startswith("##[error]")]
    if not groups and not errors:
        return marks
    marks.format = "ci_job"
    _settings(lines, groups, marks)
    last_run = max((at for at in groups if "##[group]Run " in lines[at]), default=0)
    post = next(
        (at for at in range(last_run, len(lines)) if lines[at].startswith(_POST)),
        len(lines),
    )
    if post < len(lines):
        marks.factors.append((range(post, len(lines)), AFTER))
    before = [at for at in errors if at < post] or errors
    if not before:
        return marks
    for at in reversed(before[-ERRORS:]):
        marks.summary += range(at, max(-1, at - LED_LINES - 1), -1)
    for lines_above, factor in NEARNESS:
        span = range(max(0, before[-1] - lines_above), before[-1])
        marks.factors.append((span, factor))
    start = max([at for at in groups if at < before[-1]], default=0)
    marks.summary.append(start)
    marks.summary += [
        at
        for at, line in enumerate(lines[:200])
        if line.startswith("Complete job name")
    ]
    for at in before[:-1]:
        marks.factors.append((range(max(0, at - NEAR_LINES), at), NEAR))
    near = sorted({row for at in before for row in range(at - NEAR_LINES, at + 1)})
    at = 0
    for row in near:
        if at < row < start:
            marks.factors.append((range(at, row), OTHER_STEP))
        at = max(at, row + 1)
    if at < start:
        marks.factors.append((range(at, start), OTHER_STEP))
    return marks


def _settings(lines: Sequence[str], groups: Sequence[int], marks: Marks) -> None:
    """Inside a group: the command stays, ``env:``, ``with:`` and ``shell:`` fade."""
    for at in groups:
        for row in range(at + 1, min(at + 80, len(lines))):
            if lines[row].startswith("##[endgroup]"):
                marks.noise.append(range(row, row + 1))
                break
            if _ENV.match(lines[row]):
                marks.factors.append((range(row, row + 1), SETTINGS))
