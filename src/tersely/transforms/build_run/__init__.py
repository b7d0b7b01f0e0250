"""Shorten what builds, linters, package managers, test runs and CI jobs print.

Input:  a report in canonical form (no ANSI, no redraws, no runner prefixes).
Output: its lines in order, without those that only report progress or a pass.
Keeps:  every failure a reader has read whole (up to `must_keep_tokens`), lines
        in a tool's own error form, summaries, head and tail; then the heaviest
        lines up to `budget_tokens`.
Drops:  passing tests, downloads, progress; repeats of one form; beyond the
        budget the lightest lines. Over-long lines keep their pieces that matter.
Params: budget_tokens, must_keep_tokens -- tokens; floor -- least score that is
        shown; long_line_chars -- longer lines are edited; pins -- lines that
        policy pinned.
Cost:   a few passes, O(lines); patterns run once per masked form.
Source: own design after the prototype's figures (FINDINGS).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...detect import prefixes
from ...model import Change, Facts, Params, Proof, Text, Tier, Transform
from ...text import log_records, pieces, salience, select, shape, tokens, traces
from . import blocks, ci_job, diagnostics, events, findings, pytest_report, tap_stream
from .marks import Marks

#: So many summary lines go first, from the end and of different forms.
SUMMARIES = 12

#: A line's first occurrences count as new when a failure is judged a repeat.
FREE_REPEATS = 2

#: So many lines of values stay of a failure whose form was seen before.
VALUES = 4
_VALUE = re.compile(
    r"\s{0,12}(?:E  +(?:assert|Assertion)|(?:Expected|Received|Actual|expected|actual"
    r"|got|want|left|right)\b[^:=]{0,20}[:=])"
    r"|\S{1,200}:\d{1,7}: \w{1,80}$"
)

#: Levels of log records, looked for before a line is read as one.
_GRAVE = ("ERROR", "FATAL", "CRITICAL", "SEVERE")

#: The code below an error weighs nearly as much as the error.
FRAME = 0.9

READERS = (
    ci_job.read,
    pytest_report.read,
    tap_stream.read,
    blocks.read,
    diagnostics.read,
    events.read,
)


def apply(text: Text, params: Params, facts: Facts) -> Change | None:
    """Cut what a reader of the report does not need."""
    lines = text.lines
    pins = set(params["pins"])
    edits = events.edits(lines, pins)
    spare = pins.union(edit.at for edit in edits)
    edits += pieces.edits(lines, params["long_line_chars"], spare)
    shown = list(lines)
    for edit in edits:
        shown[edit.at] = edit.line
    # A report under `ts`, in a container's log or behind turbo is still one: the
    # prefix decides nothing, and no line goes for what it costs.
    _, judged = prefixes.strip(tuple(shown))
    costs = tokens.cost(judged)
    weights = salience.weigh(judged)
    _levels(judged, weights)
    marks = [found for read in READERS if (found := read(judged)).format]
    ranks = findings.ranks(judged)
    for at, rank in ranks.items():
        weights.own[at] = max(weights.own[at], salience.WARNING)
        weights.rank[at] = rank
    failures = _apply_marks(weights, marks) + traces.find(judged)
    score = select.scores(judged, weights)
    _fade(score, marks)
    # One finding is one place to go to: only the budget may drop it.
    for at in [*ranks, *(span.start for found in marks for span in found.frames)]:
        score[at] = max(score[at], params["floor"])
    choice = select.choose(
        score,
        costs,
        budget=params["budget_tokens"],
        floor=params["floor"],
        must=_must(params["pins"], marks, failures, weights, judged),
        must_budget=params["must_keep_tokens"],
        heavy=0.0 if _is_ci(marks) else select.HEAVY_SHARE,
    )
    if 0 in choice.keep:
        select.drop_loose_blanks(lines, choice.keep, pins)
        _keep_last(lines, choice.keep)
    cuts = shape.cuts(choice.keep, lambda at: _why(weights.own[at], score[at], params))
    edits = tuple(edit for edit in edits if choice.keep[edit.at])
    if not cuts and not edits:
        return None
    return Change(
        Proof.EDIT if edits else Proof.CUT,
        cuts=cuts,
        edits=edits,
        tier=Tier.FULL if marks else Tier.DEGRADED,
        warnings=() if marks else ("no known report format: lines judged by form",),
    )


def _is_ci(marks: Sequence[Marks]) -> bool:
    """Whether a CI job's log: its failing step is known, other errors are not it."""
    return any(found.format == "ci_job" for found in marks)


