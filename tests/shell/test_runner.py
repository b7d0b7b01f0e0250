"""The runner with real children: what they get, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tersely.shell import runner

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the runner is for POSIX")


def _sh(script: str) -> list[str]:
    return ["sh", "-c", script]


def test_every_exit_code_comes_back() -> None:
    codes = [runner.run(_sh(f"exit {code}")).exit_code for code in range(256)]

    assert codes == list(range(256))


@pytest.mark.parametrize("name", ["TERM", "KILL", "INT", "PIPE", "HUP", "USR1"])
def test_a_signal_that_ended_the_child_is_known(name: str) -> None:
    result = runner.run(_sh(f"kill -{name} $$"))

    number = getattr(signal, f"SIG{name}")
    assert (result.signal, result.exit_code) == (number, 128 + number)


def test_streams_are_kept_apart_and_in_order_of_arrival() -> None:
    one = "import os; os.write(1, b'a\\n' * 50_000); os.write(2, b'b\\r\\n\\xff')"
    result = runner.run([sys.executable, "-c", one])

    assert result.stdout == b"a\n" * 50_000
    assert result.stderr == b"b\r\n\xff"
    assert [fd for fd, _ in result.chunks][-1] == 2


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("surely-no-such-program", 127, "command not found"),
        ("./no/such/program", 127, "No such file or directory"),
        ("./folder", 126, "Is a directory"),
        ("./plain.txt", 126, "Permission denied"),
    ],
)
def test_what_cannot_run_is_said_as_a_shell_says_it(
    name: str,
    code: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain.txt").write_text("text")

    result = runner.run([name, "x"])

    assert result.exit_code == code
    assert result.stderr == f"ctx: {name}: {message}\n".encode()
    assert result.stdout == b""


def test_a_script_without_an_interpreter_line_runs_as_in_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "plain-script"
    script.write_text('echo "$0|$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    result = runner.run(["plain-script", "a b"])

    assert result.stdout == f"{script}|a b\n".encode()


def test_a_stream_over_the_limit_is_passed_on(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    script = "yes | head -c 3000000; echo kept >&2"

    result = runner.run(_sh(script), limit_bytes=1_000_000)

    assert result.passed == {1}
    assert (result.stdout, result.stderr) == (b"", b"kept\n")
    assert capfdbinary.readouterr().out == b"y\n" * 1_500_000


def test_holding_is_bounded_and_a_closed_reader_ends_the_child() -> None:
    code = (
        "import re, sys; from tersely.shell import runner\n"
        "result = runner.run(['yes'], limit_bytes=1 << 20)\n"
        # not ru_maxrss, which a child inherits from the process that forked it
        "peak = re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())\n"
        "print(result.signal, peak[1], file=sys.stderr)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    taken = process.stdout.read(30 << 20)
    process.stdout.close()
    said = process.stderr.read().split()
    process.stderr.close()
    process.wait()

    assert taken == b"y\n" * (15 << 20)
    assert int(said[0]) == signal.SIGPIPE
    assert int(said[1]) < 64 << 10  # KiB


def test_the_engine_is_called_for_once_and_only_for_a_long_stream() -> None:
    calls: list[str] = []

    runner.run(_sh("echo short"), when_large=(500, lambda: calls.append("short")))
    runner.run(_sh("seq 100000"), when_large=(500, lambda: calls.append("long")))

    assert calls == ["long"]


def test_a_background_process_keeps_its_way_out(tmp_path: Path) -> None:
    """The result does not wait for it, and what it says later is not lost."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    code = (
        "import sys; from tersely.shell import runner\n"
        "script = 'echo now; (cat \"$0\"; echo late) & exit 3'\n"
        "sys.exit(runner.run(['sh', '-c', script, sys.argv[1]]).exit_code)\n"
    )
    argv = [sys.executable, "-c", code, str(gate)]

    with subprocess.Popen(argv, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        ended = process.wait()
        gate.write_bytes(b"meanwhile\n")
        said = process.stdout.read()

    assert (ended, said) == (3, b"now\nmeanwhile\nlate\n")


PROBE = r"""
import json, os, sys
status = open("/proc/self/status").read()
rows = [row.split() for row in status.splitlines() if row[:6] in ("SigBlk", "SigIgn")]
# signals 32 and 33 belong to glibc, whose posix_spawn leaves them ignored
masks = [(name, int(mask, 16) & 0x7FFFFFFF) for name, mask in rows]
fds = {}
for name in sorted(os.listdir("/proc/self/fd"), key=int):
    if int(name) > 2:
        try:
            fds[name] = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            pass
fds = {name: to for name, to in fds.items() if not to.startswith("/proc/")}
umask = os.umask(0)
row = [list(map(ascii, sys.argv[1:])), os.getcwd(), umask, masks, fds,
       sorted(map(ascii, os.environ.items())), sys.stdin.read()]
print(json.dumps(row))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("lang", ["C.UTF-8", "C", None])
def test_the_child_gets_what_it_would_have_got(
    lang: str | None, tmp_path: Path
) -> None:
    environ = {"PATH": os.environ["PATH"], "ODD": "\udcff", "EMPTY": "", "_": "x"}
    environ |= {"PYTHONPATH": str(Path(runner.__file__).parents[2])}
    if lang is not None:
        environ["LANG"] = lang
    read_end, write_end = os.pipe()
    arguments = ["", "a b", "\udcff\udcfe", "--", "-x", "*", "é"]
    probe = [sys.executable, "-I", "-c", PROBE, *arguments]
    ours = "import sys; from tersely.shell import runner; r = runner.run(sys.argv[1:]);"
    ours += "sys.stdout.buffer.write(r.stdout); sys.stderr.buffer.write(r.stderr)"

    outputs = []
    for argv in (probe, [sys.executable, "-c", ours, *probe]):
        done = subprocess.run(
            argv,
            input=b"line\n",
            capture_output=True,
            cwd=tmp_path,
            env=environ,
            umask=0o027,
            pass_fds=[read_end],
            restore_signals=True,
        )
        assert done.stderr == b""
        outputs.append(done.stdout)
    os.close(read_end)
    os.close(write_end)

    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("fd", [0, 1, 2])
def test_a_closed_descriptor_is_no_place_for_our_pipes(fd: int, tmp_path: Path) -> None:
    code = (
        "import os; from tersely.shell import runner\n"
        f"os.close({fd})\n"
        "result = runner.run(['sh', '-c', 'cat; echo out; echo err >&2'])\n"
        f"open({str(tmp_path / 'said')!r}, 'wb').write(result.stdout)\n"
    )
    subprocess.run(
        [sys.executable, "-c", code], input=b"in\n", capture_output=True, check=True
    )

    expected = b"out\n" if fd == 0 else b"in\nout\n"
    assert (tmp_path / "said").read_bytes() == expected


def test_signals_reach_the_child(tmp_path: Path) -> None:
    """Each that is meant for it, once, and we end as it decides."""
    fifo = tmp_path / "ready"
    os.mkfifo(fifo)
    child = (
        "import signal, sys\n"
        "def stop(number, frame):\n"
        "    print(number, flush=True)\n"
        "    sys.exit(number)\n"
        "for name in ('TERM', 'HUP', 'INT', 'USR1'):\n"
        "    signal.signal(getattr(signal, 'SIG' + name), stop)\n"
        "open(sys.argv[1], 'w').close()\n"
        "while True: signal.pause()\n"
    )
    ours = (
        "import sys; from tersely.shell import runner\n"
        "result = runner.run(sys.argv[1:])\n"
        "sys.stdout.buffer.write(result.stdout)\n"
        "sys.exit(result.exit_code)\n"
    )
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1):
        argv = [sys.executable, "-c", ours, sys.executable, "-c", child, str(fifo)]
        # away from the terminal that may run these tests
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, start_new_session=True)
        fifo.read_bytes()
        process.send_signal(number)
        said, _ = process.communicate()
        assert (process.returncode, said) == (number, b"%d\n" % number)


def test_an_ignored_signal_stays_ignored_for_the_child() -> None:
    ours = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from tersely.shell import runner\n"
        "sys.stdout.buffer.write(runner.run(sys.argv[1:]).stdout)\n"
    )
    child = "import signal; print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"

    done = subprocess.run(
        [sys.executable, "-c", ours, sys.executable, "-c", child], capture_output=True
    )

    assert done.stdout == b"True\n"


@pytest.mark.parametrize("name", ["TERM", "KILL", "INT", "SEGV", "PIPE", "ABRT"])
def test_we_die_of_the_signal_that_ended_the_child(name: str) -> None:
    ours = (
        "import sys; from tersely.shell import runner\n"
        "sys.exit(runner.end_like(runner.run(sys.argv[1:])))\n"
    )
    script = f"ulimit -c 0; kill -{name} $$"

    done = subprocess.run([sys.executable, "-c", ours, *_sh(script)])

    assert done.returncode == -getattr(signal, f"SIG{name}")


def test_becoming_the_program_leaves_nothing_of_us() -> None:
    ours = (
        "import sys; from tersely.shell import runner\n"
        "sys.exit(runner.replace(sys.argv[1:]).exit_code)\n"
    )
    script = "echo $PPID; exit 9"

    process = subprocess.Popen(
        [sys.executable, "-c", ours, *_sh(script)], stdout=subprocess.PIPE
    )
    said, _ = process.communicate()

    assert (process.returncode, int(said)) == (9, os.getpid())


def test_becoming_nothing_is_said() -> None:
    result = runner.replace(["surely-no-such-program"])

    assert result.exit_code == 127
    assert b"command not found" in result.stderr


def test_writing_waits_for_a_reader_that_is_not_ready() -> None:
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    data = bytes(range(256)) * 4_000
    pid = os.fork()
    if pid == 0:
        os.close(read_end)
        os._exit(0 if runner.write(write_end, data) else 1)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as file:
        got = file.read()
    _, status = os.waitpid(pid, 0)

    assert (got, status) == (data, 0)


def test_writing_to_nobody_is_no_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)

    assert runner.write(write_end, b"x") is False
    os.close(write_end)
