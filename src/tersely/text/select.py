"""Choose lines under a token budget, the heaviest first, in their order.

A line's score is its weight over (n-th line of its form) to the 0.8, or what
its neighbours hand on: a traceback or a compiler's block follows its error
without a parser. Head and tail have a reserved share. Sources: FINDINGS
"What gave most" 2, 5, 7, 10; figures measured there or chosen by hand.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from . import salience

#: The first occurrences of a form are free of the repeat discount.
FREE = 2
REPEAT_POWER = 0.8

#: What a heavy line hands on: to deeper-indented lines below it, to others
#: below, to lines above (less indented, others).
DEEPER = 0.95
BELOW = 0.72
ABOVE_OUTER = 0.85
ABOVE = 0.70

#: What it hands to the lines it stands under by indentation, and how far up.
HEADER = 0.4
HEADER_LINES = 60

#: Only a line at least this heavy hands anything on.
HEAVY = salience.WORD

#: Heavy lines have this share of the budget even where `must` has spent all of
#: it: one long failure hides no other error.
HEAVY_SHARE = 0.125


@dataclass(frozen=True, slots=True)
class Choice:
    """Which lines stay.

    Attributes:
        keep: one byte a line, 1 stays.
        spent: tokens of the chosen lines, by `costs`.
    """

    keep: bytearray
    spent: int


def scores(lines: Sequence[str], weights: salience.Weights) -> list[float]:
    """Score of each line: own weight after repeats, or handed on."""
    own = [
        weight
        if rank <= FREE or weight <= 0
        else weight / (rank - FREE + 1) ** REPEAT_POWER
        for weight, rank in zip(weights.own, weights.rank, strict=True)
    ]
    indents = [len(line) - len(line.lstrip()) if line else 0 for line in lines]
    out = own[:]
    carry, base = 0.0, 0
    for at, score in enumerate(own):
        if score < 0:  # noise breaks a block and takes nothing
            carry *= 0.5
            continue
        if carry > score and carry > 0.3:
            out[at] = carry
            carry *= DEEPER if indents[at] > base or not lines[at] else BELOW
        if score >= HEAVY and score >= carry:
            carry, base = score * 0.8, indents[at]
    carry, base = 0.0, 0
    for at in range(len(own) - 1, -1, -1):
        score = own[at]
        if score < 0:
            carry *= 0.5
            continue
        if carry > out[at] and carry > 0.3:
            out[at] = carry
        if carry:
            carry *= ABOVE_OUTER if indents[at] < base else ABOVE
        if score >= HEAVY and score * 0.7 >= carry:
            carry, base = score * 0.6, indents[at]
    _headers(own, indents, out)
    return out


def _headers(own: Sequence[float], indents: Sequence[int], out: list[float]) -> None:
    """The line that an indented error stands under says what failed.

    Even where it looks like progress: ``Collecting x`` above an indented error.
    """
    open_at: list[int] = []
    for at, score in enumerate(own):
        if score == 0.0:
            continue
        while open_at and indents[open_at[-1]] >= indents[at]:
            open_at.pop()
        if score >= HEAVY and open_at:
            for parent in open_at[-2:]:
                if at - parent <= HEADER_LINES:
                    out[parent] = max(out[parent], score * HEADER)
        open_at.append(at)


def choose(
    score: Sequence[float],
    costs: Sequence[int],
    *,
    budget: int,
    floor: float,
    must: Sequence[int] = (),
    must_budget: int = 0,
    head: float = 0.08,
    tail: float = 0.22,
    heavy: float = HEAVY_SHARE,
    limit_lines: int = 0,
) -> Choice:
    """Take the best lines until `budget` tokens are spent.

    Args:
        score: by line; below `floor` a line is dropped even where it would fit.
        must: lines taken first, in this order, up to `must_budget` tokens.
        head, tail: shares of the budget reserved for the first and last lines
            that are no noise.
        heavy: share of the budget that heavy lines have beyond it.
        limit_lines: most lines, 0 for no limit; shared out like the budget.
    """
    if limit_lines:  # a line then costs at least its share of the budget
        least = -(-budget // limit_lines)
        costs = [max(cost, least) for cost in costs]
    keep = bytearray(len(score))
    spent, most = 0, max(budget, must_budget)
    for at in must:
        if not keep[at] and spent + costs[at] <= most:
            keep[at] = 1
            spent += costs[at]
    share = min(int(budget * tail), most - spent)
    spent += _run(range(len(score) - 1, -1, -1), score, costs, keep, share)
    share = min(int(budget * head), most - spent)
    spent += _run(range(len(score)), score, costs, keep, share)
    order = sorted(range(len(score)), key=lambda at: -score[at])
    reserve = min(most, spent + int(budget * heavy))
    for at in order:
        if score[at] < floor:
            break
        limit = max(budget, reserve) if score[at] >= HEAVY else budget
        if not keep[at] and spent + costs[at] <= limit:
            keep[at] = 1
            spent += costs[at]
    return Choice(keep, spent)


def drop_loose_blanks(
    lines: Sequence[str], keep: bytearray, spare: Container[int]
) -> None:
    """Unkeep empty lines at the edge of a gap and behind another empty line.

    emit sets blocks apart itself. Lines in `spare` stay.
    """
    last_blank = True
    for at, line in enumerate(lines):
        if not keep[at]:
            continue
        if line.strip():
            last_blank = False
        elif at not in spare and (
            last_blank or not keep[at - 1] or not all(keep[at + 1 : at + 2])
        ):
            keep[at] = 0
        else:
            last_blank = True


def _run(
    order: range,
    score: Sequence[float],
    costs: Sequence[int],
    keep: bytearray,
    share: int,
) -> int:
    """Keep lines from one end while `share` lasts; returns what was spent."""
    spent = 0
    for at in order:
        if keep[at] or score[at] < 0:
            continue
        if spent + costs[at] > share:
            break
        keep[at] = 1
        spent += costs[at]
    return spent
