"""What compilers, runners, git and system tools really said, through the engine.

Each folder tests/cases/fidelity_native/<class>/<case>/ is one test; `<class>`
names the class of complaint (REQUIREMENTS, part V). ``input.txt`` was written
by tools/capture/compiled.sh or system.sh, ``case.toml`` by hand:

    why, command, exit_code, stream   -- what the engine is told
    must_keep       -- texts that stand in the emission, byte-exact, in this order
    must_not_claim  -- texts that do not
    whole           -- nothing may be cut: same entries, at most laid out anew
    least_saved     -- share of tokens that goes, where noise is the point
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tersely import Engine, Envelope, Observation
from tersely.config import Config

CASES = Path(__file__).parents[1] / "cases" / "fidelity_native"
FOLDERS = sorted(path.parent for path in CASES.glob("*/*/input.txt"))
KEYS = {
    "why",
    "source",
    "command",
    "exit_code",
    "stream",
    "must_keep",
    "must_not_claim",
    "whole",
    "least_saved",
}

each_case = pytest.mark.parametrize(
    "folder", FOLDERS, ids=[f"{path.parent.name}/{path.name}" for path in FOLDERS]
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", Config()) as opened:
        yield opened


def read_case(folder: Path) -> dict[str, Any]:
    """case.toml."""
    return tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))


def observe(engine: Engine, folder: Path) -> tuple[bytes, Envelope]:
    """Feed one case through the whole engine."""
    case = read_case(folder)
    data = (folder / "input.txt").read_bytes()
    observation = Observation(
        data=data,
        command=case["command"],
        exit_code=case["exit_code"],
        stream=case.get("stream"),
    )
    return data, engine.observe(observation)


@each_case
def test_what_must_stay_stays_in_order(engine: Engine, folder: Path) -> None:
    _, out = observe(engine, folder)
    case = read_case(folder)

    lost, at = [], 0
    for keep in case.get("must_keep", []):
        found = out.text.find(keep, at)
        if found < 0:
            lost.append(keep)
        else:
            at = found + len(keep)

    assert [] == lost
    assert [] == [
        claim for claim in case.get("must_not_claim", []) if claim in out.text
    ]


@each_case
def test_nothing_is_lost_and_nothing_grows(engine: Engine, folder: Path) -> None:
    data, out = observe(engine, folder)
    case = read_case(folder)

    assert data == engine.restore(out)
    assert out.tokens_out <= out.tokens_raw
    assert out.reason not in ("failed", "timeout", "unproved")
    if case.get("whole"):
        assert not out.proof.lossy
    if not data:
        assert "" == out.text
    saved = 1 - out.tokens_out / max(1, out.tokens_raw)
    assert saved >= case.get("least_saved", 0.0)


@each_case
def test_case_is_about_its_input(folder: Path) -> None:
    """A must_keep that the tool never said would prove nothing."""
    case = read_case(folder)

    assert set() == case.keys() - KEYS
    assert case["why"] and case["source"]
    text = (folder / "input.txt").read_bytes().decode("utf-8", "surrogateescape")
    if not case.get("whole"):
        assert [] == [keep for keep in case.get("must_keep", []) if keep not in text]
    assert case.get("must_keep") or case.get("whole") or not text
    assert [] == [word for word in ("/work/", "/root") if word in text]
