#!/usr/bin/env python3
"""Set up, run and check this project with nothing but Python 3.11+ and git.

    python3 dev.py demo              run the main job on real output of this machine
    python3 dev.py test [--offline]  run the tests; further words go to pytest
    python3 dev.py check             what must hold before a push: lint, types,
                                     import contracts, tests, current docs
    python3 dev.py lint              the same without the tests
    python3 dev.py score             the scoreboard against its floors
    python3 dev.py bench             the benchmarks and their gates
    python3 dev.py lock              resolve requirements.lock anew
    python3 dev.py setup             only what every command does first

The set-up lives in .venv and is left alone while it is current. `--offline`
runs the tests where loopback is the only network there is (Linux).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / ".tersely-setup.json"
LOCK = ROOT / "requirements.lock"
SCOREBOARD = ROOT.parent / "shared" / "scoreboard"
BENCHMARKS = ("startup.py", "engine_stages.py", "against_headroom.py", "linear.py")

#: Floors of logdx.py, which takes none itself: KEY = least value, KEY_max =
#: greatest. Those of score.py are in scoreboard.toml. They only ever rise.
LOGDX_FLOORS = {
    "critical": 0.98,
    "spans": 0.93,
    "tokens_max": 3500.0,
    "zero_max": 0.0,
}

#: From <linux/sched.h>, <linux/sockios.h> and <linux/if.h>.
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCSIFFLAGS, IFF_UP = 0x8914, 0x1


class StepFailed(Exception):
    """A step ended with an error; its name and what it printed are the message."""


def main(argv: Sequence[str]) -> int:
    """Run one command and return the exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036  an older Python must be told
        have = ".".join(map(str, sys.version_info[:2]))
        print(f"dev.py: needs Python 3.11 or newer, this is {have}", file=sys.stderr)
        return 2
    commands: dict[str, Callable[[list[str]], int]] = {
        "setup": lambda words: 0,
        "demo": demo,
        "test": test,
        "check": check,
        "lint": lint,
        "score": score,
        "bench": bench,
        "lock": lock,
    }
    name = argv[0] if argv else "help"
    if name in ("help", "-h", "--help"):
        print(__doc__)
        return 0
    if name not in commands:
        print(f"dev.py: no command {name!r}; see --help", file=sys.stderr)
        return 2
    try:
        set_up()
        return commands[name](list(argv[1:]))
    except StepFailed as exc:
        print(f"dev.py: {exc}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def demo(words: list[str]) -> int:
    """Run `ctx demo`."""
    return _run([str(BIN / "ctx"), "demo", *words])


def test(words: list[str]) -> int:
    """Run pytest; `--offline` first gives up every network but loopback."""
    if "--offline" in words:
        words.remove("--offline")
        why_not = leave_network()
        note = f"as it is ({why_not})" if why_not else "loopback only"
        print(f"network: {note}", flush=True)
    # Two workers halve the time of the suite; a few tests alone start faster
    # without them.
    spread = [] if words else ["-n", "auto"]
    return _run([str(PYTHON), "-m", "pytest", *spread, *words])


def lint(words: list[str]) -> int:
    """Run every check but the tests, all of them even when one fails."""
    steps = {
        "ruff check": [str(BIN / "ruff"), "check", "."],
        "ruff format": [str(BIN / "ruff"), "format", "--check", "."],
        "mypy": [str(PYTHON), "-m", "mypy"],
        "import contracts": [str(BIN / "lint-imports"), "--no-cache"],
    }
    failed = []
    for name, command in steps.items():
        start = time.monotonic()
        try:
            step(name, command)
            print(f"{name}: ok ({time.monotonic() - start:.1f} s)", flush=True)
        except StepFailed as exc:
            failed.append(name)
            print(exc, flush=True)
    if failed:
        raise StepFailed(f"failed: {', '.join(failed)}")
    return 0


def check(words: list[str]) -> int:
    """Run what must hold before a push."""
    lint([])
    if test(words):
        raise StepFailed("failed: tests")
    return 0


def score(words: list[str]) -> int:
    """Hold the scoreboard against its floors, where ../shared is."""
    # The one clock an emission may depend on: a slow machine is no lost fact.
    os.environ.setdefault("CTX_TRANSFORM_TIMEOUT_S", "60")
    if not SCOREBOARD.is_dir():
        print("score: skipped, ../shared is not beside this checkout")
        return 0
    floors = ["--floor", str(ROOT / "scoreboard.toml")]
    code = _run([str(PYTHON), str(SCOREBOARD / "score.py"), *floors, *words])
    if code:
        raise StepFailed("failed: scoreboard floors")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "logdx.json"
        if _run([str(PYTHON), str(SCOREBOARD / "logdx.py"), "--json", str(out)]):
            raise StepFailed("failed: logdx")
        bad = below_floors(json.loads(out.read_text("utf-8")))
    if bad:
        raise StepFailed("failed: logdx floors: " + "; ".join(bad))
    print("logdx: all floors hold")
    return 0


def below_floors(rows: Sequence[dict[str, float]]) -> list[str]:
    """Which of LOGDX_FLOORS do not hold for `rows`, one per case."""
    got = {
        "critical": sum(row["critical"] for row in rows) / len(rows),
        "spans": sum(row["spans"] for row in rows) / len(rows),
        "tokens": sum(row["tokens"] for row in rows) / len(rows),
        "zero": float(sum(row["critical"] == 0 for row in rows)),
    }
    bad = []
    for key, bound in LOGDX_FLOORS.items():
        value = got[key.removesuffix("_max")]
        if value > bound if key.endswith("_max") else value < bound:
            bad.append(f"{key} is {value:.3f}, bound {bound}")
    return bad


def bench(words: list[str]) -> int:
    """Run the benchmarks one after another; each prints its gates."""
    failed = [
        name
        for name in BENCHMARKS
        if _run([str(PYTHON), str(ROOT / "benchmarks" / name), *words])
    ]
    if failed:
        raise StepFailed(f"failed: {', '.join(failed)}")
    return 0


def lock(words: list[str]) -> int:
    """Resolve requirements.lock from pyproject.toml; `--upgrade` takes newer ones."""
    step("install uv", [*_pip(), "install", "--quiet", "uv"])
    command = [str(BIN / "uv"), "pip", "compile", "pyproject.toml", "--quiet"]
    command += ["--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--extra", "dev", "--output-file", LOCK.name]
    command += ["--no-header", "--no-emit-index-url", "--no-emit-find-links"]
    step("uv pip compile", [*command, *words])
    print(f"{LOCK.name} is current")
    return 0


def set_up() -> None:
    """Make .venv what requirements.lock and pyproject.toml ask for."""
    want = _state()
    have = _read_stamp()
    if have == want and PYTHON.exists():
        return
    print("setting up .venv ...", file=sys.stderr, flush=True)
    # Scripts in a venv name its path and interpreter: after a move, start anew.
    moved = have is not None and have.get("base") != want["base"]
    if moved or not _works(PYTHON):
        _make_venv()
    STAMP.unlink(missing_ok=True)
    install = [*_pip(), "install", "--quiet"]
    step("install requirements.lock", [*install, "--require-hashes", "-r", str(LOCK)])
    itself = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    step("install tersely", [*install, *itself])
    STAMP.write_text(json.dumps(want), encoding="utf-8")


def leave_network() -> str:
    """Move this process into a network namespace with only loopback up.

    Returns:
        An empty string, or why it stays where it is.
    """
    if not sys.platform.startswith("linux"):
        return "only Linux has network namespaces"
    import ctypes
    import fcntl
    import socket
    import struct

    uid, gid = os.getuid(), os.getgid()
    flags = CLONE_NEWNET if uid == 0 else CLONE_NEWNET | CLONE_NEWUSER
    if ctypes.CDLL(None, use_errno=True).unshare(flags) != 0:
        return os.strerror(ctypes.get_errno())
    try:
        if uid:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
            Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            request = struct.pack("16sH22x", b"lo", IFF_UP)
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, request)
    except OSError as exc:
        raise StepFailed(f"failed: bring up loopback: {exc}") from exc
    return ""


