"""pipeline/emit.py: the text a reader sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tersely
from tersely.model import Change, Cut, Edit, Fold, Legend, Proof, Text
from tersely.pipeline import emit
from tersely.text import lines

HANDLE = "3f2a9c0b7d1e"
LONG = HANDLE * 2


def render(text: str, change: Change, handle: str | None = HANDLE) -> str:
    return emit.render([emit.Part(lines.split(text), change)], handle)


def test_marker_and_footer_are_the_last_two_lines() -> None:
    change = Change(Proof.CUT, cuts=(Cut(1, 2, "noise"),))

    out = render("a\nb\nc\nd\n", change)

    assert "a\nd\n[2 more lines]\n[full output: ctx expand 3f2a9c0b7d1e]\n" == out


def test_an_empty_line_stands_between_blocks_that_were_not_adjacent() -> None:
    change = Change(Proof.CUT, cuts=(Cut(2, 1, "x"), Cut(4, 1, "x")))

    out = render("a1\na2\nx\nb\nx\nc\n", change)

    assert out.startswith("a1\na2\n\nb\nc\n[2 more lines]\n")


def test_no_empty_line_beside_one_that_is_there() -> None:
    change = Change(Proof.CUT, cuts=(Cut(3, 1, "x"),))

    out = render("a1\na2\n\nx\nb1\nb2\n", change)

    assert out.startswith("a1\na2\n\nb1\nb2\n")


def test_folds_carry_their_number_and_are_no_gap() -> None:
    folds = (Fold(0, (1, 2)), Fold(3, (4,), same=False))

    out = render("a\na\na\nx=1\nx=2\n", Change(Proof.CUT, folds=folds))

    assert out.startswith("a [×3]\nx=1 [~2 alike]\n[full output")


def test_line_ends_of_kept_lines_stay() -> None:
    change = Change(Proof.CUT, cuts=(Cut(1, 1, "x"),))

    assert render("a\r\nb\r\nc", change).startswith("a\r\nc\n[1 more lines]\n")


def test_tail_is_labelled_once() -> None:
    change = Change(Proof.CUT, cuts=(Cut(1, 3, "x"),), tail=4)

    out = render("a\nb\nc\nd\ne\nf\n", change)

    assert out.startswith("a\n[last 2 lines]\ne\nf\n[3 more lines]\n")


def test_an_edit_stands_in_its_line() -> None:
    change = Change(Proof.EDIT, edits=(Edit(1, "he … lo", "long line"),))

    assert render("a\nhello\n", change).startswith("a\nhe … lo\n[full output")


def test_several_parts_share_one_marker_and_one_footer() -> None:
    cut = Change(Proof.CUT, cuts=(Cut(0, 1, "x"),))
    parts = [emit.Part(lines.split("a\nb\n"), cut), emit.Part(lines.split("c\nd"), cut)]

    out = emit.render(parts, HANDLE)

    assert "b\nd\n[2 more lines]\n[full output: ctx expand 3f2a9c0b7d1e]\n" == out


def test_a_part_left_alone_is_sent_to_the_character() -> None:
    parts = [emit.Part(lines.split("\r\n a\r b\n\n"), None)]

    assert "\r\n a\r b\n\n" == emit.render(parts, None)


@pytest.mark.parametrize(
    "text",
    [
        "x\n[full output: ctx expand 3f2a9c0b7d1e]\n",
        "x\n[full output: ctx expand 3f2a9c0b7d1e]",
        f"x\r\n[full output: ctx expand {LONG}]\r\n",
        f"x\n[full output: ctx expand <<ccr:{LONG}>>]\n",
        "[same output as before: ctx expand 3f2a9c0b7d1e]",
        "[unchanged since you read it: src/a.py]\n",
        "[500 records: constants, then rows]\n1,2\n",
    ],
)
def test_our_own_texts_are_recognised(text: str) -> None:
    assert emit.is_emission(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x\nsee [full output: ctx expand 3f2a9c0b7d1e]\n",
        "x\n[full output: ctx expand 3f2a9c0b7d1e] \n",
        "x\n[full output: ctx expand 3f2a9c0b7d1e]\ny\n",
        "x\n[full output: ctx expand 3f2a]\n",
        "[3 more lines]\n",
        "x\n[same output as before: ctx expand 3f2a9c0b7d1e]\n",
        "[500 errors: see below]\nx\n",
        "[INFO: constants, then rows]\nx\n",
    ],
)
def test_payload_that_looks_like_it_is_not(text: str) -> None:
    assert not emit.is_emission(text)


@pytest.mark.parametrize(
    "asked",
    [
        HANDLE,
        HANDLE.upper(),
        f"ccr:{HANDLE}",
        f"<<ccr:{HANDLE}>>",
        f"[full output: ctx expand {HANDLE}]",
        f"line\nline\n[4 more lines]\n[full output: ctx expand {HANDLE}]\n",
        f"[same output as before: ctx expand {HANDLE}]",
    ],
)
def test_a_handle_is_read_from_every_form(asked: str) -> None:
    assert emit.parse_handle(asked) == HANDLE


@pytest.mark.parametrize("asked", ["", "nope", "zz2a9c0b7d1e", "../etc/passwd"])
def test_no_handle_is_none(asked: str) -> None:
    assert emit.parse_handle(asked) is None


def test_every_legend_of_the_table_is_recognised_and_split() -> None:
    for what, hows in emit.LEGENDS.items():
        for how in hows:
            legend = Legend(f"12 {what}", how)

            assert emit.known_legend(legend)
            assert (legend, "body\n") == emit.split_legend(
                emit.legend(legend) + "\nbody\n"
            )


def test_only_emit_writes_engine_lines() -> None:
    """Transforms never write markers: no other module holds their words."""
    words = re.compile(r"more lines\]|full output: ctx expand [^.H]|as before: ctx")
    found = [
        path.name
        for path in Path(tersely.__path__[0]).rglob("*.py")
        if words.search(path.read_text("utf-8"))
    ]

    assert ["emit.py"] == found


def test_shown_lines_are_those_not_cut_or_folded() -> None:
    change = Change(Proof.CUT, cuts=(Cut(1, 1, "x"),), folds=(Fold(2, (4,)),))

    assert [0, 2, 3] == emit.shown(5, change)


def test_unfold_undoes_runs_also_with_crlf() -> None:
    text: Text = lines.split("a b c d\r\n" * 3 + "e\r\n")
    change = Change(Proof.EXACT, folds=(Fold(0, (1, 2)),))

    out = emit.render([emit.Part(text, change)], None)

    assert "a b c d [×3]\r\ne\r\n" == out
    assert text.join() == emit.unfold(out)
