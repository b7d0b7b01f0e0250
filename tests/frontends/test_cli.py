"""The command table, its help, and how errors reach a person."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tersely.frontends.cli import main as entry
from tersely.frontends.cli.commands import COMMANDS
from tersely.frontends.cli.main import main

MODULES = Path(importlib.import_module("tersely.frontends.cli.commands").__path__[0])
each_command = pytest.mark.parametrize("name", COMMANDS)


def test_the_table_and_the_folder_agree() -> None:
    modules = {path.stem for path in MODULES.glob("*.py")} - {"__init__"}

    assert modules == set(COMMANDS)


@each_command
def test_a_command_says_what_it_reads_writes_and_returns(name: str) -> None:
    module = importlib.import_module(f"tersely.frontends.cli.commands.{name}")
    lines = (module.__doc__ or "").splitlines()

    assert lines[0].startswith(f"ctx {name}") and " -- " in lines[0]
    assert lines[0].endswith(".")
    for heading in ("Reads:", "Writes:", "Exit:"):
        assert any(line.startswith(heading) for line in lines)


@each_command
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main([name, "--help"])
    except SystemExit as exc:  # argparse leaves so
        code = int(exc.code or 0)

    out = capsys.readouterr().out
    assert code == 0
    assert out.startswith(f"usage: ctx {name} ")
    assert max(map(len, out.splitlines())) <= 88


@pytest.mark.parametrize("argv", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_every_command(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 0

    out = capsys.readouterr().out
    for name, what in COMMANDS.items():
        assert f"  {name:<9} {what}\n" in out


def test_help_of_a_command_can_be_asked_for_both_ways(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["run", "--help"])
    first = capsys.readouterr().out
    main(["help", "run"])

    assert capsys.readouterr().out == first


def test_help_and_short_runs_import_next_to_nothing(home: Path) -> None:
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from tersely.frontends.cli.main import main\n"
        "main(sys.argv[1:])\n"
        "print(*(set(sys.modules) - before), file=sys.stderr)\n"
    )
    dear = {"argparse", "asyncio", "dataclasses", "logging", "msgspec", "pathlib", "re"}
    dear |= {"platformdirs", "sqlite3", "subprocess", "tiktoken", "typing"}
    for argv in (["--help"], ["run", "--", "echo", "hi"]):
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _with_path(code), *argv],
            capture_output=True,
            text=True,
        )
        loaded = set(done.stderr.split())
        assert "tersely.frontends.cli.main" in loaded
        assert dear & loaded == set()
        assert not {name for name in loaded if name.startswith("tersely.pipeline")}


def _with_path(code: str) -> str:
    return f"import sys; sys.path.insert(0, {str(MODULES.parents[3])!r})\n{code}"


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        (["rum"], "no command 'rum'", "did you mean `ctx run`?"),
        (["pytest"], "no command 'pytest'", "ctx run -- pytest"),
        (["run"], "run: no command given", "ctx run -- COMMAND"),
        (["run", "--fast", "--", "ls"], "run: no option '--fast'", "--help"),
        (["pipe", "--exit-code", "x"], "not an exit code: 'x'", "0 to 255"),
        (["pipe", "--exit-code=256"], "not an exit code: '256'", "0 to 255"),
        (["pipe", "--exit-code", "-1"], "not an exit code: '-1'", "0 to 255"),
        (["pipe", "--task"], "--task needs a value", "ctx pipe --help"),
        (["pipe", "--fast"], "no option '--fast'", "ctx pipe --help"),
        (["pipe", "pytest"], "one word too many: 'pytest'", "ctx run -- pytest"),
        (["expand"], "required: HANDLE", "ctx expand --help"),
        (["expand", "ab", "--lines", "5-3"], "invalid line range", "ctx expand"),
        (["expand", "ab", "--head", "-1"], "invalid whole number", "ctx expand"),
        (["archive", "burn"], "invalid choice: 'burn'", "ctx archive --help"),
        (["stats", "--by", "moon"], "invalid choice: 'moon'", "ctx stats --help"),
    ],
)
def test_wrong_use_is_one_line_a_hint_and_exit_2(
    argv: list[str], message: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(argv)

    out, err = capsys.readouterr()
    first, second = err.splitlines()
    assert (code, out) == (2, "")
    assert first.startswith("ctx: ") and message in first
    assert second.startswith("hint: ") and hint in second


def test_a_bug_is_exit_3_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(argv: list[str]) -> int:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(entry, "_dispatch", broken)

    assert main(["run"]) == 3
    assert "on purpose" in caplog.text and "Traceback" in caplog.text


def test_an_interrupt_is_exit_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(argv: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "_dispatch", interrupted)

    assert main(["run"]) == 130


def test_a_reader_that_leaves_early_is_no_error() -> None:
    code = "from tersely.frontends.cli.main import console; raise SystemExit(console())"
    read_end, write_end = os.pipe()
    os.close(read_end)

    done = subprocess.run(
        [sys.executable, "-c", code, "--help"],
        stdout=write_end,
        stderr=subprocess.PIPE,
    )
    os.close(write_end)

    assert (done.returncode, done.stderr) == (0, b"")


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    from importlib.metadata import version

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ctx {version('tersely')}\n"
