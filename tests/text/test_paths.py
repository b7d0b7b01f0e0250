"""Lists of paths are folded under their folders and come back exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tersely.text import lines, paths


def folded(raw: str) -> str | None:
    """`raw` folded; proved to come back."""
    new = paths.fold(lines.split(raw))
    assert new is None or paths.unfold(new) == raw
    return new


def test_a_folder_is_said_once() -> None:
    new = folded("src/app/main.py\nsrc/app/util.py\nREADME.md\n")

    assert "src/app/\nmain.py\nutil.py\n\nREADME.md\n" == new


def test_a_path_alone_in_its_folder_stays_whole() -> None:
    new = folded("a/x\na/y\nb/z\na/w\n")

    assert "a/\nx\ny\nb/z\nw\n" == new


def test_folder_lines_differ_from_entries_that_end_in_a_slash() -> None:
    new = folded("src/app/\nsrc/lib/\nsrc/x.py\n")

    assert "src/:\napp/\nlib/\nx.py\n" == new


@pytest.mark.parametrize(
    "row",
    [
        " create mode 100644 docs/{}.md",
        " rename docs/{{a => b}}/{}.md (100%)",
        " mode change 100644 => 100755 docs/{}.md",
        " docs/{}.md | 24 ++++",
        "?? docs/{}.md",
        "M\tdocs/{}.md",
        "\tmodified:   docs/{}.md",
        "./a b/{}.md",
    ],
)
def test_a_line_with_words_before_its_path_stays_in_one_piece(row: str) -> None:
    rows = [row.format(name) for name in "xyz"]

    new = folded("\n".join(["src/app/a.py", "src/app/b.py", *rows, "src/app/c.py"]))

    assert new is not None
    assert "src/app/\na.py\nb.py" in new
    assert set(rows) <= set(new.split("\n"))
    assert None is folded("\n".join(rows))


@pytest.mark.parametrize("code", ["?? ", "? ", " M ", "A\t", "A  "])
def test_many_files_of_one_folder_share_their_status(code: str) -> None:
    new = folded("".join(f"{code}build/{name}.o\n" for name in "abcd"))

    assert f"{code}build/\na.o\nb.o\nc.o\nd.o\n" == new


@pytest.mark.parametrize("raw", ["", "a", "a\nb", "a/x\n\na/y", "a/x\ra/y\r"])
def test_nothing_is_folded(raw: str) -> None:
    assert None is folded(raw)


@given(st.lists(st.text("ab/. :\t\u00e9", max_size=9), max_size=14), st.booleans())
def test_any_list_comes_back_exactly(rows: list[str], end: bool) -> None:
    folded("\n".join(rows) + "\n" * end)


@given(st.text())
def test_any_text_comes_back_exactly(raw: str) -> None:
    folded(raw)
