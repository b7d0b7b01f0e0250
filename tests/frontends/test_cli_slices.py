"""Parts of an original are the original's own bytes."""

from __future__ import annotations

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


def test_a_json_value_keeps_its_lexemes_and_its_encoding() -> None:
    data = '{"a": [{"price": 1.10}, {"price": 1E5}], "n": "\\u00e9"}'

    assert json_value(data.encode(), "$.a[*].price") == b"1.10\n1E5\n"
    assert json_value(data.encode("utf-8-sig"), "n") == b'"\\u00e9"\n'
    assert json_value(data.encode("utf-16-le"), "a[0]") == (
        '{"price":1.10}\n'.encode("utf-16-le")
    )


@pytest.mark.parametrize(
    ("data", "path", "message"),
    [
        (b'{"a": {"b": 1}}', "$.a.x", "'x'"),
        (b'{"a": [1]}', "$.a[3]", "3"),
        (b"no json\nat all\n", "$", "not JSON"),
        (b'{"a": 1}', "$[", "bad JSON path"),
    ],
)
def test_a_json_value_that_is_not_there_is_an_expected_failure(
    data: bytes, path: str, message: str
) -> None:
    with pytest.raises(TerselyError) as caught:
        json_value(data, path)

    assert str(caught.value).startswith("--json-path: ")
    assert message in str(caught.value)
    assert caught.value.exit_code == 1
