"""Listings get a cheaper layout, and come back from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tersely.model import Change, Facts, Proof
from tersely.pipeline import guard
from tersely.text import lines as text_lines
from tersely.transforms.listing import TRANSFORM, columns, tree


def _proved(raw: str, budget_tokens: int = 20_000) -> Change | None:
    text = text_lines.split(raw)
    change = TRANSFORM.apply(text, {"budget_tokens": budget_tokens}, Facts())
    if change is not None:
        assert guard.problem(text, change, transform=TRANSFORM) is None
    return change


_NAMES = st.text("ab.-@#*│├ └|`\\+/:\u00a0é\udcff", min_size=1, max_size=8)
_PATHS = st.lists(st.sampled_from(["src", "a b", "x.py", ".git", "é", ""]), max_size=5)
_Node = tuple[str, "list[_Node]"]
_NODES: st.SearchStrategy[_Node] = st.recursive(
    st.tuples(_NAMES, st.just([])),
    lambda below: st.tuples(_NAMES, st.lists(below, max_size=4)),
    max_leaves=12,
)


def _drawn(nodes: list[_Node], style: tree._Style, prefix: str = "") -> list[str]:
    lines: list[str] = []
    for at, (name, below) in enumerate(nodes):
        last = at == len(nodes) - 1
        if below:
            branch = style.last_open if last else style.mid_open
        else:
            branch = style.last if last else style.mid
        lines.append(prefix + branch + name)
        step = style.blank if last else style.down
        lines += _drawn(below, style, prefix + step)
    return lines


@given(st.lists(_NODES, max_size=6), st.sampled_from(tree.STYLES), st.text(max_size=9))
def test_trees_of_every_style_come_back(
    nodes: list[_Node], style: tree._Style, summary: str
) -> None:
    _proved("\n".join([".", *_drawn(nodes, style), "", summary]))


@pytest.mark.parametrize("style", tree.STYLES, ids=lambda style: style.how)
def test_every_style_is_told_from_the_others(style: tree._Style) -> None:
    below: list[_Node] = [("b", [("c", []), ("d", [])]), ("e", [("f", [("g", [])])])]
    lines = ["root", *_drawn([("a", below), ("h", [])], style)]

    change = _proved("\n".join(lines) + "\n")

    assert change is not None and change.legend is not None and change.text
    assert change.proof is Proof.EXACT
    assert change.legend.how == style.how
    assert change.text.startswith("root\n a\n  b\n   c\n")


@given(st.lists(_PATHS.map("/".join), max_size=15), st.sampled_from(["\n", "\r\n"]))
def test_lists_of_paths_come_back(paths: list[str], end: str) -> None:
    _proved(end.join(paths))


_COLUMNS = st.one_of(
    st.tuples(
        st.sampled_from(["-rw-r--r--", "drwxr-xr-x", "lrwxrwxrwx"]),
        st.integers(0, 99_999),
        st.sampled_from(["Nov  3 19:59", "Nov 30 2024", "2026-11-30 10:00"]),
        _NAMES,
    ).map(lambda row: f"{row[0]} 1 me us {row[1]:>6} {row[2]} {row[3]}"),
    st.tuples(st.integers(0, 9999), _PATHS.map("/".join)).map(
        lambda row: f"{row[0]:>9}  2024-04-06 12:59   {row[1]}"
    ),
    st.tuples(
        st.sampled_from(["ab12cd3", "0f9e8d7"]),
        st.sampled_from(["2026-11-30", "2026-11-29"]),
        _NAMES,
    ).map(" ".join),
    st.tuples(st.integers(0, 99), _PATHS.map("/".join)).map(
        lambda row: f"{row[0]} 2026-11-30 /opt/lib/python/{row[1]}"
    ),
    st.tuples(st.sampled_from(["4.0K", "12"]), _PATHS.map("/".join)).map("\t".join),
    st.sampled_from(["", "total 8", "a/b:", "src/", "12 files", "# *", "1 *", "/:"]),
)


@given(st.lists(_COLUMNS, max_size=14))
def test_columns_come_back_in_canonical_form(rows: list[str]) -> None:
    _proved("\n".join(rows))


@given(st.text())
def test_any_text_is_left_or_proved(raw: str) -> None:
    _proved(raw)
    _proved(raw, budget_tokens=1)


@given(st.text())
def test_the_canonical_form_has_itself_as_canonical_form(raw: str) -> None:
    once = columns.canon(raw)

    assert columns.canon(once) == once


def test_a_name_keeps_its_spaces() -> None:
    rows = [
        f"-rw-r--r-- 1 me us {size:>5} Nov  3 19:59 a  b{size}" for size in range(9)
    ]

    change = _proved("\n".join(rows))

    assert change is not None and change.text is not None
    assert change.proof is Proof.CANONICAL
    assert "\n7 a  b7" in change.text


@pytest.mark.parametrize("draw", ["tree", "find", "ls"])
def test_above_the_budget_every_folder_stays(draw: str) -> None:
    folders = {f"pkg{n}": [f"file{m}.txt" for m in range(n * 20)] for n in range(1, 30)}
    if draw == "tree":
        nodes: list[_Node] = [
            (name, [(f, []) for f in files]) for name, files in folders.items()
        ]
        lines = [".", *_drawn(nodes, tree.STYLES[0])]
    elif draw == "find":
        lines = [f"./{name}/{f}" for name, files in folders.items() for f in files]
    else:
        lines = [x for name, files in folders.items() for x in (f"{name}:", *files, "")]

    change = _proved("\n".join(lines), budget_tokens=2_000)

    assert change is not None
    assert change.proof is Proof.CUT
    gone = {n for cut in change.cuts for n in range(cut.start, cut.start + cut.count)}
    kept = [line for n, line in enumerate(lines) if n not in gone]
    assert all(any(name in line for line in kept) for name in folders)
    assert sum("file1.txt" in line for line in kept) == len(folders)
    assert sum(map(len, kept)) < 2_000 * 3


def test_a_list_without_folders_is_never_cut() -> None:
    rows = [f"package{n}/stable,now 1.{n} amd64 [installed]" for n in range(500)]

    change = _proved("\n".join(rows), budget_tokens=100)

    assert change is not None
    assert change.proof is Proof.EXACT


_HEADS = st.tuples(
    st.sampled_from(["commit 0123abc", "commit 99aabbcc (HEAD -> main, tag: v1)"]),
    st.sampled_from(["", "Merge: 0123abc 4567def\n"]),
    st.sampled_from(["Author: Ann <ann@example.org>", "Author: Bo <bo@example.org>"]),
    st.sampled_from(["Sat Feb 14 14:48:30 2026 +0100", "2026-02-14", "2 days ago"]),
).map(lambda row: f"{row[0]}\n{row[1]}{row[2]}\nDate:   {row[3]}\n")
_LOG_LINES = st.sampled_from(
    """

    message
    commit 0123abc Sat Feb 14 14:48:30 2026 +0100
    Author: Ann <ann@example.org>
    Merge: a b
    Date:   2026-02-14
        deeper
