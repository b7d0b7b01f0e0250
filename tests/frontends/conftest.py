"""A real `ctx` in a process of its own, with a home directory of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from frontends.process import CTX, Ctx


@pytest.fixture
def ctx(home: Path) -> Ctx:
    """Call ``ctx`` with words; keywords go to `subprocess.run`."""

    def call(*argv: str | bytes, **options: Any) -> subprocess.CompletedProcess[bytes]:
        command: Sequence[str | bytes] = [*CTX, *argv]
        options.setdefault("timeout", 60)
        options.setdefault("capture_output", "stdout" not in options)
        return subprocess.run(command, **options)

    return call


@pytest.fixture
def failing_run() -> bytes:
    """A failing run of 300 tests in pytest's own form, written for these tests."""
    head = "=" * 29 + " test session starts " + "=" * 29
    rows = [
        f"tests/test_cart.py::test_sum_{at:03} PASSED{'':>30}[{at // 3:3}%]"
        for at in range(300)
    ]
    rows[151] = rows[151].replace("PASSED", "FAILED")
    lines = [
        head,
        "platform linux -- Python 3.12.1, pytest-8.3.4, pluggy-1.5.0",
        "collected 300 items",
        "",
        *rows,
        "",
        "=" * 35 + " FAILURES " + "=" * 35,
        "_" * 34 + " test_sum_151 " + "_" * 34,
        "",
        "    def test_sum_151():",
        ">       assert total([150, 1]) == 152",
        "E       assert 151 == 152",
        "E        +  where 151 = total([150, 1])",
        "",
        "tests/test_cart.py:412: AssertionError",
        "=" * 26 + " short test summary info " + "=" * 27,
        "FAILED tests/test_cart.py::test_sum_151 - assert 151 == 152",
        "=" * 22 + " 1 failed, 299 passed in 0.61s " + "=" * 22,
        "",
    ]
    return "\n".join(lines).encode()
