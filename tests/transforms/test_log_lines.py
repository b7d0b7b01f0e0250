"""transforms/log_lines: templates once, trouble verbatim."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tersely.model import Change, Facts, Proof
from tersely.pipeline import emit, guard
from tersely.text import lines, salience
from tersely.transforms import log_lines

TRANSFORM = log_lines.TRANSFORM


def apply(text: str, **params: object) -> tuple[Change, str]:
    split = lines.split(text)
    change = TRANSFORM.apply(split, {**TRANSFORM.defaults, **params}, Facts())
    assert change is not None
    assert guard.problem(split, change, transform=TRANSFORM) is None
    return change, emit.render([emit.Part(split, change)], "0" * 12)


WORDS = ("served", "cached", "queued", "flushed", "rotated", "merged", "acked")


def service(size: int) -> list[str]:
    rnd = random.Random(7)
    return [
        f"2026-03-02 09:{n // 60 % 60:02d}:{n % 60:02d} INFO {rnd.choice(WORDS)} item "
        f"{rnd.randrange(9_000) + 1} for client"
        for n in range(size)
    ]


def test_ten_thousand_lines_of_seven_templates() -> None:
    """R104: 7 groups, counts sum up, first and last verbatim, first order stable."""
    rows = service(10_000)

    change, out = apply("\n".join(rows) + "\n")

    assert 7 == len(change.folds)
    assert () == change.cuts
    shown = out.splitlines()[:-1]
    assert 14 == len(shown)
    assert 10_000 == len(shown) + sum(len(fold.others) for fold in change.folds)
    for word in WORDS:
        group = [row for row in rows if f" {word} " in row]
        kept = [row for row in shown if f" {word} " in row]
        assert kept[0].startswith(group[0]) and kept[0].endswith(" alike]")
        assert kept[1] == group[-1]


@pytest.mark.parametrize("level", ["WARN", "WARNING", "ERROR", "FATAL", "CRITICAL"])
def test_warn_and_worse_stay_verbatim(level: str) -> None:
    rows = service(400)
    trouble = [f"2026-03-02 10:00:{n:02d} {level} disk {n} is slow" for n in range(9)]
    for n, row in enumerate(trouble):
        rows.insert(40 * n, row)

    _, out = apply("\n".join(rows) + "\n")

    assert trouble == [row for row in out.splitlines() if f" {level} " in row]


def test_a_traceback_is_shown_whole_and_its_repeats_count() -> None:
    trace = (
        "2026-03-02 10:00:00 ERROR order {0} failed\n"
        "Traceback (most recent call last):\n"
        '  File "api.py", line 88, in order\n'
        "    price = prices[sku]\n"
        "KeyError: 'sku-404'\n"
    )
    rows = "\n".join(service(3_000)) + "\n"
    text = rows + "".join(trace.format(n) for n in range(200)) + rows

    _, out = apply(text, budget_tokens=900, must_keep_tokens=900)

    assert trace.format(0) in out
    assert out.count("price = prices[sku]") < 60


def test_equal_lines_are_one_line_with_their_number() -> None:
    change, out = apply("INFO waiting for the database\n" * 40 + "INFO connected\n")

    assert out.startswith("INFO waiting for the database [×40]\nINFO connected\n")
    assert (Proof.CUT, ()) == (change.proof, change.cuts)


def test_beyond_the_budget_errors_stay_and_the_rest_is_counted() -> None:
    rnd = random.Random(3)
    rows = [
        f"2026-03-02 09:00:00 INFO {''.join(rnd.choices('abcdefgh ', k=60))}"
        for _ in range(900)
    ]
    rows.insert(450, "2026-03-02 09:00:00 ERROR the one that matters")

    change, out = apply("\n".join(rows) + "\n", budget_tokens=1_000)

    assert "ERROR the one that matters" in out
    assert sum(cut.count for cut in change.cuts) > 600


ROWS = st.lists(
    st.sampled_from(
        [
            "2026-03-02 09:00:00 INFO served 12",
            "2026-03-02 09:00:01 INFO served 13",
            "2026-03-02 09:00:01 WARN slow",
            "INFO x [×3]",
            "INFO y [~4 alike]",
            "",
            "    at x.y(Z.java:3)",
            "java.io.IOException: disk",
            "x" * 3_000,
            "a b, " * 900,
        ]
    ),
    max_size=60,
)


@given(ROWS, st.integers(20, 400))
def test_any_mixture_is_proved(rows: list[str], budget: int) -> None:
    text = lines.split("\n".join(rows))
    pins = salience.pins(text.lines, 100)
    params = {**TRANSFORM.defaults, "budget_tokens": budget, "pins": pins}

    change = TRANSFORM.apply(text, params, Facts())

    if change is not None:
        assert guard.problem(text, change, transform=TRANSFORM, pins=pins) is None
