"""Whatever breaks, the reader gets the untouched text (P7, R9, R72)."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tersely import Engine, Observation, transforms
from tersely.config import Config
from tersely.model import Change, Cut, Proof, Transform
from tersely.pipeline import run

from .test_run import FAILING, REPORT

LOG = Observation(b"".join(b"INFO request %d served\n" % n for n in range(400)))

#: Does not fit in the free pages of a small database, compressed as it may be.
BULKY = Observation(
    b"".join(
        b"tests/test_a.py::test_%s PASSED\n" % sha256(b"%d" % n).hexdigest().encode()
        for n in range(3_000)
    ),
    exit_code=1,
)


def faults(engine: Engine) -> list[Any]:
    return list(engine.store.ledger.faults(10))


@pytest.mark.parametrize(
    "stage", ["_ingest", "_classify", "_policy", "_transform", "_guard", "_emit"]
)
def test_a_stage_that_raises_gives_the_raw_text_and_one_event(
    stage: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError(f"{stage} is broken")

    monkeypatch.setattr(run, stage, broken)
    with Engine.open(":memory:", Config()) as engine, caplog.at_level(logging.ERROR):
        out = engine.observe(FAILING)

        assert (REPORT, "failed", Proof.RAW) == (out.text, out.reason, out.proof)
        assert FAILING.data == engine.restore(out)
        (event,) = faults(engine)
        assert "failed" == event.reason and "RuntimeError" in event.detail


def replaced(monkeypatch: pytest.MonkeyPatch, apply: Callable[..., Any]) -> None:
    real = transforms.load

    def load(id: str) -> Transform:
        return replace(real(id), apply=apply)

    monkeypatch.setattr(transforms, "load", load)


def test_a_transform_that_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    def apply(*args: object) -> Change:
        raise ZeroDivisionError("in a transform")

    replaced(monkeypatch, apply)
    with Engine.open(":memory:", Config()) as engine:
        out = engine.observe(FAILING)

        assert (REPORT, "failed") == (out.text, out.reason)
        assert 1 == len(faults(engine))


def test_a_transform_that_loops_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def apply(*args: object) -> Change:
        while True:
            try:
                sum(range(100))
            except Exception:
                pass  # a broad handler does not swallow the deadline

    replaced(monkeypatch, apply)
    config = replace(Config(), transform_timeout_s=0.2)
    with Engine.open(":memory:", config) as engine:
        out = engine.observe(FAILING)

        assert (REPORT, "timeout") == (out.text, out.reason)
        assert ["timeout"] == [event.reason for event in faults(engine)]
        monkeypatch.undo()
        assert "" == engine.observe(FAILING).reason  # a timeout is not remembered


def test_a_change_without_proof_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, lambda *args: Change(Proof.CUT, cuts=(Cut(0, 10_000, "x"),)))
    with Engine.open(":memory:", Config()) as engine:
        out = engine.observe(FAILING)

        assert (REPORT, "unproved") == (out.text, out.reason)
        assert 1 == len(faults(engine))


def test_a_transform_cannot_drop_a_pinned_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """R31: policy runs before any transform."""
    lines = REPORT.count("\n")
    replaced(
        monkeypatch, lambda *args: Change(Proof.CUT, cuts=(Cut(1, lines - 1, "x"),))
    )
    with Engine.open(":memory:", Config()) as engine:
        out = engine.observe(FAILING)

    assert (REPORT, "unproved") == (out.text, out.reason)
    assert "must-keep" in out.warnings[0]


def locked(path: Path) -> sqlite3.Connection:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    return other


@pytest.mark.parametrize("fault", ["read_only", "locked", "corrupt", "full"])
def test_an_archive_that_cannot_be_written_means_raw(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.db"
    config = Config()
    config = replace(config, archive=replace(config.archive, busy_timeout_ms=50))
    with Engine.open(str(path), config) as engine:
        engine.observe(LOG)
    other = None
    if fault == "locked":
        other = locked(path)
    elif fault == "corrupt":
        for file in (path, path.with_name("store.db-wal")):
            if file.exists():
                file.write_bytes(b"not a database " * 1_000)
    elif fault in ("read_only", "full"):
        pragma = "PRAGMA query_only=1" if fault == "read_only" else None
        _after_open(monkeypatch, pragma)
    with Engine.open(str(path), config) as engine:
        out = engine.observe(BULKY)

        assert ("no_archive", Proof.RAW) == (out.reason, out.proof)
        assert BULKY.data == engine.restore(out)
        if fault != "full":
            assert engine.store.problem()
    if other:
        other.close()


def _after_open(monkeypatch: pytest.MonkeyPatch, pragma: str | None) -> None:
    """Let every new connection be read-only, or its database full."""
    real = sqlite3.connect

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
            done = super().execute(sql, *args)
            if "journal_mode" in sql or "user_version" in sql:
                super().execute(pragma or _full(super().execute))
            return done

    def connect(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*args, factory=Connection, **kwargs)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect)


def _full(execute: Callable[..., sqlite3.Cursor]) -> str:
    (pages,) = execute("PRAGMA page_count").fetchone()
    return f"PRAGMA max_page_count={pages}"


def test_a_ledger_that_raises_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """X19."""
    with Engine.open(":memory:", Config()) as engine:
        want = engine.observe(FAILING)

        def broken(event: object) -> None:
            raise OSError("no space left")

        monkeypatch.setattr(type(engine.store.ledger), "add", lambda *a: broken(a))
        assert want == engine.observe(FAILING)


def test_neither_ledger_nor_log_quotes_the_text(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """P8: what is said about a fault names a place, never content."""

    def quotes(text: Any, params: Any, facts: Any) -> Change:
        raise ValueError(text.lines[3])

    drops = Change(Proof.CUT, cuts=(Cut(1, REPORT.count("\n") - 1, "x"),))
    for apply in (quotes, lambda *args: drops):
        with (
            monkeypatch.context() as patch,
            Engine.open(":memory:", Config()) as engine,
        ):
            replaced(patch, apply)
            out = engine.observe(FAILING)
            (event,) = faults(engine)

        assert Proof.RAW is out.proof
        for said in (event.detail, *out.warnings, caplog.text):
            assert "test_a" not in said and "assert 1" not in said
