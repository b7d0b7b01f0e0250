"""A change of the input that changes no fact changes no fact of the emission.

Facts are judged on the canonical form: colours and runners' prefixes may go.
Bounds in tokens (o200k). They are exact where a reader knows the noise; else a
budget is part of them, and it is said where:

- up to the least budget of a report nothing has to go, so a wrapper that makes
  a log part of a build may show up to that many tokens of it (`FREE`);
- findings of a linter, a compiler's commands and log records are no noise that
  a tool declares: ten times as many may use the budget of the larger text.
- above the budget lines compete, and what is added displaces as much of the
  lightest: the wrappers are held against reports below it.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path

import pytest

from pipeline import metamorphic as m
from tersely import Engine, Observation
from tersely.config import Config
from tersely.model import Envelope
from tersely.text import tokens

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
BUDGETS = Config().budgets

#: Marker, footer and the seams around them, in tokens.
SLACK = 60
#: Budgets go by an estimate that may be off by this much.
DOUBT = 1.15
FREE = int(BUDGETS.report_min_tokens * DOUBT)
SIZES = (6, 40, 300)
#: What passes there is known as noise: the bound has no budget in it.
KNOWN = (*m.TEST_RUNS, "pip", "npm")

count = tokens.counter("o200k").count


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", Config()) as opened:
        yield opened


def observe(engine: Engine, data: bytes, exit_code: int | None = 1) -> Envelope:
    out = engine.observe(Observation(data, exit_code=exit_code))
    assert out.reason not in ("failed", "timeout", "unproved"), out.warnings
    return out


def lost(facts: tuple[str, ...], text: str) -> list[str]:
    flat = " ".join(text.split())
    return [fact for fact in facts if " ".join(fact.split()) not in flat]


def size(text: str) -> int:
    return count(text.replace("\r", ""))


@lru_cache(maxsize=512)
def report(name: str, passing: int, seed: int = 0) -> m.Report:
    return m.report(name, seed, passing)


def bound(raw_tokens: int) -> int:
    """Most tokens of a report of that size by its budget."""
    share = int(raw_tokens * BUDGETS.report_share)
    budget = min(max(share, BUDGETS.report_min_tokens), BUDGETS.report_max_tokens)
    return int(budget * DOUBT)


@pytest.mark.parametrize("wrapper", m.WRAPPERS)
@pytest.mark.parametrize("name", m.FORMS)
def test_a_wrapper_changes_no_fact_and_costs_what_it_says(
    engine: Engine, name: str, wrapper: str
) -> None:
    for passing in SIZES:
        shown = report(name, passing)
        base = observe(engine, m.joined(shown.lines), shown.exit_code)
        rows = m.WRAPPERS[wrapper](shown.lines)

        out = observe(engine, m.joined(rows), shown.exit_code)

        assert not lost(shown.facts, out.text), passing
        added = max(0, count("\n".join(rows)) - count("\n".join(shown.lines)))
        if wrapper == "iso_stamps":  # of the lines that are shown
            added = added * out.text.count("\n") // len(shown.lines)
        elif wrapper in ("runner_stamps", "job_and_step"):
            added = count("\n".join(m.wrapped_step([])))
        limit = size(base.text) + added + SLACK
        assert size(out.text) <= (limit if name in KNOWN else max(limit, FREE))


@pytest.mark.parametrize("name", m.FORMS)
def test_a_greeting_before_a_runner_log_changes_no_fact(
    engine: Engine, name: str
) -> None:
    shown = report(name, 60)
    base = observe(engine, m.joined(m.runner_stamps(shown.lines)))

    out = observe(engine, m.joined(m.banner_before(m.runner_stamps(shown.lines))))

    assert not lost(shown.facts, out.text)
    assert size(out.text) <= size(base.text) + count("\n".join(m.BANNER)) + SLACK


@pytest.mark.parametrize("name", m.FORMS)
def test_line_ends_decide_nothing(engine: Engine, name: str) -> None:
    for passing in SIZES:
        shown = report(name, passing)
        base = observe(engine, m.joined(shown.lines), shown.exit_code)

        out = observe(engine, m.joined(shown.lines, "\r\n"), shown.exit_code)

        assert not lost(shown.facts, out.text)
        # CRs are tokens: what goes with them may pay for a footer that did not
        assert size(out.text) <= size(base.text) + SLACK


@pytest.mark.parametrize("name", m.FORMS)
def test_a_duplicate_costs_at_most_its_line(engine: Engine, name: str) -> None:
    rng = random.Random(name)
    for passing in SIZES:
        shown = report(name, passing)
        base = observe(engine, m.joined(shown.lines), shown.exit_code)
        for at in rng.sample(range(len(shown.lines)), 4):
            rows = m.duplicate(shown.lines, at)

            out = observe(engine, m.joined(rows), shown.exit_code)

            assert not lost(shown.facts, out.text), rows[at]
            assert size(out.text) <= size(base.text) + count(rows[at]) + SLACK


@pytest.mark.parametrize("name", KNOWN)
def test_ten_times_more_noise_costs_nothing(engine: Engine, name: str) -> None:
    small = report(name, 30)
    base = observe(engine, m.joined(small.lines))
    for passing in (300, 3_000):
        large = report(name, passing)

        out = observe(engine, m.joined(large.lines))

        assert not lost(large.facts, out.text)
        assert size(out.text) <= size(base.text) + SLACK


@pytest.mark.parametrize("name", [name for name in m.FORMS if name not in KNOWN])
def test_ten_times_more_of_the_rest_stays_within_the_budget(
    engine: Engine, name: str
) -> None:
    base = observe(engine, m.joined(report(name, 30).lines))
    for passing in (300, 3_000):
        large = report(name, passing)

        out = observe(engine, m.joined(large.lines), large.exit_code)

        assert not lost(large.facts, out.text)
        raw = count(large.text)
        assert size(out.text) <= max(size(base.text) + SLACK, bound(raw))


@pytest.mark.parametrize("name", m.FORMS)
def test_less_noise_loses_nothing(engine: Engine, name: str) -> None:
    whole = report(name, 300)
    base = observe(engine, m.joined(whole.lines), whole.exit_code)
    for share in (2, 4, 10):
        less = replace(whole, noise=whole.noise[: len(whole.noise) // share])

        out = observe(engine, m.joined(less.lines), less.exit_code)

        assert not lost(less.facts, out.text)
        limit = size(base.text) + SLACK
        assert size(out.text) <= (limit if name in KNOWN else max(limit, FREE))


@pytest.mark.parametrize("name", m.FORMS)
def test_no_exit_code_loses_a_fact(engine: Engine, name: str) -> None:
    """None to 1 above all; a 0 in front of a failure is a lie of the caller."""
    for passing in SIZES:
        shown = report(name, passing)
        for code in (None, 1, 2, 0):
            out = observe(engine, m.joined(shown.lines), code)

            assert not lost(shown.facts, out.text), code


@pytest.mark.parametrize("name", m.FORMS)
def test_the_place_of_a_failure_does_not_matter(engine: Engine, name: str) -> None:
    """In a log the records beside it are its context, so its cost may differ."""
    shown = report(name, 300)
    sizes = []
    for at in (0, 0.31, 0.5, 1):
        out = observe(engine, m.joined(replace(shown, at=at).lines), shown.exit_code)

        assert not lost(shown.facts, out.text), at
        sizes.append(size(out.text))
    if name in KNOWN:
        assert max(sizes) <= min(sizes) + SLACK
    else:
        assert max(sizes) <= max(min(sizes) + SLACK, FREE)


REPORTS = (*m.TEST_RUNS, *m.BUILDS)


@pytest.mark.parametrize("name", REPORTS)
def test_two_reports_keep_both_verdicts(engine: Engine, name: str) -> None:
    first = report(name, 30)
    for other in REPORTS:
        second = report(other, 30, seed=1)

        out = observe(engine, m.joined([*first.lines, *second.lines]))

        assert not lost((*first.facts, *second.facts), out.text), other


@pytest.mark.parametrize("name", m.FORMS)
def test_a_doubled_budget_loses_nothing(engine: Engine, name: str) -> None:
    """For twelve failures that do not all fit.

    No theorem: lines are taken by weight while they fit, and where the first
    budget had room for two light lines the second may take one long one. It
    holds for the facts of these reports.
    """
    runs = [report(name, 10, seed) for seed in range(12)]
    data = m.joined(chain.from_iterable(run.lines for run in runs))
    facts = tuple(chain.from_iterable(run.facts for run in runs))
    before = set(lost(facts, observe(engine, data).text))
    doubled = replace(
        BUDGETS,
        report_share=2 * BUDGETS.report_share,
        report_min_tokens=2 * BUDGETS.report_min_tokens,
        report_max_tokens=2 * BUDGETS.report_max_tokens,
        must_keep_tokens=2 * BUDGETS.must_keep_tokens,
    )
    with Engine.open(":memory:", replace(Config(), budgets=doubled)) as richer:
        out = observe(richer, data)

    assert not set(lost(facts, out.text)) - before


@pytest.mark.parametrize("name", m.TEST_RUNS)
def test_failures_of_one_form_keep_their_values(engine: Engine, name: str) -> None:
    """What is expected and got in the thirtieth is no repeat of the first."""
    runs = [report(name, 5, seed) for seed in range(30)]

    out = observe(engine, m.joined(chain.from_iterable(run.lines for run in runs)))

    assert not lost(tuple(chain.from_iterable(run.facts for run in runs)), out.text)


def test_one_long_failure_hides_no_other_error(engine: Engine) -> None:
    """What a reader keeps whole may exceed the budget, and leaves room beside it."""
    shown = report("pytest", 200)
    at = shown.end.index(next(row for row in shown.end if row.startswith("E  ")))
    diff = [f"E         row {n}: {m.WORDS[n % 20]} is {n * 7}" for n in range(500)]
    lines = [*shown.lines[:5], *shown.noise, *shown.inline, *shown.end[: at + 1]]
    lines += [*diff, *shown.end[at + 1 :]]
    others = [
        f"{stamp}ERROR app.{word}: {word} lost its lease"
        for word, stamp in zip(
            m.WORDS[:8],
            [f"2026-03-02 10:00:{n:02},000 " for n in range(8)],
            strict=True,
        )
    ]
    middle = 5 + len(shown.noise) // 2

    out = observe(engine, m.joined([*lines[:middle], *others, *lines[middle:]]))

    assert size(out.text) > BUDGETS.report_min_tokens
    assert not lost((*shown.facts, *others), out.text)


CASES = [
    path
    for folder in ("build_run", "log_lines")
    for path in sorted((ROOT / "tests/cases/transforms" / folder).glob("*/case.toml"))
    if tomllib.loads(path.read_text("utf-8")).get("must_keep")
]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_captured_reports_keep_their_facts(engine: Engine, case: Path) -> None:
    about = tomllib.loads(case.read_text("utf-8"))
    lines = (case.parent / "input.txt").read_text("utf-8").splitlines()
    facts = tuple(about["must_keep"])
    code = about.get("facts", {}).get("exit_code")
    rng = random.Random(case.parent.name)
    changed = {name: wrap(lines) for name, wrap in m.WRAPPERS.items()}
    for _ in range(3):
        at = rng.randrange(len(lines))
        changed[f"duplicate {at}"] = m.duplicate(lines, at)
    for name, rows in changed.items():
        out = observe(engine, m.joined(rows), code)

        assert not lost(facts, out.text), name


def observations() -> list[dict[str, object]]:
    """Every third report of the shared corpus that is not large."""
    manifest = CORPUS / "MANIFEST.jsonl"
    if not manifest.exists():
        return []
    rows = [json.loads(row) for row in manifest.read_text("utf-8").splitlines() if row]
    classes = ("test_log", "build_log", "app_log")
    found = [
        row
        for row in rows
        if row["class"] in classes and (CORPUS / row["path"]).exists()
    ]
    return [row for row in found[::3] if (CORPUS / row["path"]).stat().st_size < 60_000]


@pytest.mark.skipif(not CORPUS.exists(), reason="no ../shared/corpus beside the tree")
@pytest.mark.parametrize("item", observations(), ids=lambda item: item["path"])
def test_observations_keep_the_facts_they_kept(
    engine: Engine, item: dict[str, object]
) -> None:
    """What stands in the emission of the text as it came still does."""
    data = (CORPUS / str(item["path"])).read_bytes()
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    code = item.get("exit_code")
    assert code is None or isinstance(code, int)
    assert isinstance(item["must_keep"], list)
    base = observe(engine, m.joined(lines), code)
    facts = tuple(fact for fact in item["must_keep"] if not lost((fact,), base.text))
    rng = random.Random(str(item["path"]))
    changed = {
        "duplicate": m.duplicate(lines, rng.randrange(len(lines))),
        "banner_before": m.banner_before(lines),
        "banner_after": m.banner_after(lines),
        "in_make": m.in_make(lines),
    }
    for name, rows in changed.items():
        out = observe(engine, m.joined(rows), code)

        assert not lost(facts, out.text), name
    assert not lost(facts, observe(engine, m.joined(lines, "\r\n"), code).text)
