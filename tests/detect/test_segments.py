"""Several contents in one text."""

from __future__ import annotations

import json

from tersely.detect import detect_content_type
from tersely.model import ContentType, Segment

C = ContentType

ORDER = json.dumps(
    {"number": 7, "note": "} not the end {", "lines": [{"sku": "a[", "qty": 3}]},
    indent=2,
)


def _kinds(text: str | bytes) -> list[tuple[int, int, ContentType]]:
    parts = detect_content_type(text).segments
    return [(part.start, part.stop, part.content_type) for part in parts]


def test_banner_json_trailer() -> None:
    size = ORDER.count("\n") + 1

    got = _kinds(f"Fetching the order from the server\n{ORDER}\nDone, bye.\n")

    assert (1, 1 + size, C.JSON) == got[1]
    assert 3 == len(got)


def test_two_islands() -> None:
    got = _kinds(f"first order follows\n{ORDER}\nand the second\n{ORDER}\nend\n")

    assert 2 == sum(kind is C.JSON for *_, kind in got)


def test_unbalanced_json_is_no_island() -> None:
    got = _kinds(f"first order follows\n{ORDER[:-2]}\nand it never ended\n")

    assert all(kind is not C.JSON for *_, kind in got)
    assert 1 == len(got)


def test_text_behind_the_value_on_its_line_is_no_island() -> None:
    got = _kinds(f"first order follows\n{ORDER} and more\nend\n")

    assert 1 == len(got)


def test_small_island_in_a_long_report_stays_in_it() -> None:
    rows = "".join(f"tests/test_a.py::test_number_{n} PASSED\n" for n in range(90))
    end = "==== 90 passed in 2.31s ====\n"

    got = detect_content_type(f"{rows}{ORDER}\n{rows}{end}")

    assert C.BUILD_OUTPUT is got.content_type
    assert 1 == len(got.segments)


def test_http_headers_before_a_body() -> None:
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nServer: x\r\n\r\n"
    rows = json.dumps([{"id": n, "name": f"order {n}"} for n in range(9)])

    got = detect_content_type(head + rows)

    assert C.JSON_ARRAY is got.content_type
    assert Segment(0, 4, C.UNKNOWN, "http_headers") == got.segments[0]
    assert (4, 5) == (got.segments[1].start, got.segments[1].stop)


def test_redirect_has_two_header_blocks() -> None:
    head = "HTTP/2 302\nlocation: /x\n\nHTTP/2 200\ncontent-type: text/html\n\n"
    page = "<!doctype html>\n<html>\n<body>\n<p>here</p>\n" * 9 + "</body></html>\n"

    got = detect_content_type(head + page)

    assert C.HTML is got.content_type
    assert 6 == got.segments[0].stop


def test_diff_then_prose() -> None:
    """Trap 6: `black --diff` is a diff, then words."""
    diff = (
        "--- shop/a.py\t2024-05-01 10:00:00\n+++ shop/a.py\t2024-05-01 10:00:01\n"
        "@@ -1,4 +1,4 @@\n import os\n-x = {'a':1}\n+x = {\"a\": 1}\n \n y = 2\n"
    )
    words = "".join(f"would reformat shop/file_{n}.py\n" for n in range(7))

    got = _kinds(f"{diff}{words}Oh no! 7 files would be reformatted.\n")

    assert [(0, 8, C.DIFF), (8, 16, C.BUILD_OUTPUT)] == got


def test_assertion_diffs_are_part_of_their_report() -> None:
    text = (
        "FAIL __tests__/cart.test.js\n  ● cart › compares\n\n"
        "    - Expected  - 1\n    + Received  + 1\n\n    @@ -1,3 +1,3 @@\n"
        '      Object {\n    -   "a": 1,\n    +   "a": 2,\n      }\n\n'
        "Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n"
    )

    got = detect_content_type(text)

    assert C.BUILD_OUTPUT is got.content_type
    assert 1 == len(got.segments)


def test_json_in_markdown_belongs_to_the_document() -> None:
    text = f"# API\n\nReturns **one** order:\n\n```json\n{ORDER}\n```\n\n- `number`\n"

    got = detect_content_type(text)

    assert C.MARKDOWN is got.content_type
    assert 1 == len(got.segments)


def test_stream_of_one_line_values_is_one_text() -> None:
    rows = [json.dumps({"id": n, "text": "x" * 500}) for n in range(20)]

    assert 1 == len(_kinds("\n".join(rows)))
