"""One place in JSON is found by its path, as it is written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import json_texts
from tersely.text import json_lexer, json_path

TEXT = """{
  "a": {"b": [1.10, {"c.d": "x\\u00e9", "k e": 2}], "z": null},
  "items": [{"name": "one"}, {"name": "two", "id": 1E5}, {}],
  "q\\"t": 9, "twice": 1, "twice": 2
}"""


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$.a.b[0]", "1.10"),
        ("a.b[0]", "1.10"),
        (".a.z", "null"),
        ('a.b[1]["c.d"]', '"x\\u00e9"'),
        ("a.b[1]['k e']", "2"),
        ('["q\\"t"]', "9"),
        ("items[1]", '{"name":"two","id":1E5}'),
        ("items[-1]", "{}"),
        ("items[*].name", '"one"\n"two"'),
        ("items.*.id", "1E5"),
        ("twice", "2"),
        ("a.*", '[1.10,{"c.d":"x\\u00e9","k e":2}]\nnull'),
    ],
)
def test_a_path_finds_what_the_source_says(path: str, found: str) -> None:
    assert found == json_path.select(TEXT, path)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("a.x", "$.a has no key 'x'; keys: b, z"),
        ("a.b.c", "$.a.b is an array (2 elements), so 'c' is not there"),
        ("items[7]", "$.items[7] is not there: 3 elements"),
        ("items[*].size", "$.items[0] has no key 'size'; keys: name"),
        ("a.z.y", "$.a.z is null, so 'y' is not there"),
        ("a[0]", "$.a is an object (keys: b, z), so [0] is not there"),
        ("a..b", "bad JSON path at character 2: 'a..b'"),
        ("a[", "bad JSON path at character 2: 'a['"),
        ("$a", "bad JSON path at character 2: '$a'"),
    ],
)
def test_a_wrong_path_names_what_is_there(path: str, said: str) -> None:
    with pytest.raises(ValueError) as caught:
        json_path.select(TEXT, path)

    assert said == str(caught.value)


def test_many_keys_are_counted() -> None:
    text = json.dumps({f"key{n}": n for n in range(30)})

    with pytest.raises(ValueError, match="key11 and 18 more$"):
        json_path.select(text, "nokey")


@pytest.mark.parametrize("text", ["no json", '{"a": [1, 2'])
def test_what_is_no_whole_json_says_so(text: str) -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_path.select(text, "a")


def test_of_several_documents_an_index_picks_one() -> None:
    assert "2" == json_path.select('{"a":1}\n{"a":2}\n', "[1].a")


@given(json_texts.TEXTS, st.text("$.[]*\"'ab0\\-", max_size=12))
def test_any_path_gives_json_or_one_line(text: str, path: str) -> None:
    try:
        found = json_path.select(text, path)
    except ValueError as exc:
        assert "\n" not in str(exc)
    else:
        assert found == "" or json_lexer.canon(f"[{found}]")
