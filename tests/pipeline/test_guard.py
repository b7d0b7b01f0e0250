"""pipeline/guard.py: what proves a change, and what is worth a footer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tersely.model import Change, Cut, Edit, Fold, Legend, Proof, Text, Transform
from tersely.pipeline import emit, guard
from tersely.text import lines

TEXT = lines.split("a\nb\nb\nc\nlong line of words\n")


def swap(text: str, legend: Legend | None) -> str:
    return text.swapcase()


SWAP = Transform(
    "swap",
    1,
    lambda text, params, facts: None,
    inverse=swap,
    canon=lambda text: text.strip(),
    vocabulary=frozenset({"rows"}),
)


@pytest.mark.parametrize(
    "change",
    [
        Change(Proof.CUT, cuts=(Cut(0, 1, "x"), Cut(2, 3, "x"))),
        Change(Proof.CUT, cuts=(Cut(3, 1, "x"),), folds=(Fold(1, (2,)),)),
        Change(Proof.CUT, folds=(Fold(0, (3,), same=False),)),
        Change(Proof.EXACT, folds=(Fold(1, (2,)),)),
        Change(Proof.EDIT, edits=(Edit(4, "long … words", "x"),)),
        Change(Proof.CUT, cuts=(Cut(1, 2, "x"),), tail=3),
    ],
)
def test_a_right_linewise_change_has_no_problem(change: Change) -> None:
    assert guard.problem(TEXT, change) is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (Change(Proof.CUT, cuts=(Cut(0, 2, "x"), Cut(1, 1, "x"))), "overlaps"),
        (Change(Proof.CUT, cuts=(Cut(2, 1, "x"), Cut(0, 1, "x"))), "overlaps"),
        (Change(Proof.CUT, cuts=(Cut(4, 2, "x"),)), "out of range"),
        (Change(Proof.CUT, cuts=(Cut(1, 0, "x"),)), "empty"),
        (Change(Proof.CUT, folds=(Fold(0, (1,)),)), "differs"),
        (Change(Proof.CUT, folds=(Fold(2, (1,)),)), "before its first"),
        (Change(Proof.CUT, folds=(Fold(1, ()),)), "empty"),
        (Change(Proof.CUT, folds=(Fold(1, (9,)),)), "folded twice, cut, or before"),
        (Change(Proof.CUT, cuts=(Cut(2, 1, "x"),), folds=(Fold(1, (2,)),)), "cut"),
        (
            Change(Proof.CUT, cuts=(Cut(1, 1, "x"),), folds=(Fold(1, (2,)),)),
            "not shown",
        ),
        (Change(Proof.EXACT, cuts=(Cut(1, 1, "x"),)), "not exact"),
        (Change(Proof.EXACT, folds=(Fold(0, (3,), same=False),)), "unfolded"),
        (Change(Proof.CANONICAL, cuts=(Cut(1, 1, "x"),)), "cannot be canonical"),
        (Change(Proof.CUT, edits=(Edit(4, "long … words", "x"),)), "not a mere cut"),
        (Change(Proof.EDIT, edits=(Edit(4, "words … long", "x"),)), "pieces"),
        (Change(Proof.EDIT, edits=(Edit(4, "long line", "x"),)), "pieces"),
        (Change(Proof.EDIT, edits=(Edit(4, "long … invented", "x"),)), "pieces"),
        (Change(Proof.EDIT, edits=(Edit(9, "a … b", "x"),)), "not shown"),
        (Change(Proof.CUT, cuts=(Cut(4, 1, "x"),), tail=3), "gaps"),
        (Change(Proof.CUT, cuts=(Cut(4, 1, "x"),), pins=(4,)), "must-keep"),
        (Change(Proof.CUT, folds=(Fold(0, (3,), same=False),), pins=(3,)), "must-keep"),
        (Change(Proof.CUT, unit="pages"), "unit"),
        (Change(Proof.CUT, text="x", cuts=(Cut(0, 1, "x"),)), "re-laid-out"),
    ],
)
def test_a_wrong_linewise_change_is_named(change: Change, says: str) -> None:
    assert says in (guard.problem(TEXT, change) or "")


def test_pins_of_policy_are_held_against_any_transform() -> None:
    change = Change(Proof.CUT, cuts=(Cut(3, 1, "x"),))

    assert guard.problem(TEXT, change) is None
    assert "must-keep line 3" in (guard.problem(TEXT, change, pins=(3,)) or "")


def test_a_pinned_line_may_be_folded_into_its_equal_but_not_edited() -> None:
    fold = Change(Proof.CUT, folds=(Fold(1, (2,)),))
    edit = Change(Proof.EDIT, edits=(Edit(4, "long … words", "x"),))

    assert guard.problem(TEXT, fold, pins=(2,)) is None
    assert "must-keep" in (guard.problem(TEXT, edit, pins=(4,)) or "")


def test_a_line_that_ends_like_a_fold_is_not_folded() -> None:
    text = lines.split("a [×3]\na [×3]\n")

    wrong = guard.problem(text, Change(Proof.CUT, folds=(Fold(0, (1,)),)))

    assert "ends like a fold" in (wrong or "")


def test_exact_folds_need_a_text_without_such_lines() -> None:
    text = lines.split("word\nword\nx [×3]\n")

    wrong = guard.problem(text, Change(Proof.EXACT, folds=(Fold(0, (1,)),)))

    assert "unfolded" in (wrong or "")


def test_exact_is_held_against_the_inverse_at_run_time() -> None:
    right = Change(Proof.EXACT, text=TEXT.join().swapcase())
    wrong = Change(Proof.EXACT, text=TEXT.join().upper() + "x")

    assert guard.problem(TEXT, right, transform=SWAP) is None
    assert "inverse" in (guard.problem(TEXT, wrong, transform=SWAP) or "")


def test_canonical_is_held_against_the_canonical_form() -> None:
    change = Change(Proof.CANONICAL, text=TEXT.join().strip().swapcase())

    assert guard.problem(TEXT, change, transform=SWAP) is None
    assert "no inverse" in (guard.problem(TEXT, change) or "")


def test_an_inverse_that_raises_has_proved_nothing() -> None:
    def broken(text: str, legend: Legend | None) -> str:
        raise IndexError("no row")

    transform = Transform("x", 1, SWAP.apply, inverse=broken)

    wrong = guard.problem(TEXT, Change(Proof.EXACT, text="x"), transform=transform)

    assert "inverse raised IndexError" in (wrong or "")


def test_a_digest_is_made_of_literals_counts_and_its_vocabulary() -> None:
    right = Change(Proof.DIGEST, text="5 rows: long words, c", left_out=5)
    wrong = Change(Proof.DIGEST, text="7 rows: all fine", left_out=7)

    assert guard.problem(TEXT, right, transform=SWAP) is None
    assert "literal" in (guard.problem(TEXT, wrong, transform=SWAP) or "")


def test_an_unknown_legend_is_refused() -> None:
    change = Change(Proof.EXACT, text="x", legend=Legend("3 things", "in a bag"))

    assert "legend" in (guard.problem(TEXT, change, transform=SWAP) or "")


@given(st.data())
def test_kept_folded_and_left_out_lines_add_up(data: st.DataObject) -> None:
    """R65: kept + folded + N == total, for any cuts the guard lets through."""
    size = data.draw(st.integers(1, 30))
    end = data.draw(st.sampled_from(["\n", "", "\r\n"]))
    text = lines.split("\n".join(f"row {n // 3}" for n in range(size)) + end)
    gone = data.draw(st.sets(st.integers(0, size - 1)))
    keep = bytearray(0 if at in gone else 1 for at in range(size))
    from tersely.text import shape

    folds = shape.runs(text.lines, keep, 2)
    change = Change(Proof.CUT, shape.cuts(keep, lambda at: "x"), tuple(folds))

    assert guard.problem(text, change) is None
    kept = len(emit.shown(size, change))
    folded = sum(len(fold.others) for fold in change.folds)
    left_out, unit = emit.count_left_out([emit.Part(text, change)])
    assert (size, "lines") == (kept + folded + left_out, unit)


def gain(raw: str, change: Change, least: int = 12) -> str:
    text: Text = lines.split(raw)
    parts = [emit.Part(text, change)]
    out = emit.render(parts, "0" * 12 if change.proof.lossy else None)
    return guard.gain(raw, raw, parts, out, least)


def test_the_footer_counts_against_a_cut() -> None:
    """R58: a short line gone saves fewer tokens than the footer costs."""
    raw = "all 412 tests passed in 3 modules, none was skipped and none failed\nok\n"

    assert "no_gain" == gain(raw, Change(Proof.CUT, cuts=(Cut(0, 1, "x"),)))


def test_a_gain_below_the_margin_goes_raw_and_says_so() -> None:
    raw = "keep\n" + "some seven words of plain english text\n" * 9
    change = Change(Proof.CUT, cuts=(Cut(1, 9, "x"),))

    assert "" == gain(raw, change)
    assert "below_gain" == gain(raw, change, least=1_000)


def test_a_large_cut_is_worth_it() -> None:
    raw = "keep\n" + "some seven words of plain english text\n" * 90

    assert "" == gain(raw, Change(Proof.CUT, cuts=(Cut(1, 90, "x"),)))
