"""Every folder tests/cases/fidelity/<class>/<case>/ is a complaint that must
not be true of us (REQUIREMENTS, part V).

``input.txt`` is what a real tool printed (``tools/capture/``), sanitised.
``case.toml`` says how it came about, and what must be in the emission, in this
order, and must not: `must_keep`, `must_not_claim`. `signal` holds patterns
that open a block every line of which stays: from the matching line to the
next empty one, or to the one before `signal_end` matches. `saves` is the least
share of tokens that must go, `untouched` says that none may, `relaid` that
the text is laid out anew, without loss. `tight` is what of `must_keep` stays
where there is next to no budget (default: all of it).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tersely import Engine, Observation
from tersely.config import Budgets, Config
from tersely.model import Envelope, Proof
from tersely.text import tokens
from tersely.text.canonical import canonical

CASES = Path(__file__).parents[1] / "cases" / "fidelity"
FOLDERS = sorted(path.parent for path in CASES.glob("*/*/input.txt"))
KEYS = {
    "why",
    "source",
    "command",
    "exit_code",
    "stream",
    "must_keep",
    "must_not_claim",
    "signal",
    "signal_end",
    "saves",
    "untouched",
    "relaid",
    "tight",
}
#: What a tool says when all is well. None of it may be said for it.
VERDICTS = re.compile(
    r"(?i)\b(?:no (?:issues?|errors?|problems?|tests?) found|all (?:checks|tests) "
    r"pass(?:ed)?|\d+ passed|\d+ passing|success(?:ful(?:ly)?)?|build succeeded|ok)\b"
)

#: Engine lines of a line-wise emission (DESIGN section 5).
ENGINE = re.compile(
    r"\[(?:\d+ more \w+|last \d+ lines|full output: ctx expand [0-9a-f]{12,24})\]"
)

each_case = pytest.mark.parametrize(
    "folder", FOLDERS, ids=[f"{path.parent.name}/{path.name}" for path in FOLDERS]
)


#: An eighth of the least budget: what failed goes beyond it, nothing else does.
TIGHT = Config(budgets=Budgets(report_min_tokens=400))


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", Config()) as engine:
        yield engine


@pytest.fixture(scope="module")
def tight() -> Iterator[Engine]:
    """An engine with next to no budget."""
    with Engine.open(":memory:", TIGHT) as engine:
        yield engine


def read_case(folder: Path) -> dict[str, Any]:
    """case.toml."""
    return tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))


def observe(engine: Engine, folder: Path, **other: Any) -> Envelope:
    """What the engine makes of a case."""
    case = read_case(folder)
    facts = {key: case.get(key) for key in ("command", "exit_code", "stream")}
    data = (folder / "input.txt").read_bytes()
    return engine.observe(Observation(data=data, **{**facts, **other}))


def canonical_of(folder: Path) -> str:
    """The text of a case after the canonical step: what may stand in an emission."""
    text = (folder / "input.txt").read_bytes().decode("utf-8", "surrogateescape")
    return canonical(text).text


@each_case
def test_what_the_tool_said_stays_in_order(engine: Engine, folder: Path) -> None:
    case = read_case(folder)

    text = observe(engine, folder).text

    at, lost = 0, []
    for keep in case["must_keep"]:
        found = text.find(keep, at)
        if found < 0:
            lost.append(keep)
        else:
            at = found + len(keep)
    assert [] == lost, text


@each_case
def test_every_line_of_a_failure_stays(engine: Engine, folder: Path) -> None:
    case = read_case(folder)
    blocks = [
        block
        for pattern in case.get("signal", [])
        for block in blocks_of(canonical_of(folder), pattern, case.get("signal_end"))
    ]

    text = observe(engine, folder).text

    assert bool(case.get("signal")) == bool(blocks)
    assert [] == [block for block in blocks if block not in text], text


@each_case
def test_nothing_is_claimed_that_the_tool_did_not_say(
    engine: Engine, folder: Path
) -> None:
    case = read_case(folder)

    for exit_code in (case["exit_code"], 1, None):
        text = observe(engine, folder, exit_code=exit_code).text
        source = canonical_of(folder)

        assert [] == [claim for claim in case["must_not_claim"] if claim in text]
        said = {found.group() for found in VERDICTS.finditer(text)}
        assert set() == {verdict for verdict in said if verdict not in source}
        assert case.get("relaid") or [] == invented(text, source)


@each_case
def test_the_bytes_come_back_and_tokens_do_not_grow(
    engine: Engine, folder: Path
) -> None:
    data = (folder / "input.txt").read_bytes()
    case = read_case(folder)
    count = tokens.counter("o200k").count

    envelope = observe(engine, folder)

    assert data == engine.restore(envelope)
    if envelope.handle:
        assert data == engine.expand(
            envelope.text if envelope.proof.lossy else envelope.handle
        )
    before = count(data.decode("utf-8", "surrogateescape"))
    after = count(envelope.text)
    assert after <= before
    assert case.get("saves", 0) <= 1 - after / max(1, before), envelope.text
    if case.get("untouched"):
        assert Proof.RAW is envelope.proof


@each_case
def test_the_exit_code_alone_hides_nothing(engine: Engine, folder: Path) -> None:
    case = read_case(folder)

    for exit_code in (0, None):
        text = observe(engine, folder, exit_code=exit_code).text
        assert [] == [keep for keep in case["must_keep"] if keep not in text]


@each_case
def test_without_a_budget_what_failed_still_stays(tight: Engine, folder: Path) -> None:
    """21 warnings and 1 error under a budget of 20 shows the error (V4)."""
    case = read_case(folder)

    text = observe(tight, folder).text

    least = case.get("tight", case["must_keep"])
    assert [] == [keep for keep in least if keep not in text], text


@each_case
def test_case_says_why_and_keeps_something(folder: Path) -> None:
    case = read_case(folder)
    text = (folder / "input.txt").read_bytes().decode("utf-8", "surrogateescape")

    assert set() == case.keys() - KEYS
    assert case["why"] and case["source"] and case["command"]
    assert bool(text) == bool(case["must_keep"])
    source = canonical_of(folder)
    assert [] == [keep for keep in case["must_keep"] if keep not in source]
    assert [] == re.findall(r"/(?:root|work|tmp/fid)\b[^ ]*", text)


def blocks_of(text: str, pattern: str, end: str | None) -> list[str]:
    """Runs of lines from a match of `pattern` to an empty line or `end`."""
    out: list[str] = []
    block: list[str] | None = None
    for line in text.splitlines():
        ended = re.search(end, line) if end else not line.strip()
        if block is not None and ended:
            out.append("\n".join(block).rstrip())
            block = None
        if block is None and re.search(pattern, line):
            block = []
        if block is not None:
            block.append(line)
    if block:
        out.append("\n".join(block).rstrip())
    return out


def invented(text: str, source: str) -> list[str]:
    """Lines of an emission that are neither the source's nor the engine's, or
    stand out of order."""
    wrong, at = [], 0
    rows = source.splitlines()
    for line in text.splitlines():
        if not line.strip() or ENGINE.fullmatch(line):
            continue
        bare = re.sub(r" \[(?:×\d+|~\d+ alike)\]$", "", line)
        for row in range(at, len(rows)):
            if rows[row] in (line, bare) or all(
                piece in rows[row] for piece in line.split(" … ")
            ):
                at = row
                break
        else:
            wrong.append(line)
    return wrong
