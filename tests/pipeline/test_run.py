"""pipeline/run.py: the engine, end to end over a real store."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tersely import Engine, Envelope, Observation, compress, expand
from tersely.config import Config
from tersely.errors import HandleExpired, HandleUnknown
from tersely.model import ContentType, Proof, Scope, Tier
from tersely.pipeline import run
from tersely.store import merge

PASSING = "".join(f"tests/test_a.py::test_{n} PASSED [{n:3d}%]\n" for n in range(90))
REPORT = (
    "============================= test session starts =============================\n"
    "collected 91 items\n\n" + PASSING + "tests/test_a.py::test_x FAILED [100%]\n\n"
    "=================================== FAILURES ===================================\n"
    "____________________________________ test_x ____________________________________\n"
    "    def test_x():\n>       assert 1 == 2\nE       assert 1 == 2\n\n"
    "tests/test_a.py:9: AssertionError\n"
    "=========================== short test summary info ============================\n"
    "FAILED tests/test_a.py::test_x - assert 1 == 2\n"
    "========================= 1 failed, 90 passed in 0.40s =========================\n"
)
FAILING = Observation(REPORT.encode(), command="pytest -v", exit_code=1)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def engine(clock: Clock) -> Iterator[Engine]:
    with Engine.open(":memory:", Config(), clock=clock) as opened:
        yield opened


def test_a_failing_run_is_shorter_and_keeps_its_failure(engine: Engine) -> None:
    out = engine.observe(FAILING)

    assert (Proof.CUT, "build_run", Tier.FULL, "") == (
        out.proof,
        out.transform,
        out.tier,
        out.reason,
    )
    assert "E       assert 1 == 2\n\ntests/test_a.py:9: AssertionError\n" in out.text
    assert "1 failed, 90 passed in 0.40s" in out.text
    assert out.text.endswith(
        f"[91 more lines]\n[full output: ctx expand {out.handle}]\n"
    )
    assert out.tokens_out < out.tokens_raw
    assert out.handle == out.key[:12]


def test_the_original_comes_back_by_envelope_handle_and_footer(engine: Engine) -> None:
    out = engine.observe(FAILING)

    assert out.handle
    for asked in (out.handle, out.key, out.text, f"<<ccr:{out.key}>>"):
        assert FAILING.data == engine.expand(asked)
    assert FAILING.data == engine.restore(out)


@pytest.mark.parametrize("exit_code", [0, 1, 130, 143, None])
def test_every_exit_code_is_archived(engine: Engine, exit_code: int | None) -> None:
    """R67."""
    out = engine.observe(replace(FAILING, exit_code=exit_code))

    assert out.handle and FAILING.data == engine.expand(out.handle)


def test_stages_run_in_order_each_once(engine: Engine) -> None:
    """R3, for a shortened text, a raw one, a cached one and a failed one."""
    observations = (
        FAILING,
        FAILING,
        Observation(b"ok\n"),
        Observation(REPORT.encode(), raw=True),
        Observation(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9),
    )
    for observation in observations:
        _, trace = engine.trace(observation)

        assert list(run.STAGES) == [stage.name for stage in trace.stages]


def test_an_emission_fed_back_comes_back_as_it_is(engine: Engine) -> None:
    out = engine.observe(FAILING)

    again = engine.observe(Observation(out.text.encode()))

    assert (out.text, "verbatim", Proof.RAW) == (again.text, again.reason, again.proof)


def test_the_second_time_neither_detects_nor_transforms(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R26b: result cache and skip set."""
    prose = Observation(b"Something was said at length, and then again.\n" * 12)
    first = [engine.observe(FAILING), engine.observe(prose)]
    calls: list[str] = []
    monkeypatch.setattr(run, "_classify", lambda work: calls.append("classify"))
    monkeypatch.setattr(run, "_transform", lambda work: calls.append("transform"))

    second = [engine.observe(FAILING), engine.observe(prose)]

    assert ([], first) == (calls, second)


