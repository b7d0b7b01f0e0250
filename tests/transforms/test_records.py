"""Records are laid out as rows, and come back from them."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import json_texts
from tersely.model import Change, Facts, Proof, Tier
from tersely.pipeline import emit, guard
from tersely.text import lines
from tersely.transforms.records import TRANSFORM


def proved(raw: str) -> Change | None:
    """What the transform makes of `raw`, held against its proof."""
    text = lines.split(raw)
    change = TRANSFORM.apply(text, {}, Facts())
    if change is not None:
        assert change.proof is Proof.CANONICAL
        assert guard.problem(text, change, transform=TRANSFORM) is None
        if change.legend:
            emission = emit.render([emit.Part(text, change)], None)
            assert emit.is_emission(emission)
    return change


def laid_out(raw: str) -> str:
    change = proved(raw)
    assert change is not None and change.text is not None
    return change.text


def read(text: str) -> list[Any]:
    """Every document, with number lexemes and duplicate keys."""
    decoder = json.JSONDecoder(
        object_pairs_hook=lambda pairs: ("object", pairs),
        parse_int=lambda lexeme: ("number", lexeme),
        parse_float=lambda lexeme: ("number", lexeme),
        parse_constant=lambda lexeme: ("number", lexeme),
    )
    out, rest = [], text.removeprefix("\ufeff").strip(" \t\r\n")
    while rest:
        value, stop = decoder.raw_decode(rest)
        out.append(value)
        rest = rest[stop:].lstrip(" \t\r\n")
    return out


@given(json_texts.TEXTS)
def test_whatever_json_a_program_prints_comes_back(raw: str) -> None:
    change = proved(raw)

    if change is not None:
        assert change.text is not None and TRANSFORM.inverse is not None
        assert read(TRANSFORM.inverse(change.text, change.legend)) == read(raw)
        assert len(change.text) < len(raw)


@given(st.text())
def test_other_text_is_left_alone(raw: str) -> None:
    assert proved(f"x {raw}") is None


@given(json_texts.TEXTS, st.data())
def test_json_with_a_hole_in_it_never_raises(raw: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(raw)))
    stop = data.draw(st.integers(start, len(raw)))

    proved(raw[:start] + raw[stop:])


def test_constants_stand_beside_their_key_and_exceptions_in_their_row() -> None:
    rows = [{"id": n, "node": f"n-{n}", "ready": True, "note": None} for n in range(9)]
    rows[4]["ready"] = False
    rows[7]["why"] = "disk, full"

    text = laid_out(json.dumps(rows))

    assert text.splitlines()[0] == "(id,node,ready:true,note:null,why:?)"
    assert text.splitlines()[1] == "0,n-0"
    assert text.splitlines()[5] == "4,n-4,ready:false"
    assert text.splitlines()[8] == '7,n-7,why:"disk, full"'


def test_an_absent_key_is_not_null_and_not_an_empty_string() -> None:
    text = laid_out(
        '[{"key":"one","value":null},{"key":"two"},{"key":"three","value":""},'
        '{"key":"four","value":1},{"key":"five","value":2}]'
    )

    assert text == '(key,value?)\none,null\ntwo,\nthree,""\nfour,1\nfive,2'


def test_a_key_with_a_dot_is_no_path() -> None:
    rows = [{"a.b": n, "a": {"b": n * 2, "c": "same"}} for n in range(12)]
    rows[3]["a.b"] = "?"

    text = laid_out(json.dumps(rows))

    assert text.startswith('(a.b,a{b,c:same})\n0,0\n1,2\n2,4\n"?",6\n')


def test_strings_that_look_like_something_else_keep_their_quotes() -> None:
    odd = ["1", "true", "null", "-0", "1e5", "", " x", "x ", "a,b", "(x", "?", "NaN"]
    bare = ["001", "1.2.3", "2026-11-30", "it's", "a:b", "a b", "=", "%s"]
    rows = [{"value": value, "number": n} for n, value in enumerate(odd + bare)]

    cells = [line.rpartition(",")[0] for line in laid_out(json.dumps(rows)).split("\n")]

    assert cells[1:] == [f'"{value}"' for value in odd] + bare


def test_json_lines_say_so_in_the_legend() -> None:
    raw = "".join(f'{{"level": "info", "message": "m{n}"}}\n' for n in range(9))

    change = proved(raw)

    assert change is not None and change.legend is not None
    assert emit.legend(change.legend) == "[9 records: JSON lines: constants, then rows]"
    assert change.text == "(level:info,message)\n" + "".join(
        f"m{n}\n" for n in range(9)
    )


def test_arrays_back_to_back_are_tables_one_after_the_other() -> None:
    pages = [
        json.dumps([{"number": n, "title": f"t {n}", "state": "open"} for n in page])
        for page in (range(1, 9), range(9, 17))
    ]

    text = laid_out("".join(pages))

    assert text.count("[(number,title,state:open)\n") == 2


def test_records_whose_keys_stand_in_another_order_are_written_as_json() -> None:
    rows = [{"name": f"n{n}", "size": n} for n in range(8)]
    raw = json.dumps([*rows, {"size": 8, "name": "n8"}])

    assert laid_out(raw).endswith('\nn7,7\n{"size":8,"name":"n8"}')


def test_what_minifies_to_the_same_is_left_alone() -> None:
    assert proved('[{"a":1},{"b":[2]}]') is None


def test_a_few_records_become_plain_json() -> None:
    change = proved('[\n  {"a": 1},\n  {"b": 2}\n]\n')

    assert change is not None
    assert change.legend is None
    assert change.text == '[{"a":1},{"b":2}]\n'


def test_json_that_is_cut_off_is_minified_and_degraded() -> None:
    change = proved('[\n  {"a": 1},\n  {"a": 2, "b": "x y')

    assert change is not None
    assert change.tier is Tier.DEGRADED
    assert change.warnings == ("JSON is cut off: only white space was removed",)
    assert change.text == '[{"a":1},{"a":2,"b":"x y'


@pytest.mark.parametrize("bomb", ["[", '{"a":', '[{"a":'])
def test_a_depth_bomb_is_left_alone(bomb: str) -> None:
    closing = bomb.translate(str.maketrans("[{", "]}", '"a:'))[::-1]

    assert proved(bomb * 50_000) is None
    assert proved(bomb * 50_000 + "1 " + closing * 50_000) is None


def test_ten_megabytes_take_seconds_not_minutes() -> None:
    record = {"id": 1, "name": "x" * 40, "tags": ["a", "b"], "at": {"x": 1, "y": 2}}
    raw = json.dumps([{**record, "id": n} for n in range(85_000)])
    assert len(raw) > 9_000_000

    start = time.process_time()
    change = proved(raw)
    # 0.7 s of it json.loads; 3 to 5 s in all, with proof, on 2 shared cores.
    assert time.process_time() - start < 40
    assert change is not None
