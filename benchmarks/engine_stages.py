"""Time each stage of the engine as a multiple of what any engine must do.

The floor is decode + split + blake3 of the same bytes, timed in the same run,
so the multiples hold on any machine. Best of several runs, each on an engine
and a store (a file, opened before) of its own, so that no result comes out of a
cache.

    python benchmarks/engine_stages.py [--data DIR] [--runs N] [--json OUT]

Without ../shared the inputs are the golden cases, repeated to 64 KB.
Gate: the whole engine at the median over inputs of 50 KB and more.
"""

from __future__ import annotations

import argparse
import json
import logging
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from blake3 import blake3

from tersely import Engine, Observation

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
CASES = ROOT / "tests" / "cases" / "transforms"

#: Largest multiple of the floor at the median of large inputs.
GATE = 300
#: Reasons that mean a defect: the time of such an input says nothing.
FAULTS = ("failed", "timeout", "unproved", "no_archive")
LARGE_BYTES = 50_000
CASE_BYTES = 64_000
#: Opens the file, which the engine leaves to its first use.
OPENING = Observation(b"".join(b"%d is fine\n" % n for n in range(20)))
STAGES = (
    "ingest",
    "classify",
    "policy",
    "transform",
    "guard",
    "archive",
    "emit",
    "ledger",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One input with its class and the facts known about it."""

    name: str
    content_class: str
    observation: Observation


@dataclass(frozen=True, slots=True)
class Row:
    """Times of one input.

    Attributes:
        floor_ms, whole_ms: best of the runs.
        stages_ms: best of the runs, by stage.
        outcome: the proof; for a raw text the reason.
    """

    name: str
    content_class: str
    size_bytes: int
    floor_ms: float
    whole_ms: float
    stages_ms: dict[str, float]
    outcome: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=CORPUS)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    logging.getLogger("tersely").addHandler(logging.NullHandler())

    is_corpus = (args.data / "MANIFEST.jsonl").is_file()
    samples = list(corpus(args.data) if is_corpus else golden_cases())
    for sample in samples:  # loads tables, patterns and rank files
        time_stages(sample.observation)
    rows = [measure(sample, args.runs) for sample in samples]
    print("inputs: " + ("corpus" if is_corpus else "golden cases, repeated to 64 KB"))
    print(table(rows))
    if args.json:
        args.json.write_text(json.dumps([asdict(row) for row in rows]), "utf-8")
    return gate(rows)


def corpus(folder: Path) -> Iterator[Sample]:
    """The observations of a corpus, with the facts of its manifest."""
    for line in (folder / "MANIFEST.jsonl").read_text("utf-8").splitlines():
        item = json.loads(line)
        if item["class"] == "traces":
            continue
        observation = Observation(
            data=(folder / item["path"]).read_bytes(),
            command=item.get("command"),
            exit_code=item.get("exit_code"),
        )
        yield Sample(item["path"], item["class"], observation)


def golden_cases() -> Iterator[Sample]:
    """The inputs of the changing cases, repeated until they are large."""
    for path in sorted(CASES.glob("*/*/expected.txt")):
        data = path.with_name("input.txt").read_bytes()
        data *= 1 + CASE_BYTES // max(1, len(data))
        name = f"{path.parent.parent.name}/{path.parent.name}"
        yield Sample(name, path.parent.parent.name, Observation(data, exit_code=1))


def measure(sample: Sample, runs: int) -> Row:
    """Best of `runs`, floor and engine in turn."""
    data = sample.observation.data
    floors, wholes, outcome = [], [], ""
    stages: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        floors.append(time_floor(data))
        whole_ms, by_stage, outcome = time_stages(sample.observation)
        wholes.append(whole_ms)
        for name, ms in by_stage.items():
            stages[name].append(ms)
    return Row(
        name=sample.name,
        content_class=sample.content_class,
        size_bytes=len(data),
        floor_ms=min(floors),
        whole_ms=min(wholes),
        stages_ms={name: min(times) for name, times in stages.items()},
        outcome=outcome,
    )


def time_floor(data: bytes) -> float:
    """Milliseconds for decode + split + blake3."""
    start = time.perf_counter()
    data.decode("utf-8", "surrogateescape").split("\n")
    blake3(data).hexdigest()
    return (time.perf_counter() - start) * 1e3


def time_stages(observation: Observation) -> tuple[float, dict[str, float], str]:
    """Milliseconds of the whole and of each stage, and the outcome."""
    with tempfile.TemporaryDirectory() as folder:
        with Engine.open(store=str(Path(folder) / "store.sqlite")) as engine:
            engine.observe(OPENING)
            start = time.perf_counter()
            envelope, trace = engine.trace(observation)
            whole_ms = (time.perf_counter() - start) * 1e3
    outcome = envelope.reason or envelope.proof.value
    return whole_ms, {s.name: s.ms for s in trace.stages}, outcome


def table(rows: list[Row]) -> str:
    """Median multiples of the floor per class; all inputs, then the large ones."""
    head = f"{'class':<16}{'files':>6}{'KB':>8}{'floor ms':>10}"
    head += "".join(f"{name:>10}" for name in STAGES) + f"{'whole':>8}{'MB/s':>7}"
    out = ["median multiple of the floor (decode + split + blake3)", head]
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.content_class].append(row)
    for name, group in sorted(groups.items()):
        out.append(table_row(name, group))
    out.append(table_row("ALL", rows))
    if large := [row for row in rows if row.size_bytes >= LARGE_BYTES]:
        out.append(table_row(">= 50 KB", large))
    return "\n".join(out)


def table_row(name: str, rows: list[Row]) -> str:
    """One line of the table."""
    median = statistics.median
    line = f"{name:<16}{len(rows):>6}{median(r.size_bytes for r in rows) / 1e3:>8.1f}"
    line += f"{median(r.floor_ms for r in rows):>10.3f}"
    for stage in STAGES:
        line += f"{median(r.stages_ms.get(stage, 0) / r.floor_ms for r in rows):>10.1f}"
    line += f"{median(r.whole_ms / r.floor_ms for r in rows):>8.0f}"
    speed = sum(r.size_bytes for r in rows) / sum(r.whole_ms for r in rows) / 1e3
    return line + f"{speed:>7.1f}"


def gate(rows: list[Row]) -> int:
    """Print the headline; returns the exit code."""
    if faults := [row.name for row in rows if row.outcome in FAULTS]:
        print(f"gate: {len(faults)} inputs ended in a fault: {', '.join(faults[:5])}")
        return 1
    large = [row for row in rows if row.size_bytes >= LARGE_BYTES]
    if not large:
        print("gate: no input of 50 KB and more")
        return 1
    multiples = sorted((row.whole_ms / row.floor_ms, row.name) for row in large)
    middle = statistics.median(multiple for multiple, _ in multiples)
    worst = ", ".join(f"{name} {multiple:.0f}x" for multiple, name in multiples[-3:])
    verdict = "holds" if middle <= GATE else "FAILS"
    print(
        f"gate: whole engine {middle:.0f}x the floor at the median of {len(large)} "
        f"inputs of 50 KB and more, bound {GATE}x: {verdict} (slowest: {worst})"
    )
    return 0 if middle <= GATE else 1


if __name__ == "__main__":
    sys.exit(main())
