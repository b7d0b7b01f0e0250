"""Texts made to be slow (ReDoS): time is bounded by the length.

The cap is ten times what the slowest takes on a loaded machine.
"""

from __future__ import annotations

import time

import pytest

from tersely.detect import detect_content_type, detect_text
from tersely.text import lines as text_lines

SIZE = 1_000_000
CAP_S = 15.0

#: Repeated up to one line of a megabyte, and, cut to 590, as thousands of lines.
PIECES = (
    "a", " ", "\t", "=", "-", "_", ".", "[", "]", "{", "}", "(", ")", ":", "::", "|",
    "| ", "|-", "│", "─", "`", "**", "#", "# ", "<", "<a ", "</", "/", "a/", "./", "\\",
    "1", "1:", "1,", "1 ", "1.", ":1:", "-1-", "=1=", "a:1:", "./a:1:", "2024-05-01 ",
    "10:00:00 ", "@@ -1 +1 @@", "+ ", "- ", "a=", "a=b ", "a: ", '"', '"a', '"a": ',
    '{"a":', "[[", "[{", "(a)", "at a(", "::a ", "... ", "...", " .. ", "  a", "a  ",
    "\u00e9", "\u4e2d", "x\udc80", "~", "^", "* ", "*", "├──", "0", "0f", "0f ",
    "FAILED ", "==== ", "error: ", " error: a", "\u00a0", "PASSED::", " (1,2): error",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_one_line_of_a_megabyte(piece: str) -> None:
    text = piece * (SIZE // len(piece))

    assert _seconds(text) < CAP_S
    assert _seconds("x\n" + text + "!\n" + text + "\ny\n") < CAP_S


@pytest.mark.parametrize("piece", PIECES)
def test_thousands_of_long_lines(piece: str) -> None:
    line = piece * (590 // len(piece))

    assert _seconds(f"{line}\n" * 1500) < CAP_S
    assert _seconds(f"{line}!\n" * 1500) < CAP_S


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[",
        '{"a": [',
        '{"a": "',
        '["a", ',
        "@@ -1,999999 +1,999999 @@",
        "diff --git a/a b/a",
        "HTTP/1.1 200 OK",
        "***************",
        "1c1",
        "GIT binary patch",
        "",
    ],
)
def test_many_openings_that_never_close(line: str) -> None:
    assert _seconds(f"{line}\n" * 60_000) < CAP_S
    assert _seconds(f"{line}\nx\n" * 30_000) < CAP_S


def test_whole_call_with_canonical_form() -> None:
    started = time.process_time()
    detect_content_type("\x1b[31mx\x1b[0m\r" * 100_000)

    assert time.process_time() - started < CAP_S


def _seconds(text: str) -> float:
    lines = text_lines.split(text)
    started = time.process_time()
    detect_text(lines)
    return time.process_time() - started
