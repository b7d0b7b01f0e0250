"""`ctx run`: what the agent, the shell and the child see of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from frontends.process import CTX, Ctx

SAY = "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read())"


def _say(path: Path, code: int = 0, stream: str = "stdout") -> list[str]:
    """A child that prints a file and ends with a code."""
    text = SAY.replace("stdout", stream) + f"; sys.exit({code})"
    return [sys.executable, "-c", text, str(path)]


@pytest.mark.parametrize("code", [0, 1, 2, 77, 127, 255])
def test_the_exit_code_is_the_commands(ctx: Ctx, code: int) -> None:
    done = ctx("run", "--", "sh", "-c", f"echo out; echo err >&2; exit {code}")

    assert (done.returncode, done.stdout, done.stderr) == (code, b"out\n", b"err\n")


@pytest.mark.parametrize("shell", ["bash", "dash", "sh"])
@pytest.mark.parametrize("name", ["TERM", "KILL", "INT", "SEGV", "PIPE"])
def test_a_shell_sees_a_signal_as_it_would_without_us(
    shell: str, name: str, home: Path
) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = 'ulimit -c 0; "$@"; echo $?'
    child = ["sh", "-c", f"kill -{name} $$"]

    said = [
        subprocess.run(
            [shell, "-c", script, shell, *before, *child], capture_output=True
        ).stdout
        for before in ([], [*CTX, "run", "--"])
    ]

    number = getattr(signal, f"SIG{name}")
    assert said == [b"%d\n" % (128 + number)] * 2


def test_a_missing_program_is_said_as_a_shell_says_it(ctx: Ctx) -> None:
    for flags in ([], ["--raw"]):
        done = ctx("run", *flags, "--", "surely-no-such-program")

        assert done.returncode == 127
        assert done.stderr == b"ctx: surely-no-such-program: command not found\n"


def test_a_failing_test_run_is_shortened_and_comes_back(
    ctx: Ctx, failing_run: bytes, tmp_path: Path
) -> None:
    text = tmp_path / "said"
    text.write_bytes(failing_run)

    done = ctx("run", "--", *_say(text, 1))

    assert done.returncode == 1
    assert len(done.stdout) < len(failing_run) / 3
    assert b"E       assert 151 == 152\n" in done.stdout
    assert b"1 failed, 299 passed" in done.stdout
    assert done.stderr == b""
    footer = done.stdout.splitlines()[-1]
    assert ctx("expand", footer.decode()).stdout == failing_run
    assert ctx("expand", "-", input=done.stdout).stdout == failing_run


def test_streams_do_not_cross(ctx: Ctx, failing_run: bytes, tmp_path: Path) -> None:
    text = tmp_path / "said"
    text.write_bytes(failing_run)
    child = _say(text, 1, "stderr")
    child[2] = "print('short');" + child[2]

    done = ctx("run", "--", *child)

    assert done.stdout == b"short\n"
    assert b"E       assert 151 == 152\n" in done.stderr
    assert len(done.stderr) < len(failing_run) / 3


def test_raw_is_raw(ctx: Ctx, failing_run: bytes, tmp_path: Path) -> None:
    text = tmp_path / "said"
    text.write_bytes(failing_run)

    assert ctx("run", "--raw", "--", *_say(text, 3)).stdout == failing_run


@pytest.mark.parametrize(
    "environ", [{"CTX_DISABLE": "1"}, {"CTX_MODE": "off"}, {"CTX_MODE": "measure"}]
)
def test_each_switch_gives_the_commands_bytes(
    ctx: Ctx, failing_run: bytes, tmp_path: Path, environ: dict[str, str]
) -> None:
    text = tmp_path / "said"
    text.write_bytes(failing_run)

    done = ctx("run", "--", *_say(text, 3), env={**os.environ, **environ})

    assert (done.returncode, done.stdout) == (3, failing_run)


def test_a_file_gets_the_commands_bytes(
    ctx: Ctx, failing_run: bytes, tmp_path: Path
) -> None:
    text = tmp_path / "said"
    text.write_bytes(failing_run)

    with open(tmp_path / "out", "wb") as out:
        done = ctx("run", "--", *_say(text, 4), stdout=out)

    assert done.returncode == 4
    assert (tmp_path / "out").read_bytes() == failing_run


def test_stdin_reaches_the_command(ctx: Ctx) -> None:
    data = bytes(range(256))

    done = ctx("run", "--", "od", "-An", "-tx1", input=data)

    assert bytes.fromhex(done.stdout.decode()) == data


def test_json_holds_both_streams_and_the_code(
    ctx: Ctx, failing_run: bytes, tmp_path: Path
) -> None:
    text = tmp_path / "said"
    text.write_bytes(failing_run + b"\xff\n")

    done = ctx("run", "--json", "--", *_say(text, 1))
    said = json.loads(done.stdout)

    assert done.returncode == said["exit_code"] == 1
    assert said["stdout"]["content_type"] == "BUILD_OUTPUT"
    assert said["stdout"]["proof"] == "cut"
    assert said["stdout"]["tokens_out"] < said["stdout"]["tokens_raw"]
    blocks = said["stdout"]["blocks"]
    assert sum(block["tokens_raw"] for block in blocks) == said["stdout"]["tokens_raw"]
    assert (said["stderr"]["text"], said["stderr"]["proof"]) == ("", "raw")
    assert ctx("expand", said["stdout"]["handle"]).stdout == text.read_bytes()


def test_json_of_undecodable_raw_text_gives_the_bytes_back(ctx: Ctx) -> None:
    done = ctx("run", "--json", "--", "printf", "caf\\351\\n")
    said = json.loads(done.stdout)["stdout"]

    assert said["text"].encode(said["encoding"], "surrogateescape") == b"caf\xe9\n"


def test_explaining_changes_nothing(
    ctx: Ctx, failing_run: bytes, tmp_path: Path
) -> None:
    text = tmp_path / "said"
    text.write_bytes(failing_run)

    plain = ctx("run", "--", *_say(text, 1))
    explained = ctx("run", "--explain", "--", *_say(text, 1))

    assert explained.stdout == plain.stdout
    said = explained.stderr.decode()
    assert said.startswith("explain stdout\n")
    for word in ("BUILD_OUTPUT", "build_run", "handle", "archive", "ledger"):
        assert word in said


def test_wrong_settings_never_stand_in_the_way(
    ctx: Ctx, failing_run: bytes, tmp_path: Path, home: Path
) -> None:
    """The command's bytes and code come through; `ctx doctor` names the fault."""
    (home / ".config" / "tersely").mkdir(parents=True)
    (home / ".config" / "tersely" / "config.toml").write_text("moed = 'off'\n")
    text = tmp_path / "said"
    text.write_bytes(failing_run)

    done = ctx("run", "--", *_say(text, 3))
    doctor = ctx("doctor")

    assert (done.returncode, done.stdout, done.stderr) == (3, failing_run, b"")
    assert doctor.returncode == 1
    assert b"config.toml:1: unknown key 'moed'" in doctor.stdout


