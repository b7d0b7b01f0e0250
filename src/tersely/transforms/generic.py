"""Shorten a text of no recognised type, or one whose own transform had nothing.

Input:  any text in canonical form.
Output: its lines in order; runs of equal lines shown once with their number.
Keeps:  everything that fits `budget_tokens`. Beyond: stack traces and lines in
        an error form, then tail and head, then the heaviest lines.
Drops:  the rest, counted. Over-long lines keep their pieces that matter.
Params: budget_tokens -- tokens; limit_lines -- lines shown of a text that
        exceeds it, 0 for no limit; min_run -- equal lines worth a fold;
        long_line_chars; lossless -- fold only; pins.
Cost:   a few passes, O(lines).
Source: own; requirement 63 for head and tail.
"""

from __future__ import annotations

from ..model import Change, Facts, Params, Proof, Text, Tier, Transform
from ..text import pieces, salience, select, shape, tokens, traces

#: Shares of the budget that go to the first and the last lines.
HEAD = 0.25
TAIL = 0.35


def apply(text: Text, params: Params, facts: Facts) -> Change | None:
    """Fold runs; cut only what the budget does not hold."""
    lines = text.lines
    costs = tokens.cost(lines)
    if params["lossless"] or sum(costs) <= params["budget_tokens"]:
        return _runs_only(text, params)
    edits = pieces.edits(lines, params["long_line_chars"], set(params["pins"]))
    judged = list(lines)
    for edit in edits:
        judged[edit.at] = edit.line
    costs = tokens.cost(judged)
    weights = salience.weigh(judged)
    for at, weight in enumerate(weights.own):
        if weight == salience.NOISE:  # unknown format: only judged, not convicted
            weights.own[at] = 0.3
    score = select.scores(judged, weights)
    must = [*params["pins"], *(at for span in traces.find(judged) for at in span)]
    choice = select.choose(
        score,
        costs,
        budget=params["budget_tokens"],
        floor=0.05,
        must=must,
        must_budget=params["budget_tokens"],
        head=HEAD,
        tail=TAIL,
        limit_lines=params["limit_lines"],
    )
    keep = choice.keep
    shown = [edit for edit in edits if keep[edit.at]]
    edited = {edit.at for edit in shown}
    folds = shape.runs(lines, keep, params["min_run"], edited)
    cuts = shape.cuts(keep, lambda at: "over the budget")
    if not (cuts or shown or folds):
        return None
    return Change(
        Proof.EDIT if shown else Proof.CUT,
        cuts=cuts,
        folds=tuple(folds),
        edits=tuple(shown),
        tail=_tail(keep) if cuts else None,
        tier=Tier.DEGRADED,
        warnings=("no recognised format: lines judged by form",),
    )


def _tail(keep: bytearray) -> int | None:
    """First line of an unbroken tail of several lines after a gap, if any."""
    start = len(keep.rstrip(b"\1"))
    several = len(keep) - start > 1
    return start if several and start and keep[start - 1] == 0 else None


def _runs_only(text: Text, params: Params) -> Change | None:
    """Runs of equal lines, exactly: no footer is needed.

    Equal with their line ends, so that unfolding gives each its own.
    """
    if "\r" in text.ends or any(map(shape.ends_like_fold, text.lines)):
        return None  # unfolding goes by line feeds and suffixes
    rows = [line + end for line, end in zip(text.lines, text.ends, strict=True)]
    folds = shape.runs(rows, bytearray(b"\1" * len(rows)), params["min_run"])
    return Change(Proof.EXACT, folds=tuple(folds)) if folds else None


TRANSFORM = Transform(
    id="generic",
    version=2,
    apply=apply,
    defaults={
        "budget_tokens": 8_000,
        "limit_lines": 0,
        "min_run": 3,
        "long_line_chars": 1_500,
        "lossless": False,
        "pins": (),
    },
)
