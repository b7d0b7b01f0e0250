"""The last check before a text leaves the engine. Runs in production and in tests.

`problem` proves a change, `gain` decides whether it is worth its footer. A
change that fails either is not emitted: the reader gets the untouched text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..model import ELISION, Change, Proof, Text, Transform
from ..text import shape, tokens
from . import emit

#: Most tokens that engine lines cost: marker and footer with a 24-digit handle
#: (o200k, counted 2026-11-30: 7 + 30), a suffix, and the new seam between two
#: lines that were not adjacent (an empty line, merged white space).
_FOOTER_TOKENS = 40
_SUFFIX_TOKENS = 6
_SEAM_TOKENS = 2

#: From this size on, an estimated ratio of emission to raw text up to this one
#: is not doubted: both hold the same literals, so their errors go together. Of
#: 87 re-laid-out texts (JSON, listings, hits; 2026-11-30) the exact ratio was at
#: most 1.19 times the estimated one, 1.43 times would still be a gain.
_SURE_CHARS = 2_000
_SURE_RATIO = 0.7

#: Larger texts are not counted exactly when in doubt: they go raw.
_COUNT_CHARS = 4_000_000

_LITERAL = re.compile(r"[^\s,;:|(){}\[\]\"'=<>`*#]+")


def problem(
    text: Text,
    change: Change,
    *,
    transform: Transform | None = None,
    pins: Iterable[int] = (),
) -> str | None:
    """Say what is wrong with `change`, or None.

    Args:
        text: the input of the transform, in canonical form.
        transform: whose `inverse`, `canon` and `vocabulary` a re-laid-out
            change is held against.
        pins: lines that must be in the output, unaltered (a line folded into
            an equal one is).
    """
    if change.legend and not emit.known_legend(change.legend):
        return f"legend is not in emit.LEGENDS: {change.legend}"
    if change.unit not in emit.UNITS:
        return f"unit is not in emit.UNITS: {change.unit}"
    if change.text is None:
        wrong = _linewise(text, change)
    elif change.cuts or change.folds or change.edits:
        wrong = "a re-laid-out text has no cuts, folds or edits"
    elif change.proof is Proof.DIGEST:
        wrong = _digest(text, change, transform)
    else:
        wrong = _inverse(text, change, transform)
    return wrong or _pins(text, change, (*change.pins, *pins))


def _linewise(text: Text, change: Change) -> str | None:
    """Cuts and folds tile the input; edits keep pieces of their line in order."""
    gone: set[int] = set()
    size = len(text.lines)
    last = -1
    for cut in change.cuts:
        if cut.count < 1 or cut.start <= last or cut.start + cut.count > size:
            return f"cut at line {cut.start} overlaps, is empty or out of range"
        last = cut.start + cut.count - 1
        gone.update(range(cut.start, last + 1))
    for fold in change.folds:
        if wrong := _fold(text, fold.at, fold.others, fold.same, gone):
            return wrong
        gone.update(fold.others)
    for fold in change.folds:
        if fold.at in gone:
            return f"line {fold.at} is shown for others and is not shown"
    edited: set[int] = set()
    for edit in change.edits:
        if not 0 <= edit.at < size or edit.at in gone or edit.at in edited:
            return f"edit of line {edit.at}, which is not shown or edited twice"
        edited.add(edit.at)
        if not _pieces_in_order(text.lines[edit.at], edit.line):
            return f"edit of line {edit.at} is not made of its pieces"
    if change.tail is not None and not _whole_tail(change.tail, size, gone):
        return f"the tail from line {change.tail} has gaps"
    return _right_name(text, change)


def _fold(
    text: Text, at: int, others: tuple[int, ...], same: bool, gone: set[int]
) -> str | None:
    size = len(text.lines)
    if not others or not 0 <= at < size:
        return f"fold at line {at} is empty or out of range"
    before = at
    for other in others:
        if other <= before or other >= size or other in gone:
            return f"line {other} is folded twice, cut, or before its first"
        if same and text.lines[other] != text.lines[at]:
            return f"line {other} is folded into line {at}, which differs"
        before = other
    if shape.ends_like_fold(text.lines[at]):
        return f"line {at} already ends like a fold"
    return None


def _right_name(text: Text, change: Change) -> str | None:
    """A line-wise change claims no better proof than it has."""
    if change.proof is Proof.EDIT:
        return None
    if change.edits:
        return "an edited text is not a mere cut"
    if change.proof is Proof.CUT:
        return None
    if change.proof is Proof.EXACT:
        if change.cuts:
            return "a cut text is not exact"
        if emit.unfold(emit.render([emit.Part(text, change)], None)) != text.join():
            return "the folds are no runs of equal lines that can be unfolded"
        return None
    return f"a line-wise change cannot be {change.proof.value}"


def _whole_tail(start: int, size: int, gone: set[int]) -> bool:
    return 0 < start < size and not any(at in gone for at in range(start, size))


def _pieces_in_order(original: str, line: str) -> bool:
    at = 0
    for piece in line.split(ELISION):
        found = original.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return ELISION in line and ELISION not in original


def _inverse(text: Text, change: Change, transform: Transform | None) -> str | None:
    """What `inverse` makes of the new text is the input, or its canonical form."""
    assert change.text is not None
    if transform is None or transform.inverse is None:
        return "no inverse to hold the new text against"
    want = text.join()
    if change.proof is Proof.CANONICAL:
        if transform.canon is None:
            return "no canonical form to hold the new text against"
        want = transform.canon(want)
    elif change.proof is not Proof.EXACT:
        return f"a re-laid-out text cannot be {change.proof.value}"
    try:
        got = transform.inverse(change.text, change.legend)
    except Exception as exc:  # an inverse that fails has proved nothing
        return f"inverse raised {type(exc).__name__}"
    return None if got == want else "inverse does not give the input back"


def _digest(text: Text, change: Change, transform: Transform | None) -> str | None:
    """Every literal stands in the input, is a count, or is in the vocabulary."""
    assert change.text is not None
    source = text.join()
    vocabulary = transform.vocabulary if transform else frozenset()
    counts = {str(change.left_out), str(len(text.lines))}
    for literal in set(_LITERAL.findall(change.text)):
        if literal not in source and literal not in vocabulary | counts:
            return "a literal is not in the input"
    return None


def _pins(text: Text, change: Change, pins: tuple[int, ...]) -> str | None:
    if not pins:
        return None
    if change.text is not None:
        if change.proof is not Proof.DIGEST:
            return None  # the whole input is in there
        for at in pins:
            if text.lines[at].strip() not in change.text:
                return f"must-keep line {at} is gone"
        return None
    hidden = {
        at for cut in change.cuts for at in range(cut.start, cut.start + cut.count)
    }
    hidden.update(edit.at for edit in change.edits)
    for fold in change.folds:
        if not fold.same:
            hidden.update(fold.others)
    for at in pins:
        if at in hidden:
            return f"must-keep line {at} is gone"
    return None


def gain(
    raw: str,
    canonical: str,
    parts: Sequence[emit.Part],
    emission: str,
    min_gain_tokens: int,
) -> str:
    """Say why `emission` is not worth sending: ``no_gain``, ``below_gain`` or "".

    Line-wise parts are decided by bounds alone: what was removed counts at
    its least, what was added at its most, so the emission is smaller for any
    text. A re-laid-out text is decided by the estimate where its measured
    error leaves no doubt, and counted exactly where it does.

    Args:
        raw: what would be sent otherwise.
        canonical: `raw` in canonical form; its steps only remove.
    """
    if all(p.change is None or p.change.text is None for p in parts):
        removed, added = _line_balance(parts)
        if removed or canonical == raw:
            if removed >= added + min_gain_tokens:
                return ""
            if canonical == raw:
                return "below_gain" if removed > added else "no_gain"
    before, after = tokens.estimate(raw), tokens.estimate(emission)
    if len(raw) >= _SURE_CHARS and after + min_gain_tokens <= before * _SURE_RATIO:
        return ""
    if len(raw) > _COUNT_CHARS:
        return "no_gain"
    exact = tokens.counter("o200k")
    saved = exact.count(raw) - exact.count(emission)
    if saved >= min_gain_tokens:
        return ""
    return "below_gain" if saved > 0 else "no_gain"


def _line_balance(parts: Sequence[emit.Part]) -> tuple[int, int]:
    """Fewest tokens that went and most tokens that came, over all parts."""
    gone: list[str] = []
    added = _FOOTER_TOKENS
    for part in parts:
        if part.change is None:
            continue
        lines = part.text.lines
        for cut in part.change.cuts:
            gone.extend(lines[cut.start : cut.start + cut.count])
            added += _SEAM_TOKENS
        for fold in part.change.folds:
            gone.extend(lines[at] for at in fold.others)
            added += _SUFFIX_TOKENS + _SEAM_TOKENS
        for edit in part.change.edits:
            pieces = _left_out(lines[edit.at], edit.line)
            gone.extend(pieces)
            added += len(pieces) * (_SUFFIX_TOKENS + _SEAM_TOKENS)
    return tokens.least("\n".join(gone)), added


def _left_out(original: str, line: str) -> list[str]:
    """The pieces of `original` that an edited `line` does not show."""
    out, at = [], 0
    for piece in line.split(ELISION):
        found = original.find(piece, at)
        if found > at:
            out.append(original[at:found])
        at = found + len(piece)
    if at < len(original):
        out.append(original[at:])
    return out
