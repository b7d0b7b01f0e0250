"""What the documents show is what the program does.

A ``console`` block is run, command by command, in the repository with a home
directory of its own, and its output compared; ``pycon`` blocks are doctests.
``--update-goldens`` writes the output of ``console`` blocks anew.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tersely import errors
from tersely.model import ContentType, Proof
from tersely.pipeline import emit

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("*/*.md"))]
CONSOLE = re.compile(r"(?m)^```console\n(.*?)^```$", re.DOTALL)
PYCON = re.compile(r"(?m)^```pycon\n(.*?)^```$", re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)(?:#[^)\s]*)?\)")

each_page = pytest.mark.parametrize(
    "page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES]
)


@each_page
def test_quoted_commands_print_what_is_quoted(
    page: Path, tmp_path: Path, update_goldens: bool
) -> None:
    if page.name == "cli.md" and sys.version_info >= (3, 13):
        pytest.skip("argparse words its help otherwise from Python 3.13 on")
    text = page.read_text("utf-8")

    current = CONSOLE.sub(lambda block: rerun(block.group(1), tmp_path), text)

    if update_goldens and current != text:
        page.write_text(current, "utf-8")
        text = current
    assert text == current


@each_page
def test_quoted_python_gives_what_is_quoted(
    page: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    session = "".join(PYCON.findall(page.read_text("utf-8")))
    test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    report: list[str] = []

    failed, _ = doctest.DocTestRunner().run(test, out=report.append)

    assert 0 == failed, "".join(report)


@each_page
def test_links_lead_to_files(page: Path) -> None:
    linked = LINK.findall(page.read_text("utf-8"))

    assert [] == [link for link in linked if not (page.parent / link).exists()]


def test_emission_page_names_every_unit_legend_and_proof() -> None:
    page = (ROOT / "docs/emission.md").read_text("utf-8")
    clauses = {
        clause.removeprefix("as ")
        for hows in emit.LEGENDS.values()
        for how in hows
        for clause in ([how] if f"`{how}`" in page else how.split(", "))
    }
    names = [*emit.LEGENDS, *clauses, *(proof.value for proof in Proof)]

    assert [] == [name for name in names if f"`{name}`" not in page]
    assert [] == [unit for unit in emit.UNITS if unit not in page]


def test_emission_page_shows_engine_lines_as_they_are_written() -> None:
    page = (ROOT / "docs/emission.md").read_text("utf-8")
    lines = [
        emit.marker(412),
        emit.tail_label(40),
        emit.footer("3f2a9c0b7d1e"),
        emit.footer("ccr:3f2a9c0b7d1e4a5b6c7d8e9f"),
        emit.same_as_before("3f2a9c0b7d1e"),
    ]

    assert [] == [line for line in lines if f"`{line}`" not in page]


def test_readme_names_the_two_commands_and_every_exit_code() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    raised = {
        error.exit_code
        for error in vars(errors).values()
        if isinstance(error, type) and issubclass(error, errors.TerselyError)
    }

    assert "python3 dev.py demo" in readme and "python3 dev.py test" in readme
    assert [] == [
        code for code in sorted({0, 3, 130} | raised) if f"`{code}`" not in readme
    ]


def test_architecture_page_routes_every_content_type() -> None:
    from tersely.pipeline.classify import ROUTES

    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    rows = [f"| `{kind.value}` | `{ROUTES[kind]}` |" for kind in ContentType]

    assert [] == [row for row in rows if row not in page]


def test_cli_page_quotes_the_help_of_every_command() -> None:
    from tersely.frontends.cli.commands import COMMANDS

    page = (ROOT / "docs/cli.md").read_text("utf-8")
    quoted = [f"\n$ ctx {name} --help\n" for name in COMMANDS]

    assert [] == [line for line in quoted if line not in page]


def test_changelog_has_a_section_for_what_is_not_released() -> None:
    assert "\n## [Unreleased]\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def rerun(block: str, home: Path) -> str:
    """The block with the output that its commands print now."""
    commands = re.findall(r"(?m)^\$ (.*)$", block)
    shown = [f"$ {command}\n{output(command, home)}" for command in commands]
    return "```console\n" + "\n".join(shown) + "```"


def output(command: str, home: Path) -> str:
    """What `command` prints on a plain terminal of 80 columns."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={
            "HOME": str(home),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "80",
            "NO_COLOR": "1",
            "LC_ALL": "C.UTF-8",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    text = done.stdout
    return text if not text or text.endswith("\n") else text + "\n"
