"""Time and memory of the whole engine on a log that grows: is it linear?

    python benchmarks/linear.py [--sizes 1,3,10,30,100]

Each size runs in a process of its own, with the deadline lifted. Time is
fitted as ``a * size ** b`` by least squares over the logarithms; memory is the
peak of the process beyond what an engine takes for a small text, as a multiple
of the input. Both are ratios within one run.
"""

from __future__ import annotations

import argparse
import math
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

#: Largest exponent: 1 is linear, a quadratic step shows as 2.
GATE_EXPONENT = 1.15
#: Largest peak beyond the start, as a multiple of the input.
GATE_MEMORY = 30.0

_WORDS = ("served", "cached", "queued", "flushed", "rotated", "merged", "acked")


def log_text(size_bytes: int) -> bytes:
    """A service's log of about `size_bytes`: seven templates and some trouble."""
    return "".join(_rows(size_bytes)).encode()


def _rows(size_bytes: int) -> Iterator[str]:
    rnd = random.Random(11)
    written = number = 0
    while written < size_bytes:
        number += 1
        stamp = f"2026-03-02 {number // 3600 % 24:02d}:{number // 60 % 60:02d}"
        if number % 5_000 == 0:
            row = f"{stamp} ERROR order {number} failed: upstream timed out\n"
        else:
            row = (
                f"{stamp} INFO {rnd.choice(_WORDS)} item {rnd.randrange(90_000)} "
                f"for client c-{rnd.randrange(400)} in {rnd.randrange(900)} ms\n"
            )
        written += len(row)
        yield row


def measure(size_mb: float) -> tuple[float, float]:
    """Seconds and peak memory in MB of one observation, in this process."""
    from dataclasses import replace

    from tersely import Engine, Observation
    from tersely.config import Config

    data = log_text(int(size_mb * 1e6))
    with Engine.open(":memory:", replace(Config(), transform_timeout_s=3_600.0)) as one:
        one.observe(Observation(data[:20_000]))
        before = _memory_mb("VmRSS")
        start = time.perf_counter()
        out = one.observe(Observation(data))
        took = time.perf_counter() - start
        assert out.transform == "log_lines", out.reason
        assert one.restore(out) == data
    return took, _memory_mb("VmHWM") - before


def _memory_mb(name: str) -> float:
    with open("/proc/self/status", encoding="ascii") as rows:
        row = next(row for row in rows if row.startswith(name))
    return int(row.split()[1]) / 1e3


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Slope of log(time) over log(size), by least squares."""
    xs, ys = [math.log(size) for size in sizes], [math.log(took) for took in times]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - mean_x) ** 2 for x in xs)


def main() -> int:
    """Run every size in a process of its own; 1 when a gate fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1,3,10,30,100", help="MB, ascending")
    parser.add_argument("--one", type=float, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(*measure(args.one))
        return 0
    sizes = [float(size) for size in args.sizes.split(",")]
    times, peaks = [], []
    print(f"{'MB':>6}{'s':>9}{'MB/s':>8}{'peak MB':>10}{'x input':>9}")
    for size in sizes:
        command = [sys.executable, __file__, "--one", str(size)]
        said = subprocess.run(command, capture_output=True, text=True, check=True)
        took, peak = map(float, said.stdout.split())
        times.append(took)
        peaks.append(peak / size)
        print(
            f"{size:>6.0f}{took:>9.2f}{size / took:>8.2f}{peak:>10.0f}{peaks[-1]:>9.1f}"
        )
    slope = exponent(sizes, times)
    memory = max(peaks[1:] or peaks)
    print(f"time ~ size ^ {slope:.3f} (gate {GATE_EXPONENT})")
    print(f"memory at most {memory:.1f} x the input (gate {GATE_MEMORY:.0f})")
    return int(slope > GATE_EXPONENT or memory > GATE_MEMORY)


if __name__ == "__main__":
    sys.exit(main())
