"""Parts of an original are the original's own bytes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tersely.errors import TerselyError, UsageError
from tersely.frontends.cli.slices import Wanted, cut, json_value, ranges
from tersely.text import decode, lines

TEN = b"".join(b"line %d\r\n" % number for number in range(1, 11))


@given(st.binary(max_size=300), st.integers(1, 12), st.integers(0, 12))
def test_ranges_that_tile_the_text_give_it_back(
    data: bytes, width: int, shift: int
) -> None:
    size = len(lines.split(decode.decode(data)[0]).lines)
    starts = range(1, size + 1, width)

    parts = [cut(data, Wanted(ranges=((at, at + width - 1),))) for at in starts]

    assert b"".join(parts) == data
    assert (
        cut(data, Wanted(head=shift)) + cut(data, Wanted(tail=max(0, size - shift)))
        == data
    )


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(), TEN),
        (Wanted(ranges=((2, 3),)), b"line 2\r\nline 3\r\n"),
        (Wanted(ranges=((9, 99),)), b"line 9\r\nline 10\r\n"),
        (Wanted(ranges=((3, 3), (1, 1))), b"line 1\r\nline 3\r\n"),
        (Wanted(head=1), b"line 1\r\n"),
        (Wanted(tail=1), b"line 10\r\n"),
        (Wanted(tail=0), b""),
        (Wanted(ranges=((2, 4),), tail=1, numbers=True), b"4:line 4\r\n"),
        (Wanted(grep="1"), b"1:line 1\r\n--\n10:line 10\r\n"),
        (Wanted(grep="e 4$", context=1), b"3-line 3\r\n4:line 4\r\n5-line 5\r\n"),
        (Wanted(grep="line", head=2), b"1:line 1\r\n2:line 2\r\n"),
        (Wanted(ranges=((5, 6),), grep="line", context=9), b"5:line 5\r\n6:line 6\r\n"),
    ],
)
def test_lines_are_whole_and_numbers_are_the_originals(
    wanted: Wanted, expected: bytes
) -> None:
    assert cut(TEN, wanted) == expected


def test_wide_and_undecodable_text_is_cut_in_its_own_encoding() -> None:
    wide = "eins\nzwei\nüber\n".encode("utf-16")
    latin = b"caf\xe9\nna\xefve\n"

    assert cut(wide, Wanted(ranges=((3, 3),))) == "über\n".encode("utf-16-le")
    assert cut(latin, Wanted(tail=1)) == b"na\xefve\n"


def test_a_pattern_without_a_match_is_an_expected_failure() -> None:
    with pytest.raises(TerselyError, match="no line of 10 matches 'x'") as caught:
        cut(TEN, Wanted(grep="x"))

    assert caught.value.exit_code == 1


def test_a_range_behind_the_end_and_a_bad_pattern_are_wrong_use() -> None:
    with pytest.raises(UsageError, match="line 11 is behind the last, 10"):
        cut(TEN, Wanted(ranges=((11, 12),)))
    with pytest.raises(UsageError, match="bad pattern"):
        cut(TEN, Wanted(grep="("))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", ((3, 3),)),
        ("3-5", ((3, 5),)),
        ("-5", ((1, 5),)),
        ("5-", ((5, 1 << 62),)),
        ("1-2,4", ((1, 2), (4, 4))),
    ],
)
def test_line_ranges_are_read(text: str, expected: tuple[tuple[int, int], ...]) -> None:
    assert ranges(text) == expected


@pytest.mark.parametrize("text", ["", "-", "0", "5-3", "a", "1-2-3", "1,,2", "-0"])
def test_what_is_no_line_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        ranges(text)


DOCUMENT = b'{"a": {"b": [1.10, 1E5, "x\\u00e9"]}, "odd.key": {"c": null}, "d": []}'


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$", DOCUMENT),
        ("$.a.b[0]", b"1.10"),
        ("a.b[1]", b"1E5"),
        (".a.b[-1]", b'"x\\u00e9"'),
        ('$["odd.key"].c', b"null"),
        ("$['odd.key']", b'{"c": null}'),
        ("$.a.b[*]", b'1.10\n1E5\n"x\\u00e9"'),
        ("$.*.b", None),
        ("$.d", b"[]"),
        ("$.d[*]", b""),
    ],
)
def test_a_json_value_is_printed_as_it_is_written(
    path: str, expected: bytes | None
) -> None:
    if expected is None:
        with pytest.raises(TerselyError):
            json_value(DOCUMENT, path)
    else:
        assert json_value(DOCUMENT, path) == expected + (b"\n" if expected else b"")


def test_one_document_a_line_counts_as_a_list() -> None:
    rows = b'{"n": 1}\n{"n": 2}\n\n{"n": 3}\n'

    assert json_value(rows, "$[1].n") == b"2\n"
    assert json_value(rows, "$[*].n") == b"1\n2\n3\n"


@pytest.mark.parametrize(
    ("data", "path", "message"),
    [
        (DOCUMENT, "$.a.x", "$.a has no 'x'"),
        (DOCUMENT, "$.a.b[3]", "$.a.b has 3 items"),
        (DOCUMENT, "$.a.b.c", "$.a.b is a list"),
        (DOCUMENT, "$.a.b[0].c", "is a single value"),
        (b"no json\nat all\n", "$", "the original is no JSON"),
        (b"", "$", "the original is no JSON"),
        (DOCUMENT, "$.a..", "cannot read"),
        (DOCUMENT, "$[", "cannot read"),
    ],
)
def test_a_value_that_is_not_there_is_named(
    data: bytes, path: str, message: str
) -> None:
    with pytest.raises(TerselyError) as caught:
        json_value(data, path)

    assert message in str(caught.value)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.text(max_size=6), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_every_value_of_a_document_is_found_by_its_path(value: object) -> None:
    data = json.dumps(value).encode()

    def check(inner: object, path: str) -> None:
        assert json.loads(json_value(data, path)) == inner
        if isinstance(inner, dict):
            for key, deep in inner.items():
                check(deep, f"{path}[{json.dumps(key)}]")
        elif isinstance(inner, list):
            for at, deep in enumerate(inner):
                check(deep, f"{path}[{at}]")

    check(value, "$")
