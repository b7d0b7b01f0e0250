"""Shorten an application's log: templates once, trouble verbatim.

Input:  log lines in canonical form; records of one or more lines.
Output: lines in order; lines equal after masking shown once, with their number.
Keeps:  the first record of every template, the last of each folded one, every
        record of level WARN or worse and every stack trace, as far as the
        budget goes; a repeated trace once.
Drops:  beyond the budget: the lightest repeats, then the lightest records.
Params: budget_tokens, must_keep_tokens -- tokens; template_share, most_tokens --
        the budget grows to this share of the first line of every template, at
        most to so many tokens; min_alike -- lines of one
        template worth a fold; long_line_chars; pins.
Cost:   a few passes, O(lines).
Source: own; masks instead of a template tree (DEPENDENCIES section 6: 3-5x the
        speed of drain3 with about as many templates).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Change, Facts, Fold, Params, Proof, Text, Tier, Transform
from ..text import log_records, pieces, salience, select, shape, tokens, traces
from ..text.log_records import Level, Record

_WEIGHTS = {
    Level.DEBUG: 0.6,
    Level.INFO: 1.0,
    Level.WARN: salience.WARNING + 1,
    Level.ERROR: salience.ERROR,
    Level.FATAL: salience.ERROR + 2,
}


def apply(text: Text, params: Params, facts: Facts) -> Change | None:
    """Fold what is alike, then cut what the budget does not hold."""
    lines = text.lines
    edits = pieces.edits(lines, params["long_line_chars"], set(params["pins"]))
    judged = list(lines)
    for edit in edits:
        judged[edit.at] = edit.line
    forms = salience.masked(log_records.without_stamps(judged), ids=True)
    records, share = log_records.read(judged)
    weights = _weigh(judged, forms, records)
    keep = bytearray(b"\1" * len(lines))
    folds = _folds(lines, forms, weights, records, keep, params)
    score = select.scores(judged, weights)
    costs = [
        cost if keep[at] == 1 else 0 for at, cost in enumerate(tokens.cost(judged))
    ]
    budget = _budget(costs, weights, params)
    if sum(costs) > budget:
        _cut(score, costs, keep, folds, records, weights, judged, params, budget)
        folds = [fold for fold in folds if keep[fold.at] == 1]
    cuts = shape.cuts(keep, lambda at: "over the budget")
    edits = tuple(edit for edit in edits if keep[edit.at] == 1)
    if not (cuts or folds or edits):
        return None
    return Change(
        Proof.EDIT if edits else Proof.CUT,
        cuts=cuts,
        folds=tuple(folds),
        edits=edits,
        tier=Tier.FULL if share > 0.2 else Tier.DEGRADED,
        warnings=() if share > 0.2 else ("few lines carry a stamp or a level",),
    )


def _budget(costs: Sequence[int], weights: salience.Weights, params: Params) -> int:
    """The budget, or more where more templates need it (FINDINGS, traps 5)."""
    firsts = sum(
        cost for cost, rank in zip(costs, weights.rank, strict=True) if rank == 1
    )
    wanted = int(firsts * params["template_share"])
    budget: int = params["budget_tokens"]
    most: int = params["most_tokens"]
    return max(budget, min(wanted, most))


def _weigh(
    lines: Sequence[str], forms: Sequence[str], records: Sequence[Record]
) -> salience.Weights:
    """A record's level counts more than the words of its lines."""
    weights = salience.weigh(lines, forms)
    own = weights.own
    for at, weight in enumerate(own):
        if weight == salience.NOISE:
            own[at] = 0.5
    for record in records:
        level = _WEIGHTS.get(record.level)
        if level is None:
            continue
        if record.level >= Level.WARN:
            own[record.start] = max(own[record.start], level)
        else:
            own[record.start] = max(level, min(own[record.start], salience.WORD))
    return weights


def _folds(
    lines: Sequence[str],
    forms: Sequence[str],
    weights: salience.Weights,
    records: Sequence[Record],
    keep: bytearray,
    params: Params,
) -> list[Fold]:
    """Single-line records of one template, below WARN: first and last stay.

    Lines folded into another are marked 2 in `keep`.
    """
    groups: dict[str, list[int]] = {}
    pinned = set(params["pins"])
    for record in records:
        at = record.start
        if record.stop - at == 1 and weights.own[at] < salience.WARNING:
            if at not in pinned and len(lines[at]) > 8:
                groups.setdefault(forms[at], []).append(at)
    out = []
    for rows in groups.values():
        if len(rows) < params["min_alike"] or shape.ends_like_fold(lines[rows[0]]):
            continue
        first, last = rows[0], rows[-1]
        if all(lines[at] == lines[first] for at in rows):
            others, same = rows[1:], True
        else:
            others, same = rows[1:-1], False
            if len({lines[at] for at in rows}) == 1 or last == first:
                continue
        out.append(Fold(first, tuple(others), same))
        for at in others:
            keep[at] = 2
    out.sort(key=lambda fold: fold.at)
    return out


def _cut(
    score: list[float],
    costs: list[int],
    keep: bytearray,
    folds: Sequence[Fold],
    records: Sequence[Record],
    weights: salience.Weights,
    lines: Sequence[str],
    params: Params,
    budget: int,
) -> None:
    """Keep the best lines; a folded group lives and dies with its first line."""
    must = [*params["pins"], *_trouble(records, weights), *_traces(lines, weights)]
    for fold in folds:
        score[fold.at] = max(score[fold.at], 1.5)
        for at in fold.others:
            score[at] = -2.0
    choice = select.choose(
        score,
        costs,
        budget=budget,
        floor=-1.5,
        must=must,
        must_budget=max(budget, params["must_keep_tokens"]),
    )
    folded = {at: fold.at for fold in folds for at in fold.others}
    for at in range(len(keep)):
        shown = folded.get(at, at)
        if not choice.keep[shown]:
            keep[at] = 0


def _trouble(records: Sequence[Record], weights: salience.Weights) -> list[int]:
    """Records of level ERROR or worse, each template's first ones first."""
    out: list[tuple[int, int]] = []
    for record in records:
        if record.level >= Level.ERROR:
            rank = weights.rank[record.start]
            stop = min(record.stop, record.start + 60)
            out += [(rank, at) for at in range(record.start, stop) if rank <= 3]
    return [at for _, at in sorted(out)]


def _traces(lines: Sequence[str], weights: salience.Weights) -> list[int]:
    """Stack traces whose lines were not seen before."""
    out: list[int] = []
    for span in traces.find(lines):
        if sum(weights.rank[at] <= 2 for at in span) * 3 >= len(span):
            out += span
    return out


TRANSFORM = Transform(
    id="log_lines",
    version=2,
    apply=apply,
    defaults={
        "budget_tokens": 8_000,
        "most_tokens": 8_000,
        "must_keep_tokens": 16_000,
        "template_share": 0.6,
        "min_alike": 4,
        "long_line_chars": 1_500,
        "pins": (),
    },
)
