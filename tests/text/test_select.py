"""text/select.py, shape.py and pieces.py: choosing lines and saying what went."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from tersely.model import ELISION, Cut, Fold, Text
from tersely.pipeline import guard
from tersely.text import pieces, salience, select, shape


def scores(lines: list[str]) -> list[float]:
    return select.scores(lines, salience.weigh(lines))


def test_an_error_carries_its_block_with_it() -> None:
    lines = [
        "plain one",
        "error: bad thing",
        "    at its place",
        "    and its code",
        "x" * 9,
    ]

    got = scores(lines)

    assert got[1] > got[2] > got[3] > 3 > salience.PLAIN
    assert got[0] > 3


def test_the_line_an_indented_error_stands_under_is_kept() -> None:
    lines = ["Collecting shop==1", "  Downloading shop.tar.gz", "  error: no wheel"]

    got = scores(lines)

    assert got[0] > salience.PLAIN > 0 > got[1]


def test_repeats_of_a_form_weigh_less() -> None:
    lines = [f"retrying call {n} of the gateway" for n in range(1, 10)]

    got = scores(lines)

    assert got[0] == got[1] > got[2] > got[8]


def test_the_best_lines_fill_the_budget_in_their_order() -> None:
    score = [1.0, 9.0, 2.0, 8.0, 1.0]

    got = select.choose(score, [10] * 5, budget=20, floor=0, head=0, tail=0)

    assert (b"\0\1\0\1\0", 20) == (bytes(got.keep), got.spent)


def test_head_and_tail_have_their_share() -> None:
    score = [1.0, 9.0, 9.0, 9.0, 1.0]

    got = select.choose(score, [10] * 5, budget=40, floor=0, head=0.25, tail=0.25)

    assert b"\1\1\1\0\1" == bytes(got.keep)


def test_what_must_stay_may_exceed_the_budget_up_to_its_own() -> None:
    score = [1.0] * 6

    got = select.choose(
        score, [10] * 6, budget=10, floor=0, must=[5, 4, 3], must_budget=20
    )

    assert b"\0\0\0\0\1\1" == bytes(got.keep)


def test_below_the_floor_a_line_goes_even_if_it_fits() -> None:
    got = select.choose([1.0, -1.0, 0.1], [1] * 3, budget=99, floor=0.2, head=0, tail=0)

    assert b"\1\0\0" == bytes(got.keep)


def test_lines_can_be_limited_too() -> None:
    got = select.choose([1.0] * 90, [1] * 90, budget=1_000, floor=0, limit_lines=10)

    assert 10 == sum(got.keep)


def test_cuts_are_runs_of_one_reason_and_stop_at_folds() -> None:
    keep = bytearray(b"\1\0\0\2\0\1")

    got = shape.cuts(keep, lambda at: "a" if at < 2 else "b")

    assert (Cut(1, 1, "a"), Cut(2, 1, "b"), Cut(4, 1, "b")) == got


def test_runs_fold_equal_kept_lines_only() -> None:
    lines = ["long enough"] * 4 + ["other line"] * 2 + ["short"] * 5
    keep = bytearray(b"\1" * 10 + b"\0")

    folds = shape.runs(lines, keep, 3)

    assert [Fold(0, (1, 2, 3))] == folds
    assert b"\1\2\2\2\1\1\1\1\1\1\0" == bytes(keep)


def test_a_long_line_keeps_its_ends_and_its_error() -> None:
    filler = ", ".join(f"tests.module_{n}.TestCase" for n in range(900))
    line = f"selected: {filler}, ValueError: bad shard 7, {filler} done"

    short = pieces.shorten(line, 1_500)

    assert short is not None and len(short) < 2_400
    assert short.startswith("selected: ") and short.endswith(" done")
    assert "ValueError: bad shard 7" in short


def test_a_line_that_holds_the_elision_is_left_alone() -> None:
    assert pieces.shorten("a b " * 900 + ELISION, 500) is None
    assert pieces.shorten("short", 500) is None


@given(st.text(alphabet="ab ,;}é=1", min_size=0, max_size=3_000), st.integers(100, 900))
def test_an_edit_is_made_of_pieces_in_order(line: str, limit: int) -> None:
    short = pieces.shorten(line, limit)

    if short is not None:
        assert len(short) < len(line)
        edits = pieces.edits((line,), limit, ())
        text = Text((line,), ("\n",))
        from tersely.model import Change, Proof

        assert guard.problem(text, Change(Proof.EDIT, edits=edits)) is None


def test_ten_megabytes_in_one_line_take_seconds_at_most() -> None:
    line = "abcdefgh" * 1_250_000
    start = time.perf_counter()

    pieces.shorten(line, 1_500)

    assert time.perf_counter() - start < 30
