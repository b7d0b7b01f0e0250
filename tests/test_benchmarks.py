"""The benchmarks run, and what of them is no time is held here."""

from __future__ import annotations

import pytest

import engine_stages
import startup
from tersely import Observation
from tersely.pipeline.run import STAGES


def test_importing_the_package_pulls_in_nothing_heavy() -> None:
    assert [] == startup.heavy_imports()


def test_stage_times_name_every_stage_of_the_engine() -> None:
    data = "".join(f"{n} request handled\n" for n in range(500)).encode()

    whole_ms, by_stage, _ = engine_stages.time_stages(Observation(data))

    assert STAGES == engine_stages.STAGES == tuple(by_stage)
    assert whole_ms > 0


@pytest.mark.parametrize(("whole_ms", "code"), [(300.0, 0), (301.0, 1)])
def test_stage_gate_is_the_median_multiple_of_large_inputs(
    whole_ms: float, code: int
) -> None:
    def row(size_bytes: int, whole_ms: float) -> engine_stages.Row:
        return engine_stages.Row("x", "log", size_bytes, 1.0, whole_ms, {}, "cut")

    rows = [row(60_000, 1.0), row(60_000, whole_ms), row(60_000, 9e9), row(10, 9e9)]

    assert code == engine_stages.gate(rows)
