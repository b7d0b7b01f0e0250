"""Throughput beside headroom-ai, on the same bytes in the same run.

headroom-ai is installed into .cache/headroom, an environment of its own, on
first use. All engines are long-lived and keep their stores in memory; input by
input they take turns, and each turn's bytes end in a line of their own, so that
none answers from a cache. Headroom runs twice, in a process each: `compress()`
on a tool message, its documented call, which like ours counts tokens, decides
and stores; and its content router alone, which does none of that.

    python benchmarks/against_headroom.py [--data DIR] [--runs N]

Gate: our bytes per second over all inputs, as a multiple of `compress()`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from engine_stages import CORPUS, Sample, corpus, golden_cases
from tersely import Engine, Observation

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".cache" / "headroom"
PACKAGE = "headroom-ai==0.42.0"

#: Least multiple of headroom's throughput.
GATE = 2.0

WORKER = """
import json, logging, sys, time
logging.disable(logging.CRITICAL)
from headroom import compress
from headroom.transforms.content_router import ContentRouter

answers = sys.stdout
sys.stdout = sys.stderr
call = {"id": "1", "type": "function", "function": {"name": "sh", "arguments": "{}"}}

def whole(text):
    compress([
        {"role": "user", "content": "Look at this."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": text},
    ], model="gpt-4o", protect_recent=0)

run = whole if sys.argv[1] == "compress" else ContentRouter().compress
for line in sys.stdin:
    text = json.loads(line)
    start = time.perf_counter()
    run(text)
    print((time.perf_counter() - start) * 1e3, file=answers, flush=True)
"""


@dataclass(frozen=True, slots=True)
class Row:
    """Best milliseconds of the runs on one input."""

    sample: Sample
    ours: float
    compress: float
    router: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=CORPUS)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()

    is_corpus = (args.data / "MANIFEST.jsonl").is_file()
    samples = list(corpus(args.data) if is_corpus else golden_cases())
    python = headroom_python()
    with tempfile.TemporaryDirectory() as home:
        workers = [start_worker(python, part, home) for part in ("compress", "router")]
        try:
            rows = measure(samples, args.runs, workers)
        finally:
            for worker in workers:
                worker.kill()
                worker.communicate()
    return report(rows)


def headroom_python() -> str:
    """The interpreter of the environment that has headroom-ai, made when missing."""
    python = ENVIRONMENT / "bin" / "python"
    stamp = ENVIRONMENT / "installed"
    if not stamp.exists() or stamp.read_text("utf-8") != PACKAGE:
        print(f"installing {PACKAGE} into {ENVIRONMENT.relative_to(ROOT)} ...")
        make = [sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)]
        subprocess.run(make, check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", PACKAGE]
        subprocess.run(install, check=True, stderr=subprocess.DEVNULL)
        stamp.write_text(PACKAGE, "utf-8")
    return str(python)


def start_worker(python: str, part: str, home: str) -> subprocess.Popen[str]:
    """A process that runs one part of headroom on the texts it is given."""
    return subprocess.Popen(
        [python, "-c", WORKER, part],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": home, "HF_HUB_OFFLINE": "1"},
        encoding="utf-8",
    )


def measure(
    samples: list[Sample], runs: int, workers: list[subprocess.Popen[str]]
) -> list[Row]:
    """Time every sample; one turn before the first loads what each loads late."""
    rows = []
    with Engine.open(store=":memory:") as engine:
        for sample in samples:
            turns = []
            for run in range(-1, runs):
                text = sample.observation.data.decode("utf-8", "replace")
                text = f"{text.rstrip()}\nrun {run}\n"
                start = time.perf_counter()
                engine.observe(Observation(text.encode()))
                own_ms = (time.perf_counter() - start) * 1e3
                turns.append([own_ms, *(ask(worker, text) for worker in workers)])
            ours, compress, router = (
                min(times) for times in zip(*turns[1:], strict=True)
            )
            rows.append(Row(sample, ours, compress, router))
    return rows


def ask(worker: subprocess.Popen[str], text: str) -> float:
    """Milliseconds that `worker` took for `text`."""
    assert worker.stdin and worker.stdout
    worker.stdin.write(json.dumps(text) + "\n")
    worker.stdin.flush()
    if not (answer := worker.stdout.readline()):
        raise SystemExit("headroom's process ended early")
    return float(answer)


def report(rows: list[Row]) -> int:
    """Print totals per class and the gate; returns the exit code."""
    print(f"{'class':<16}{'files':>6}{'KB':>8}  MB/s: ours  compress()  router")
    for name in sorted({row.sample.content_class for row in rows}):
        print(line(name, [row for row in rows if row.sample.content_class == name]))
    print(line("ALL", rows))
    ours = sum(row.ours for row in rows)
    ratio = sum(row.compress for row in rows) / ours
    router = sum(row.router for row in rows) / ours
    each = statistics.median(row.compress / row.ours for row in rows)
    verdict = "holds" if ratio >= GATE else "FAILS"
    print(
        f"gate: {ratio:.1f}x the throughput of {PACKAGE} compress() over all inputs, "
        f"bound {GATE:.0f}x: {verdict} (median per input {each:.1f}x; "
        f"its router alone {router:.1f}x)"
    )
    return 0 if ratio >= GATE else 1


def line(name: str, rows: list[Row]) -> str:
    """Bytes per second of one class."""
    size = sum(len(row.sample.observation.data) for row in rows)
    speeds = [
        size / sum(times) / 1e3
        for times in (
            [row.ours for row in rows],
            [row.compress for row in rows],
            [row.router for row in rows],
        )
    ]
    return (
        f"{name:<16}{len(rows):>6}{size / 1e3:>8.0f}"
        f"{speeds[0]:>12.2f}{speeds[1]:>12.2f}{speeds[2]:>8.2f}"
    )


if __name__ == "__main__":
    sys.exit(main())