def test_a_store_that_cannot_be_written_gives_the_commands_bytes(
    ctx: Ctx, failing_run: bytes, tmp_path: Path
) -> None:
    text = tmp_path / "said"
    text.write_bytes(failing_run)
    environ = {**os.environ, "CTX_STORE": str(text / "below-a-file" / "store.db")}

    done = ctx("run", "--", *_say(text, 3), env=environ)
    doctor = ctx("doctor", env=environ)

    assert (done.returncode, done.stdout, done.stderr) == (3, failing_run, b"")
    assert doctor.returncode == 1
    assert b"FAULT  store" in doctor.stdout


def test_small_limits_of_the_user_hold(ctx: Ctx, tmp_path: Path, home: Path) -> None:
    """A setting that could touch a short text is not passed over for speed."""
    said = tmp_path / "said"
    said.write_bytes(b"same line here, and no other one\n" * 5)
    environ = {
        **os.environ,
        "CTX_SMALL_LINES": "1",
        "CTX_MIN_GAIN_TOKENS": "1",
    }

    plain = ctx("run", "--", *_say(said))
    asked = ctx("run", "--json", "--", *_say(said), env=environ)

    assert plain.stdout == said.read_bytes()
    assert json.loads(asked.stdout)["stdout"]["reason"] != "small"


def test_a_reader_that_leaves_ends_the_command(home: Path) -> None:
    script = '"$@" run -- yes | head -1; echo "${PIPESTATUS[0]}"'

    done = subprocess.run(
        ["bash", "-c", script, "bash", *CTX], capture_output=True, timeout=60
    )

    assert done.stdout == b"y\n141\n"
    assert done.stderr == b""


def test_output_above_the_limit_is_whole(home: Path) -> None:
    script = '"$@" run -- sh -c "yes 0123456789 | head -c 80000000; exit 5" | cksum'
    script += '; echo "${PIPESTATUS[0]}"; yes 0123456789 | head -c 80000000 | cksum'

    done = subprocess.run(
        ["bash", "-c", script, "bash", *CTX], capture_output=True, timeout=100
    )

    ours, code, theirs = done.stdout.splitlines()
    assert (ours, code) == (theirs, b"5")
