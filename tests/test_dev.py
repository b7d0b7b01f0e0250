"""dev.py: the commands that need no set-up, and its decisions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dev

ROOT = Path(__file__).resolve().parents[1]

LEAVE = """
import socket, dev
why_not = dev.leave_network()
if why_not:
    print("skip", why_not)
    raise SystemExit
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname(), timeout=5)
try:
    socket.create_connection(("192.0.2.1", 9), timeout=5)
except OSError as exc:
    print(type(exc).__name__, exc.strerror)
"""


def test_unknown_command_is_one_line_and_exit_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = dev.main(["tset"])

    assert (2, "dev.py: no command 'tset'; see --help\n") == (
        code,
        capsys.readouterr().err,
    )


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    dev.main(["--help"])

    shown = capsys.readouterr().out
    commands = ("demo", "test", "check", "lint", "score", "bench", "lock", "setup")
    assert [] == [name for name in commands if f"dev.py {name}" not in shown]


def test_a_failing_step_names_itself_and_shows_its_output() -> None:
    command = [sys.executable, "-c", "print('on fire'); raise SystemExit(7)"]

    with pytest.raises(dev.StepFailed) as info:
        dev.step("smoke test", command)

    assert "smoke test failed (exit 7)\non fire" == str(info.value)


def test_a_current_set_up_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = tmp_path / "stamp.json"
    monkeypatch.setattr(dev, "STAMP", stamp)
    monkeypatch.setattr(dev, "PYTHON", Path(sys.executable))
    ran: list[str] = []
    monkeypatch.setattr(dev, "step", lambda name, command: ran.append(name))
    monkeypatch.setattr(dev, "_works", lambda python: True)

    dev.set_up()
    first, ran[:] = list(ran), []
    dev.set_up()

    assert ["install requirements.lock", "install tersely"] == first
    assert [] == ran


def test_a_changed_lock_is_installed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dev._state()
    lock = tmp_path / "requirements.lock"
    lock.write_text("blake3==1\n", encoding="utf-8")

    monkeypatch.setattr(dev, "LOCK", lock)

    assert before["base"] == dev._state()["base"]
    assert before["content"] != dev._state()["content"]


def test_logdx_floors_are_bounds_on_both_sides() -> None:
    at_the_floor = {"critical": 0.98, "spans": 0.93, "tokens": 3500.0}
    below = [
        {"critical": 0.0, "spans": 0.5, "tokens": 7000.0},
        {"critical": 1.0, "spans": 1.0, "tokens": 5000.0},
    ]

    assert [] == dev.below_floors([at_the_floor])
    assert [
        "critical is 0.500, bound 0.98",
        "spans is 0.750, bound 0.93",
        "tokens_max is 6000.000, bound 3500.0",
        "zero_max is 1.000, bound 0.0",
    ] == dev.below_floors(below)


@pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's")
def test_offline_leaves_loopback_and_nothing_else() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    if done.stdout.startswith("skip"):
        pytest.skip(f"no network namespace here: {done.stdout[5:].strip()}")
    assert "OSError Network is unreachable\n" == done.stdout