def step(name: str, command: Sequence[str]) -> None:
    """Run `command` quietly.

    Raises:
        StepFailed: it did not end with 0; the message holds its output.
    """
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        output = done.stdout.rstrip()
        raise StepFailed(f"{name} failed (exit {done.returncode})\n{output}")


def _run(command: Sequence[str]) -> int:
    return subprocess.run(command, cwd=ROOT, env=_environment()).returncode


def _environment() -> dict[str, str]:
    """The caller's environment without what would reach into the venv."""
    drop = ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV")
    kept = {key: value for key, value in os.environ.items() if key not in drop}
    return {**kept, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def _state() -> dict[str, str]:
    version = ".".join(map(str, sys.version_info[:3]))
    content = hashlib.sha256()
    for path in (LOCK, ROOT / "pyproject.toml"):
        content.update(path.read_bytes())
    return {"base": f"{version} {VENV}", "content": content.hexdigest()}


def _read_stamp() -> dict[str, str] | None:
    try:
        stamp: dict[str, str] = json.loads(STAMP.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return stamp


def _works(python: Path) -> bool:
    if not python.exists():
        return False
    ask = "import sys; sys.exit(sys.version_info < (3, 11))"
    return subprocess.run([str(python), "-I", "-c", ask]).returncode == 0


def _make_venv() -> None:
    """Make an empty venv, by this Python's own pip where it has no ensurepip."""
    shutil.rmtree(VENV, ignore_errors=True)
    make = [sys.executable, "-m", "venv", str(VENV)]
    try:
        import ensurepip  # noqa: F401  Debian packs it apart, as python3-venv
    except ImportError:
        has_pip = subprocess.run(
            [sys.executable, "-m", "pip", "--version"], capture_output=True
        )
        if has_pip.returncode:
            raise StepFailed(
                "this Python has neither ensurepip nor pip; "
                "on Debian and Ubuntu: apt-get install python3-venv"
            ) from None
        make.append("--without-pip")
    step("make .venv", make)


def _pip() -> list[str]:
    if (BIN / "pip").exists() or os.name == "nt":
        return [str(PYTHON), "-m", "pip"]
    return [sys.executable, "-m", "pip", "--python", str(PYTHON)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
