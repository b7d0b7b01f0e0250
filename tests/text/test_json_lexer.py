"""JSON is read so that every lexeme can be written back as it stood."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import json_texts
from tersely.text import json_lexer


def parsed(text: str) -> json_lexer.Parsed:
    found = json_lexer.parse(text)
    assert found is not None, text
    return found


def read(text: str) -> Any:
    """What a parser reads, with number lexemes and duplicate keys."""
    return json.loads(
        text,
        object_pairs_hook=lambda pairs: ("object", pairs),
        parse_int=lambda lexeme: ("number", lexeme),
        parse_float=lambda lexeme: ("number", lexeme),
        parse_constant=lambda lexeme: ("number", lexeme),
    )


@given(json_texts.DOCUMENTS)
def test_a_document_written_back_is_its_canonical_form(text: str) -> None:
    found = parsed(text)

    assert [found.canon.rstrip("\n")] == [
        json_lexer.unguard(json_lexer.dumps(doc)) for doc in found.docs
    ]
    assert json_lexer.canon(text) == found.canon
    assert read(found.canon) == read(text)


@given(json_texts.TEXTS)
def test_several_documents_become_one_a_line(text: str) -> None:
    found = parsed(text)

    lines = found.canon.rstrip("\n").split("\n")
    assert len(found.docs) == len(lines)
    assert json_lexer.canon(text) == found.canon
    assert json_lexer.canon(found.canon) == found.canon
    assert not found.cut_off


@given(st.text('[]{}",:0a1e-. \n\\u\x00\x04tfn', max_size=30))
def test_no_text_makes_it_raise_and_what_it_takes_is_json(text: str) -> None:
    found = json_lexer.parse(text)

    json_lexer.canon(text)
    if found is not None and not found.cut_off:
        for line in found.canon.rstrip("\n").split("\n"):
            read(line)


@given(json_texts.DOCUMENTS, st.data())
def test_a_document_cut_anywhere_is_cut_off_or_no_json(
    text: str, data: st.DataObject
) -> None:
    cut = text[: data.draw(st.integers(0, len(text.rstrip()) - 1))]

    found = json_lexer.parse(cut)

    if found is not None:
        assert found.cut_off and not found.docs
        tight = json_lexer.canon(text).replace("\n", "")
        assert tight.startswith(found.canon.rstrip("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        '"a"',
        "null",
        "[1,]",
        "{'a':1}",
        '{"a" 1}',
        '{"a":1} x',
        '["a\tb"]',
        '["a\nb"]',
        '["\\x41"]',
        '["\\u12"]',
        '["\x01"]',
        "[01]",
        "[+1]",
        "[1] 2",
        "[INFO] started",
        "{ a: 1 }",
        "[{]",
        "[}",
        "{ n",
        "hello",
    ],
)
def test_what_is_no_json_is_none(text: str) -> None:
    assert json_lexer.parse(text) is None


def test_a_parsed_tree_tells_the_number_from_the_string() -> None:
    [doc] = parsed('[1,"1",true,null,{"a":1.10,"a":-0}]').docs

    assert doc == [
        json_lexer.NUMBER + "1",
        "1",
        True,
        None,
        (("a", "a"), (json_lexer.NUMBER + "1.10", json_lexer.NUMBER + "-0")),
    ]


@pytest.mark.parametrize("size", [121, 5_000, 200_000])
@pytest.mark.parametrize("bomb", ["[", '{"a":'])
def test_a_depth_bomb_is_none_and_takes_no_time(bomb: str, size: int) -> None:
    closing = "]" if bomb == "[" else "}"

    start = time.process_time()
    assert json_lexer.parse(bomb * size) is None
    assert json_lexer.parse(bomb * size + "1" + closing * size) is None
    assert time.process_time() - start < 5


def test_a_string_of_ten_megabytes_is_read_in_linear_time() -> None:
    text = '["' + "a,(b" * 2_500_000 + '"]'

    start = time.process_time()
    found = parsed(text)
    assert time.process_time() - start < 5
    assert found.canon == text
