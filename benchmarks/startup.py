"""Time whole processes: what a user waits for before the first byte.

Runs of `ctx --help`, `ctx pipe` on 50 KB and a bare interpreter alternate, so
that a busy machine slows all three alike. The 50 KB are the output of a real
pytest run, made here; each run pipes other bytes, so that nothing is cached.

    python benchmarks/startup.py [--runs N]

Gates: medians of the two commands in milliseconds, and that `import tersely`
pulls in nothing heavy.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: Median milliseconds of the whole process.
GATES_MS = {"ctx --help": 60.0, "ctx pipe": 150.0}

#: Not to be found in sys.modules after `import tersely`.
HEAVY = (
    "asyncio",
    "msgspec",
    "numpy",
    "onnxruntime",
    "rich",
    "sqlite3",
    "tiktoken",
    "tokenizers",
    "torch",
)
SIZE_BYTES = 50_000

TESTS = """
import pytest

@pytest.mark.parametrize("number", range(1500))
def test_remainder_is_small(number):
    assert number % 997 < 996, f"remainder of {number} is too large"
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=21)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = pytest_output(folder)
        times = measure(log, folder, args.runs)
    print(f"machine: {platform.platform()}, Python {platform.python_version()}")
    failed = report(times)
    if pulled := heavy_imports():
        failed = True
        print(f"import tersely pulls in {', '.join(pulled)}: FAILS")
    else:
        print(f"import tersely pulls in none of {', '.join(HEAVY)}: holds")
    return 1 if failed else 0


def pytest_output(folder: Path) -> bytes:
    """`SIZE_BYTES` from the end of a real verbose run with one failure."""
    (folder / "test_numbers.py").write_text(TESTS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider"],
        cwd=folder,
        stdout=subprocess.PIPE,
    )
    return done.stdout[-SIZE_BYTES:]


def measure(log: bytes, folder: Path, runs: int) -> dict[str, list[float]]:
    """Milliseconds per command, runs in turn; one run of each goes unmeasured."""
    ctx = str(Path(sys.executable).with_name("ctx"))
    commands = {
        "python -I -c pass": [sys.executable, "-I", "-c", "pass"],
        "ctx --help": [ctx, "--help"],
        "ctx pipe": [ctx, "pipe", "--exit-code", "1"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    env = {**os.environ, "HOME": str(folder), "CTX_STORE": str(folder / "store.sqlite")}
    # The unmeasured run leaves the byte code of every module, as an install does.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    for run in range(-1, runs):
        data = log + f"run {run}\n".encode()
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(
                command, input=data, stdout=subprocess.PIPE, env=env, check=True
            )
            if run >= 0:
                times[name].append((time.perf_counter() - start) * 1e3)
    return times


def report(times: dict[str, list[float]]) -> bool:
    """Print a line per command; returns whether a gate fails."""
    bare = statistics.median(times["python -I -c pass"])
    failed = False
    for name, values in times.items():
        middle = statistics.median(values)
        line = f"{name:<18} median {middle:6.1f} ms  least {min(values):6.1f} ms"
        if bound := GATES_MS.get(name):
            held = middle < bound
            failed |= not held
            line += f"  {middle / bare:4.1f}x bare  bound {bound:.0f} ms: "
            line += "holds" if held else "FAILS"
        print(line)
    return failed


def heavy_imports() -> list[str]:
    """Which of `HEAVY` a bare `import tersely` loads."""
    ask = "import sys, tersely; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", ask], stdout=subprocess.PIPE, text=True, check=True
    )
    return sorted(set(HEAVY) & set(done.stdout.split()))


if __name__ == "__main__":
    sys.exit(main())
