"""Search hits are regrouped exactly, whatever the files are called."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tersely.model import Change, Facts, Proof, Text
from tersely.pipeline import guard
from tersely.text import lines as text_lines
from tersely.transforms.search_hits import TRANSFORM


def _apply(text: Text, budget_tokens: int = 20_000) -> Change | None:
    return TRANSFORM.apply(text, {"budget_tokens": budget_tokens}, Facts())


def _proved(raw: str, budget_tokens: int = 20_000) -> Change | None:
    text = text_lines.split(raw)
    change = _apply(text, budget_tokens)
    if change is not None:
        assert guard.problem(text, change, transform=TRANSFORM) is None
    return change


_PATHS = st.sampled_from(
    ["src/app.py", "lib/b c.js", "12:x/y.txt", "a-3-b.c", "C:\\x\\y.cs", "HEAD:m.go"]
) | st.text("abc/.:-12 =", min_size=1, max_size=12)
_TEXTS = st.text("ab :-=12/\u00e9\udcff[]", max_size=20) | st.sampled_from(
    ["", "x:12:y", "07/app.log:2:ERROR", "see b.py:7: error", "--"]
)
_ROWS = st.tuples(_PATHS, st.sampled_from(":-="), st.integers(0, 300), _TEXTS).map(
    lambda row: f"{row[0]}{row[1]}{row[2]}{row[1]}{row[3]}"
)
_OTHERS = st.sampled_from(
    ["", "--", "Binary file a.bin matches", "12:text", "src/app.py", "x:", "7-x"]
)
_PLAIN = st.tuples(_PATHS, _TEXTS).map(":".join)
_ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])


@given(st.lists(st.tuples(_ROWS | _OTHERS, _ENDS), max_size=12), st.booleans())
def test_numbered_hits_come_back_exactly(
    rows: list[tuple[str, str]], open_end: bool
) -> None:
    raw = "".join([part for row in rows for part in row])
    _proved(raw[:-1] if open_end else raw)


@given(st.lists(st.tuples(_PLAIN | _OTHERS, _ENDS), max_size=12))
def test_plain_hits_come_back_exactly(rows: list[tuple[str, str]]) -> None:
    _proved("".join([part for row in rows for part in row]))


@given(st.lists(_PATHS | _OTHERS, max_size=12))
def test_lists_of_paths_come_back_exactly(paths: list[str]) -> None:
    _proved("\n".join(paths))


@given(st.text())
def test_any_text_is_left_or_proved(raw: str) -> None:
    _proved(raw)
    _proved(raw, budget_tokens=1)


@given(st.lists(_ROWS | _OTHERS | _PLAIN, max_size=30))
def test_a_cut_keeps_the_first_hit_of_every_file(rows: list[str]) -> None:
    _proved("\n".join(rows), budget_tokens=2)


def _event(path: str, line: str, number: int, start: int, stop: int) -> str:
    data = line.encode("utf-8")
    matched = data[start:stop].decode("utf-8", "ignore")
    return json.dumps(
        {
            "type": "match",
            "data": {
                "path": {"text": path},
                "lines": {"text": line + "\n"},
                "line_number": number,
                "absolute_offset": number * 40,
                "submatches": [
                    {"match": {"text": matched}, "start": start, "end": stop}
                ],
            },
        },
        separators=(",", ":"),
        ensure_ascii=False,
    )


_EVENTS = st.builds(
    _event,
    st.sampled_from(["a.py", 'b"c.py', "end 0s"]),
    st.text('ab\\"\t\n\r\x1b\u00e9\u2028/{}', max_size=9),
    st.integers(0, 99),
    st.integers(0, 4),
    st.integers(0, 9),
) | st.sampled_from(
    [
        '{"type":"begin","data":{"path":{"text":"a.py"}}}',
        '{"type":"begin","data":{"path":{"text":"b\\"c.py"}}}',
        '{"type":"begin","data":{"path":{"text":""}}}',
        '{"type":"end","data":{"path":{"text":"a.py"},"binary_offset":null,"stats":'
        '{"elapsed":{"secs":1,"nanos":550667,"human":"1.000551s"},"searches":1,'
        '"searches_with_match":1,"bytes_searched":9,"bytes_printed":8,'
        '"matched_lines":1,"matches":1}}}',
        "{}",
        "",
        "rg: no such file",
    ]
)


@given(st.lists(_EVENTS, max_size=10), st.sampled_from(["\n", "\r\n"]))
def test_events_come_back_exactly(events: list[str], end: str) -> None:
    begin = '{"type":"begin","data":{"path":{"text":"a.py"}}}'
    _proved(end.join([begin, *events]))


def test_above_the_budget_every_file_keeps_its_first_hits() -> None:
    files = [f"src/pkg{number}/mod.py" for number in range(40)]
    raw = "".join(
        f"{path}:{line}:    return self.value_{line}\n"
        for path in files
        for line in range(1, 60)
    )

    change = _proved(raw, budget_tokens=2_000)

    assert change is not None
    assert change.proof is Proof.CUT
    gone = {n for cut in change.cuts for n in range(cut.start, cut.start + cut.count)}
    kept = [line for n, line in enumerate(raw.splitlines()) if n not in gone]
    assert {line.split(":")[0] for line in kept} == set(files)
    assert len(kept) > len(files)
    assert sum(map(len, kept)) < 2_000 * 4


def test_above_the_budget_a_hit_keeps_its_context() -> None:
    hunk = "a.py-{0}-before\na.py:{1}:hit\na.py-{2}-after\n"
    raw = "--\n".join(hunk.format(n, n + 1, n + 2) for n in range(10, 900, 10))

    change = _proved(raw, budget_tokens=100)

    assert change is not None
    first = change.cuts[0].start
    assert raw.splitlines()[first] == "--"
    assert change.cuts[-1].start + change.cuts[-1].count == len(raw.splitlines())


def test_a_long_minified_line_is_shown_by_its_ends() -> None:
    raw = "".join(
        f"dist/app{number}.js:1:{'var a=1;' * 2_000}\n" for number in range(20)
    )

    change = _proved(raw, budget_tokens=2_000)

    assert change is not None
    assert change.proof is Proof.EDIT
    assert not change.cuts
    assert all(len(edit.line) < 1_000 for edit in change.edits)


def test_ten_megabytes_on_one_line_are_left_alone() -> None:
    assert _proved("a:1:" + "x:2:" * 2_500_000 + "\n", budget_tokens=10**9) is None


_SAME = st.tuples(
    st.sampled_from(["a.py", "src/a.py", "src/b.py", "src/d e.py", "C:\\x.cs"]),
    st.integers(1, 99),
    st.sampled_from(["import os", "import os", "import os", "=x/y/", "", "a:7", "é"]),
).map(lambda row: f"{row[0]}:{row[1]}:{row[2]}")


@given(st.lists(_SAME | _OTHERS, max_size=4), st.lists(_SAME, max_size=20))
def test_repeated_texts_come_back_exactly(some: list[str], more: list[str]) -> None:
    _proved("\n".join([*some, *sorted(more, key=lambda row: row[-5:])]))


def test_one_text_in_many_files_is_said_once() -> None:
    rows = [f"src/pkg/m{n}.py:{n + 3}:from __future__ import x\n" for n in range(30)]

    change = _proved("".join(rows) + "src/pkg/z.py:9:from __future__ import y\n")

    assert change is not None and change.text is not None
    assert 1 == change.text.count("from __future__ import x")
    assert "=from __future__ import x\nsrc/pkg/\nm0.py:3\nm1.py:4\n" in change.text
    assert "\nz.py:9:from __future__ import y" in change.text


def test_imports_go_where_asked_and_are_counted() -> None:
    imports = [
        "import os", "from a.b import c", "import { x } from 'y'", "use std::fmt;",
        "#include <stdio.h>", "const x = require('y')", "using System.Text;",
        "import static java.util.List.of;", "require 'json'",
    ]  # fmt: skip
    others = ["important = 1", "x = user", "# import this", "from the top", "used"]
    raw = "".join(
        f"src/m.x:{n}:{text}\n" for n, text in enumerate([*imports, *others], 1)
    )
    text = text_lines.split(raw)
    params = {**TRANSFORM.defaults, "drop_imports": True, "pins": (0,)}

    change = TRANSFORM.apply(text, params, Facts())

    assert change is not None
    assert guard.problem(text, change, transform=TRANSFORM, pins=(0,)) is None
    assert [(1, len(imports) - 1)] == [(c.start, c.count) for c in change.cuts]


def test_a_search_for_imports_shows_them() -> None:
    raw = "".join(f"src/m{n}.py:1:import os\n" for n in range(9))
    text = text_lines.split(raw)

    change = TRANSFORM.apply(
        text, {**TRANSFORM.defaults, "drop_imports": True}, Facts()
    )

    assert change is None or not change.cuts


def test_null_separated_rows_stay_as_they_are() -> None:
    rows = [f"src/m{n}.py\0{n}:import os" for n in range(1, 20)]

    assert _proved("\n".join(rows)) is None