def _levels(lines: Sequence[str], weights: salience.Weights) -> None:
    """What a program under test or in a build logs as an error is one."""
    for at, line in enumerate(lines):
        if weights.own[at] < salience.ERROR and any(map(line.__contains__, _GRAVE)):
            stamped = log_records.without_stamps([line])[0] != line
            if stamped and log_records.level_of(line) >= log_records.Level.ERROR:
                weights.own[at] = salience.ERROR


def _apply_marks(weights: salience.Weights, marks: Sequence[Marks]) -> list[range]:
    """Write noise and failures into `weights`; return the failures."""
    own = weights.own
    failures = []
    for found in marks:
        for span in found.noise:
            for at in span:
                if own[at] < salience.ERROR:
                    own[at] = salience.NOISE
        for at in found.notable:
            own[at] = max(own[at], salience.WARNING)
        for span in found.failures:
            failures.append(span)
            for at in span:
                own[at] = max(own[at], salience.PLACE)
    return failures


def _fade(score: list[float], marks: Sequence[Marks]) -> None:
    for found in marks:
        for span, factor in found.factors:
            for at in span:
                if score[at] > 0:
                    score[at] *= factor
        for span in found.frames:
            for at in span[1:]:
                score[at] = max(score[at], score[span.start] * FRAME)
        for at in found.leaning:
            score[at] = min(score[at], score[at - 1])


def _keep_last(lines: Sequence[str], keep: bytearray) -> None:
    """Of a run that only reported progress, its last word stays."""
    if any(keep):
        return
    for at in range(len(lines) - 1, -1, -1):
        if lines[at].strip():
            keep[at] = 1
            return


def _must(
    pins: Sequence[int],
    marks: Sequence[Marks],
    failures: Sequence[range],
    weights: salience.Weights,
    lines: Sequence[str],
) -> list[int]:
    """Lines that go first, in order: pins, summaries, failures whole.

    A failure most of whose lines were seen before is a repeat: its title and
    its message stay, its frames are one `expand` away.
    """
    out = [*_summaries(weights), *pins]
    out += [at for found in marks for at in found.summary]
    repeats = []
    for span in failures:
        new = sum(weights.rank[at] <= FREE_REPEATS for at in span)
        if new * 3 >= len(span) or len(span) <= 4:
            out += span
        else:
            repeats += _gist(span, weights, lines)
    return out + repeats


def _summaries(weights: salience.Weights) -> list[int]:
    """The last summary lines, and the first of each form anywhere: one output
    may hold the runs of several tools."""
    rows = [at for at, own in enumerate(weights.own) if own == salience.SUMMARY]
    firsts = [at for at in rows if weights.rank[at] == 1][:SUMMARIES]
    return [*reversed(rows[-SUMMARIES:]), *firsts]


def _gist(span: range, weights: salience.Weights, lines: Sequence[str]) -> list[int]:
    """Title lines of a repeated failure up to its first error, and its values.

    Failures of one form differ in what was expected and what was got.
    """
    error = next((at for at in span[1:8] if weights.own[at] >= salience.WORD), None)
    stop = span.start + 3 if error is None else error + 1
    rest = range(min(stop, span.stop), span.stop)
    values = [at for at in rest if _VALUE.match(lines[at])][:VALUES]
    return [*range(span.start, rest.start), *values]


def _why(weight: float, score: float, params: Params) -> str:
    if weight < 0:
        return "passing or progress"
    return "repeats or little weight" if score < params["floor"] else "over the budget"


TRANSFORM = Transform(
    id="build_run",
    version=2,
    apply=apply,
    defaults={
        "budget_tokens": 8_000,
        "must_keep_tokens": 16_000,
        "floor": 0.25,
        "long_line_chars": 1_500,
        "pins": (),
    },
)
