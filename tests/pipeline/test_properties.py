"""Promises that hold for any observation, searched with Hypothesis."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tersely import Engine, Observation
from tersely.config import Config
from tersely.model import Proof
from tersely.pipeline import emit
from tersely.text import canonical, lines, shape, tokens

ROOT = Path(__file__).resolve().parents[2]

WORDS = st.sampled_from(
    """error: warning: FAILED PASSED ok 12 0x3f \x1b[31m \x1b[0m \r \t src/a.py:3:
    [×3] Traceback\u2028 {"a":1} [1,2] - + @@ --- │ ├── 数据 \ud83d\ude00 \ufeff
    [3 more lines]
    2026-03-02T10:00:00Z INFO ##[error] ##[group] === ____ E >
    [full output: ctx expand 3f2a9c0b7d1e]""".split(" ")
)
LINE = st.lists(WORDS, max_size=9).map(" ".join)
REPEATED = st.tuples(LINE, st.integers(1, 60)).map(lambda row: [row[0]] * row[1])
REPORTS = st.lists(REPEATED, max_size=12).flatmap(
    lambda groups: st.sampled_from(["\n", "\r\n", "\r"]).map(
        lambda end: end.join(line for group in groups for line in group)
    )
)
DATA = st.one_of(
    st.binary(max_size=3_000),
    REPORTS.map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.tuples(st.binary(min_size=1, max_size=60), st.integers(1, 200)).map(
        lambda row: row[0] * row[1]
    ),
)
COMMANDS = st.one_of(st.none(), st.text(max_size=30), st.lists(st.text(max_size=9)))


@given(DATA, COMMANDS, st.one_of(st.none(), st.integers(-5, 300)))
@example(b"\xff\xfe" * 400, None, None)
@example(b"\r" * 700, None, 0)
@example(b"[3 more lines]\n" * 90, "make", 1)
@settings(max_examples=120)
def test_nothing_raises_grows_or_is_lost(
    data: bytes, command: str | list[str] | None, exit_code: int | None
) -> None:
    """R10, R57, R65, P1, P2."""
    words = tuple(command) if isinstance(command, list) else command
    with Engine.open(":memory:", Config()) as engine:
        out = engine.observe(Observation(data, command=words, exit_code=exit_code))

        assert out.reason not in ("failed", "timeout", "unproved"), out.warnings
        assert data == engine.restore(out)
        if out.handle:
            assert data == engine.expand(out.handle)
        counter = tokens.counter("o200k")
        raw = data.decode(out.encoding, "surrogateescape")
        assert counter.count(out.text) <= counter.count(raw)
        assert out.tokens_out <= out.tokens_raw
        if out.proof.lossy:
            assert emit.parse_handle(out.text) == out.handle
        for block in out.blocks:
            assert block.stop - block.start == block.kept + block.folded + block.cut


@given(DATA)
@settings(max_examples=60)
def test_emissions_are_fixed_points(data: bytes) -> None:
    """R1: what went out comes back as it is when it is seen again."""
    with Engine.open(":memory:", Config()) as engine:
        once = engine.observe(Observation(data, exit_code=1))
        again = once.text.encode(once.encoding, "surrogateescape")
        twice = engine.observe(Observation(again, exit_code=1))

        assert once.text == twice.text


@given(REPORTS)
@settings(max_examples=60)
def test_every_line_of_a_cut_stands_in_the_original_in_order(text: str) -> None:
    """P4: suffixes, empty lines between blocks and engine lines aside."""
    data = text.encode("utf-8", "surrogatepass")
    with Engine.open(":memory:", Config()) as engine:
        out = engine.observe(Observation(data, exit_code=1))
    if out.proof is not Proof.CUT or any(b.proof is Proof.EXACT for b in out.blocks):
        return
    form = canonical.canonical(data.decode(out.encoding, "surrogateescape")).text
    source = iter(lines.split(form).lines)
    for line in lines.split(out.text).lines[:-1]:
        if not line or line == emit.marker(sum(block.cut for block in out.blocks)):
            continue
        if line.startswith("[last "):
            continue
        shown = {line, shape.SUFFIX.sub("", line)}

        assert any(row in shown for row in source), line


SCRIPT = """
import hashlib, sys
from pathlib import Path
from tersely import Engine, Observation
digest = hashlib.sha256()
for path in sys.argv[1:]:
    data = Path(path).read_bytes()
    with Engine.open(":memory:") as engine:
        out = engine.observe(Observation(data, exit_code=1))
        digest.update(out.text.encode(out.encoding, "surrogateescape"))
print(digest.hexdigest())
"""


def digest_of(files: list[str], folder: Path, **environ: str) -> str:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    # A slow machine is no input either: the deadline is the one clock there is.
    base = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "CTX_TRANSFORM_TIMEOUT_S": "600",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *files],
        env={**base, "PYTHONPATH": str(ROOT / "src"), **environ},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_twenty_processes_give_the_same_bytes(tmp_path: Path) -> None:
    """R5: hash seed, locale, time zone, clock's day and folder change nothing."""
    by_id = {
        p.parts[-3]: p
        for p in sorted(ROOT.glob("tests/cases/transforms/*/*/input.txt"))
    }
    files = sorted(str(path) for path in by_id.values())
    assert len(files) > 7
    zones = ("UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia")
    locales = ("C", "C.UTF-8", "POSIX", "tr_TR.UTF-8", "xx_YY")
    digests = set()
    for number in range(20):
        folder = tmp_path / f"dir {number % 3}"
        folder.mkdir(exist_ok=True)
        digests.add(
            digest_of(
                files,
                folder,
                PYTHONHASHSEED=str(number),
                TZ=zones[number % 4],
                LC_ALL=locales[number % 5],
            )
        )

    assert 1 == len(digests)


def test_the_digest_script_can_tell_texts_apart(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"one\n")
    second.write_bytes(b"two\n")

    one = digest_of([str(first)], tmp_path)

    assert one == hashlib.sha256(b"one\n").hexdigest()
    assert one != digest_of([str(second)], tmp_path)


@pytest.mark.parametrize(
    "unit", [b"a", b" ", b"-", b"\n", b"\r", b"\x1b[", b"\x00", b"[{"]
)
def test_ten_megabytes_of_one_thing_come_back(unit: bytes) -> None:
    """R11, V10: no crash, no hang, exact archive."""
    data = unit * (10_000_000 // len(unit))
    with Engine.open(":memory:", Config()) as engine:
        out = engine.observe(Observation(data, exit_code=1))

        # Too many lines for the deadline on a slow machine is an answer too: raw.
        assert out.reason not in ("failed", "unproved"), out.warnings
        assert data == engine.restore(out)