\\message
 a.py | 3 ++-
M\ta.py
commit 0123abc 2026-02-14
Author: Eve <eve@example.org>
Merge: a b
Date:   2026-02-14
""".split("\n")
).map("{}\n".format)


@given(_HEADS, st.lists(_HEADS | _LOG_LINES, max_size=12), st.booleans())
def test_a_log_comes_back_exactly(head: str, rest: list[str], open_end: bool) -> None:
    raw = "".join([head, *rest])
    _proved(raw[:-1] if open_end else raw)


_CELLS = st.lists(
    st.sampled_from(["api-0", "1/1", "Running", "up (5m ago)", "", "<none>", "a  b"]),
    min_size=4,
    max_size=4,
)


def _aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) + 3 for column in zip(*rows, strict=True)]
    lines = [
        "".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return "\n".join(lines)


@given(st.lists(_CELLS, max_size=12))
def test_a_table_of_kubectl_comes_back_and_empty_cells_stay(
    rows: list[list[str]],
) -> None:
    raw = _aligned([["NAME", "READY", "LAST STATUS", "AGE"], *rows])

    _proved(raw)

    canonical = columns.canon(raw)
    assert columns.canon(canonical) == canonical
    for row, line in zip(rows, raw.split("\n")[1:], strict=True):
        if "" in row:
            assert line in canonical.split("\n")


def test_what_a_table_says_in_most_rows_is_said_once() -> None:
    rows = [[f"web-{n}", "1/1", "Running", f"{n}d"] for n in range(1, 20)]
    raw = _aligned(
        [["NAME", "READY", "STATUS", "AGE"], *rows, ["job", "0/1", "Error", "5h"]]
    )

    change = _proved(raw)

    assert change is not None and change.text is not None
    assert "\nweb-7 7d\n" in change.text
    assert "job 0/1 Error 5h" in change.text
    assert len(change.text) < len(raw) / 2


def test_a_table_without_folders_is_never_cut() -> None:
    rows = [[f"web-{n}", f"{n % 2}/1", "Running", f"{n}d"] for n in range(900)]

    change = _proved(
        _aligned([["NAME", "READY", "STATUS", "AGE"], *rows]), budget_tokens=100
    )

    assert change is not None
    assert not change.cuts
