"""What the detector says about single texts: worked blocks, and what is no hit."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detect import inputs
from tersely import detect
from tersely.detect import detect_content_type, detect_text, prefixes
from tersely.detect.view import View
from tersely.model import ContentType, Text
from tersely.text import lines as text_lines

C = ContentType


@pytest.mark.parametrize(
    ("text", "kind", "signal"),
    [
        ('[{"id": 1}, {"id": 2}, {"id": 3}]', C.JSON_ARRAY, "record_brackets"),
        (
            "collected 42 items\n"
            "tests/test_a.py::test_total PASSED\n"
            "tests/test_a.py::test_export FAILED\n"
            "==== 1 failed, 41 passed in 2.31s ====\n",
            C.BUILD_OUTPUT,
            "runner_banner",
        ),
        (
            "src/main.py:42:def process():\n"
            "src/main.py:57:    return process()\n"
            "src/util/io.py:3:import process\n",
            C.SEARCH_RESULTS,
            "grep_rows",
        ),
        ("src/main.py:42:def process():", C.SEARCH_RESULTS, "grep_rows"),
        (
            "We met on Tuesday to talk about the release.\n"
            "Anna will write the plan and send it before Friday.\n"
            "Next time we look at the numbers of the first week.\n",
            C.PLAIN_TEXT,
            "none",
        ),
        (
            "src/codec.c:12:3: error: expected ';' before '}' token\n",
            C.BUILD_OUTPUT,
            "diagnostic_rows",
        ),
        (
            "shop/a.py:12:3: error: Name 'x' is not defined  [name-defined]\n"
            "shop/a.py:14:1: note: See the documentation\n",
            C.BUILD_OUTPUT,
            "diagnostic_rows",
        ),
    ],
)
def test_worked_blocks(text: str, kind: ContentType, signal: str) -> None:
    got = detect_content_type(text)

    assert (kind, signal) == (got.content_type, got.signal)


@pytest.mark.parametrize(
    "row",
    [
        "2024-05-01T10:{n:02}:07.123Z worker started",
        "2024-05-01 10:{n:02}:07,123 INFO started",
        "May  1 10:{n:02}:07 web-1 sshd[411]: session opened",
        "10:{n:02}:07 worker {n} started",
        "10:{n:02}:07: worker started",
        "key{n}:{n}:val",
        "src/main.cpp({n}): error C2065: 'x': undeclared identifier",
        "fe80::{n}:80: up",
        "2001:db8::{n}:443:open",
        "C:\\src\\main.py:{n}: found",
        "C:\\src\\main.py:{n}:found",
        "src\\main.py:{n}:found",
        "http://localhost:80{n:02}:ok",
        "https://example.org:80{n:02}: timeout",
        "db.example.org:5432:{n} connections",
        "127.0.0.1:80{n:02}:open",
        "INFO:root:{n}:started",
        "[10:{n:02}:07] src/main.py:{n}: reloaded",
        "01/May/2024:10:{n:02}:07 started",
        "error at src/main.py:{n}: bad",
    ],
)
def test_rows_that_are_no_search_hits(row: str) -> None:
    text = "".join(row.format(n=n) + "\n" for n in range(1, 13))

    assert detect_content_type(text).content_type is not C.SEARCH_RESULTS
    one = detect_content_type(row.format(n=7) + "\n")
    assert one.content_type is not C.SEARCH_RESULTS


@pytest.mark.parametrize(
    "text",
    [
        "src/a.py-11-x = 1\nsrc/a.py:12:y = 2\nsrc/a.py-13-z = 3\n--\n"
        "src/b.py-1-import x\nsrc/b.py:2:y = 2\n",
        "bool.go=62=func (f *FlagSet) BoolVar(p *bool) {\nbool.go:67:  return p\n",
        "src/a.py\n12:y = 2\n31:    y = 3\n\nsrc/b.py\n4:y = 1\n",
        "src/a.py:3\nsrc/b.py:0\nMakefile:12\n",
        "src/a.py:3:5:y = 2\nsrc/a.py:9:1:y = 3\nsrc/b.py:1:12:z = y\n",
        "12:def y():\n19:    y()\n44:y = 2\n",
        "src/a.py:3:x\ngrep: private/b: Permission denied\nsrc/c.py:9:x\n"
        "Binary file src/tool.bin matches\nsrc/d.py:1:x\n",
        "main:src/a.py:3:import re\nmain:src/b.py:9:import re\n",
        "Makefile:3:all: build\nDockerfile:1:FROM scratch\n",
        "./a b/c d.txt:3:text\n./a b/c d.txt:9:text\n",
        "app.log:3:2024-05-01T10:00:00Z ERROR x\napp.log:9:10:20:30 y\n",
    ],
)
def test_ways_in_which_hits_are_printed(text: str) -> None:
    assert detect_content_type(text).content_type is C.SEARCH_RESULTS


def test_a_banner_beyond_the_first_lines_counts() -> None:
    """Trap 6: nothing is decided by the first bytes."""
    noise = "".join(f"copying file number {n} to its place\n" for n in range(60))
    end = "==== 1 failed, 41 passed in 2.31s ====\n"
    report = "".join(f"tests/test_a.py::test_{n} PASSED\n" for n in range(30))

    got = detect_content_type(noise + report + end)

    assert got.content_type is C.BUILD_OUTPUT


def test_a_banner_quoted_in_log_lines_is_a_log() -> None:
    rows = [
        f"2024-05-01T10:{n:02}:07Z INFO ci: ==== test session starts ====\n"
        for n in range(30)
    ]

    assert detect_content_type("".join(rows)).content_type is C.LOG


def test_go_failures_are_no_diff() -> None:
    text = "--- FAIL: TestParse (0.00s)\n    a_test.go:4: got 1\n+++ want 2\nFAIL\n"

    assert detect_content_type(text).content_type is C.BUILD_OUTPUT


def test_report_with_time_stamps_before_each_line_is_a_report() -> None:
    body = [
        "============ test session starts ============",
        "collected 3 items",
        "tests/test_a.py::test_x PASSED",
        "tests/test_a.py::test_y FAILED",
        "tests/test_a.py::test_z PASSED",
        "============ 1 failed, 2 passed in 0.10s ============",
    ]
    for stamp in ("10:00:0{n} ", "[2024-05-01T10:00:0{n}.000Z] ", "web-1  | "):
        text = "".join(stamp.format(n=n) + row + "\n" for n, row in enumerate(body))

        assert detect_content_type(text).content_type is C.BUILD_OUTPUT, stamp


def test_nothing_and_blank_are_unknown() -> None:
    assert detect_content_type("").content_type is C.UNKNOWN
    assert detect_content_type("\n\n  \n").content_type is C.UNKNOWN
    assert detect_text(Text((), ())).segments == ()


def test_broken_family_falls_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(view: View) -> None:
        raise RuntimeError("a family that fails")

    data = b"src/main.py:42:def process():\nsrc/a.py:1:x\n"
    for row in detect.ROWS:
        if row != "search":
            module = import_module(f"tersely.detect.{row}")
            monkeypatch.setattr(module, "evidence", broken)

    assert detect_content_type(data).content_type is C.SEARCH_RESULTS
    search = import_module("tersely.detect.search")
    monkeypatch.setattr(search, "evidence", broken)
    assert detect_content_type(data).content_type is C.UNKNOWN


@pytest.mark.parametrize("row", detect.ROWS)
def test_no_family_raises_on_labelled_inputs(row: str) -> None:
    """`detect_text` would hide it."""
    family = import_module(f"tersely.detect.{row}")
    for name, _, data in inputs.labelled():
        text = detect._canonical(data)
        prefix, body = prefixes.strip(text.lines)
        for claim in family.evidence(View(body, prefix)):
            assert 0 <= claim.confidence <= 1, name
            assert claim.signal.replace("_", "").isalnum()


@given(st.text())
def test_every_text_has_an_answer_and_segments_tile_it(text: str) -> None:
    _tiles(text_lines.split(text))


_FRAGMENTS = st.sampled_from(
    [
        '{"a": 1', "}", "[", "]", '"', "@@ -1,2 +1,2 @@", "--- a", "+++ b", "+x", "-y",
        " z", "HTTP/1.1 200 OK", "K: v", "", "src/a.py:1:x", "src/a.py:1:2: error: x",
        "diff --git a/a b/a", "| a | b |", "|---|---|", "# T", "```", "key: value",
        "2024-05-01T10:00:00Z x", "a\tb\tc", "a,b,c", "│", "\x00\x01", "\udc80",
        "GIT binary patch", "***************", "1c1", "< x", "> y", "@@@ -1 -1 +1 @@@",
    ]
)  # fmt: skip


@given(st.lists(_FRAGMENTS, max_size=30), st.booleans())
def test_hostile_mixtures_have_an_answer(rows: list[str], island: bool) -> None:
    if island:
        rows = [*rows, "{", '"a": [1,', "2]", "}", *rows]
    text = text_lines.split("\n".join(rows))

    _tiles(text)

    prefix, body = prefixes.strip(text.lines)
    view = View(body, prefix)
    for row in detect.ROWS:
        list(import_module(f"tersely.detect.{row}").evidence(view))


def _tiles(text: Text) -> None:
    got = detect_text(text)
    assert detect_text(text) == got
    at = 0
    for part in got.segments:
        assert part.start == at < part.stop
        at = part.stop
    assert at == len(text.lines)
    if got.segments:
        assert got.content_type in {part.content_type for part in got.segments}


def test_importing_the_package_imports_no_parser() -> None:
    code = (
        "import sys; import tersely.detect; "
        "sys.exit(any(name in sys.modules for name in ('json', 'csv', 'asyncio')))"
    )

    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