@pytest.mark.parametrize("other", ["time", "config", "facts"])
def test_the_cache_ends_with_its_time_config_and_facts(
    engine: Engine, clock: Clock, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    engine.observe(FAILING)
    again = FAILING
    seen: list[str] = []
    real = run._classify

    def classify(work: Any) -> None:
        seen.append("x")
        real(work)

    monkeypatch.setattr(run, "_classify", classify)
    if other == "time":
        clock.now += engine.config.cache_ttl_s + 1
    elif other == "facts":
        again = replace(FAILING, exit_code=0)
    config = replace(Config(), small_lines=6) if other == "config" else engine.config

    if config is engine.config:
        engine.observe(again)
    else:
        with Engine.open(":memory:", config, clock=clock) as another:
            another.observe(again)

    assert ["x"] == seen


def test_a_cached_emission_never_outlives_its_original(
    engine: Engine, clock: Clock
) -> None:
    out = engine.observe(FAILING)
    engine.store.archive.purge()

    again = engine.observe(FAILING)

    assert out.text == again.text
    assert again.handle and FAILING.data == engine.expand(again.handle)


def test_canonical_needs_no_footer_but_has_a_handle(engine: Engine) -> None:
    data = "".join(f"\x1b[32mstep {n}\x1b[0m done, next one\n" for n in range(30))

    out = engine.observe(Observation(data.encode()))

    assert (Proof.CANONICAL, "") == (out.proof, out.reason)
    assert "\x1b" not in out.text and "full output" not in out.text
    assert out.handle and data.encode() == engine.restore(out)


def test_exact_needs_no_archive(engine: Engine, tmp_path: Path) -> None:
    data = b"start\n" + b"waiting for the lock on the table\n" * 50 + b"end\n"
    with Engine.open(str(tmp_path / "no" / "\0"), Config()) as broken:
        out = broken.observe(Observation(data, content_type=ContentType.UNKNOWN))

        assert (Proof.EXACT, None, "") == (out.proof, out.handle, out.reason)
        assert data == broken.restore(out)


def test_no_archive_no_loss(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with Engine.open(str(tmp_path / "file" / "store.db"), Config()) as engine:
        out = engine.observe(FAILING)

    assert ("no_archive", Proof.RAW, REPORT) == (out.reason, out.proof, out.text)


def test_lossless_mode_cuts_nothing() -> None:
    config = replace(Config(), mode="lossless")
    with Engine.open(":memory:", config) as engine:
        out = engine.observe(FAILING)
        runs = Observation(b"wait for it\n" * 90, content_type=ContentType.UNKNOWN)
        folded = engine.observe(runs)

    assert Proof.RAW is out.proof
    assert Proof.EXACT is folded.proof


def test_measure_mode_sends_raw_and_books_what_would_be_saved() -> None:
    config = replace(Config(), mode="measure")
    with Engine.open(":memory:", config) as engine:
        out = engine.observe(FAILING)
        total = merge(engine.store.ledger.totals(None))

    assert (REPORT, "asked_raw") == (out.text, out.reason)
    assert (1, 0) == (total.measured, total.emissions)
    assert total.tokens_measured > 500


def test_ccr_footer_is_a_setting() -> None:
    with Engine.open(":memory:", replace(Config(), footer="ccr")) as engine:
        out = engine.observe(FAILING)

        assert out.text.endswith(f"[full output: ctx expand <<ccr:{out.key}>>]\n")
        assert FAILING.data == engine.expand(out.text)


def test_a_taken_prefix_gets_the_long_handle(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive decides (`tests/store`); the footer says what it decided."""
    archive = type(engine.store.archive)
    real = archive.put

    def put(self: Any, data: bytes, note: Any, *, key: str) -> str:
        real(self, data, note, key=key)
        return key

    monkeypatch.setattr(archive, "put", put)

    out = engine.observe(FAILING)

    assert out.handle == out.key
    assert out.text.endswith(f"[full output: ctx expand {out.key}]\n")
    assert FAILING.data == engine.expand(out.text)


def test_the_ledger_adds_up(engine: Engine) -> None:
    """R76, R77: blocks sum to totals; an expansion is a debit."""
    out = engine.observe(FAILING)
    assert out.tokens_raw == sum(block.tokens_raw for block in out.blocks)
    assert out.tokens_out == sum(block.tokens_out for block in out.blocks)
    before = merge(engine.store.ledger.totals(None))

    engine.expand(out.text)

    after = merge(engine.store.ledger.totals(None))
    assert before.net == out.tokens_raw - out.tokens_out
    assert after.net < before.net
    for _ in range(3):
        engine.expand(out.text)
    assert merge(engine.store.ledger.totals(None)).net < 0


def test_manifest_counts_every_line(engine: Engine) -> None:
    out = engine.observe(FAILING)

    (block,) = out.blocks
    assert REPORT.count("\n") == block.kept + block.folded + block.cut
    assert block.cut == sum(count for _, count in block.reasons)


def test_segments_have_a_block_and_a_transform_each(engine: Engine) -> None:
    rows = ",\n".join(f'  {{"id": {n}, "name": "row", "ok": true}}' for n in range(40))
    text = f"fetched 40 rows\n[\n{rows}\n]\ndone in 3 tries\n"

    out = engine.observe(Observation(text.encode(), command="./fetch"))

    assert [b.content_type for b in out.blocks][1] is ContentType.JSON_ARRAY
    assert "records" == out.transform
    assert out.text.startswith("fetched 40 rows\n[40 records: constants, then rows]\n")
    assert out.text.endswith("done in 3 tries\n")
    assert text.encode() == engine.restore(out)


def test_a_given_content_type_is_believed(engine: Engine) -> None:
    prose = Observation(REPORT.encode(), content_type=ContentType.PLAIN_TEXT)

    out = engine.observe(prose)

    assert (ContentType.PLAIN_TEXT, "no_gain") == (out.content_type, out.reason)


def test_unknown_and_expired_handles_differ(engine: Engine, clock: Clock) -> None:
    out = engine.observe(FAILING)
    clock.now += engine.config.archive.ttl_s + 1

    with pytest.raises(HandleExpired):
        engine.expand(out.text)
    with pytest.raises(HandleUnknown):
        engine.expand("ffffffffffff")
    with pytest.raises(HandleUnknown, match="not a handle: 'what'"):
        engine.expand("what")


def test_scope_and_workspace_do_not_change_the_emission(engine: Engine) -> None:
    alone = engine.observe(FAILING)

    scoped = engine.observe(replace(FAILING, scope=Scope("conversation-1")))

    assert alone.text == scoped.text


def test_same_bytes_under_both_exit_codes_keep_their_failure(engine: Engine) -> None:
    """R34: exit code 0 does not make a failing report a success."""
    for code in (0, 1, None):
        out = engine.observe(replace(FAILING, exit_code=code))

        assert "1 failed, 90 passed" in out.text and "FAILED tests" in out.text


def test_one_liners_share_the_users_store(home: Path) -> None:
    from tersely.pipeline import oneline

    oneline._shared.cache_clear()
    try:
        text = compress(REPORT, command="pytest", exit_code=1)

        assert REPORT.encode() == expand(text)
        assert REPORT == compress(REPORT, content_type=ContentType.PLAIN_TEXT)
    finally:
        oneline._shared().close()
        oneline._shared.cache_clear()


def test_threads_share_one_engine(engine: Engine) -> None:
    texts = [REPORT.replace("test_x", f"test_x{n % 5}").encode() for n in range(60)]
    want = [engine.observe(Observation(data, exit_code=1)).text for data in texts[:5]]

    with ThreadPoolExecutor(8) as pool:
        got = list(
            pool.map(lambda data: engine.observe(Observation(data, exit_code=1)), texts)
        )

    assert [want[n % 5] for n in range(60)] == [out.text for out in got]
    assert all(
        data == engine.restore(out) for data, out in zip(texts, got, strict=True)
    )


def test_an_envelope_is_a_value(engine: Engine) -> None:
    out: Envelope = engine.observe(FAILING)

    with pytest.raises(AttributeError):
        out.text = ""  # type: ignore[misc]
