"""Rules of `store.Ledger`, the same on every backend."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from store.backends import DAY, START, Clock, MakeStore
from tersely.model import Block, ContentType, Proof, Tier
from tersely.store import GROUPS, Event, Total, merge

BLOCK = Block(
    start=0,
    stop=100,
    content_type=ContentType.BUILD_OUTPUT,
    signal="pytest_summary",
    transform="build_run",
    version=3,
    proof=Proof.CUT,
    tier=Tier.DEGRADED,
    kept=10,
    folded=2,
    cut=88,
    tokens_raw=900,
    tokens_out=120,
    reasons=(("passing tests", 80), ("progress", 8)),
)
EVENT = Event(
    kind="emission",
    counter="o200k",
    tokens_raw=1_000,
    tokens_out=150,
    at=START,
    key="3f2a9c0b7d1e3f2a9c0b7d1e",
    frontend="cli",
    command="git log",
    content_type="build_output",
    transform="build_run",
    version=3,
    proof="cut",
    tier="degraded",
    reason="",
    overhead=25,
    blocks=(BLOCK, replace(BLOCK, start=100, stop=200)),
    config="c0ffee",
    exit_code=1,
    elapsed_ms=1.5,
)


def test_event_comes_back_as_it_was(make_store: MakeStore) -> None:
    ledger = make_store().ledger

    ledger.add(EVENT)

    assert (EVENT,) == ledger.events(5)


def test_event_without_time_is_stamped(make_store: MakeStore, clock: Clock) -> None:
    ledger = make_store().ledger

    ledger.add(replace(EVENT, at=0.0))

    assert [clock.now] == [event.at for event in ledger.events(5)]


def test_no_argument_and_no_warning_is_stored(make_store: MakeStore) -> None:
    ledger = make_store().ledger
    quoting = replace(BLOCK, warnings=("cannot parse 'hunter2'",))

    ledger.add(replace(EVENT, command="mysql -phunter2 -u root", blocks=(quoting,)))
    ledger.add(replace(EVENT, command="git  clone https://u:hunter2@host/x"))

    found = ledger.events(5)
    assert ["git clone", "mysql"] == [event.command for event in found]
    assert (BLOCK,) == found[1].blocks


def test_latest_come_first_and_are_found_by_key_and_kind(
    make_store: MakeStore,
) -> None:
    ledger = make_store().ledger
    other = replace(EVENT, key="ff" * 12, kind="fault", detail="ValueError in guard")
    for event in (EVENT, other, replace(EVENT, kind="expand")):
        ledger.add(event)

    assert ["expand", "fault"] == [event.kind for event in ledger.events(2)]
    assert (other,) == ledger.events(5, key="ff" * 6)
    assert (other,) == ledger.faults(5)
    assert 2 == len(ledger.events(5, key="3f2a9c0b7d1e"))


def test_totals_of_nothing_are_nothing(make_store: MakeStore) -> None:
    assert () == make_store().ledger.totals()


def test_expansions_bounces_and_schemas_are_debited_without_a_floor(
    make_store: MakeStore,
) -> None:
    ledger = make_store().ledger
    ledger.add(EVENT)
    for kind, tokens_out in (("expand", 1_000), ("bounce", 700), ("standing", 50)):
        ledger.add(Event(kind=kind, counter="o200k", tokens_out=tokens_out))

    (total,) = ledger.totals()

    assert 1_000 - 150 - 1_000 - 700 - 50 == total.net == -900
    assert (1, 1, 1) == (total.emissions, total.expansions, total.bounces)
    assert (1_000, 700, 50, 25) == (
        total.tokens_expanded,
        total.tokens_bounced,
        total.tokens_standing,
        total.overhead,
    )


def test_fault_counts_as_an_emission_that_saved_nothing(make_store: MakeStore) -> None:
    ledger = make_store().ledger
    ledger.add(replace(EVENT, kind="fault", tokens_out=1_000, reason="failed"))

    (total,) = ledger.totals()

    assert (1, 1, 0) == (total.emissions, total.faults, total.net)


def test_measured_savings_are_not_savings(make_store: MakeStore) -> None:
    ledger = make_store().ledger
    ledger.add(replace(EVENT, kind="measure"))

    (total,) = ledger.totals()

    assert (0, 0, 1, 850) == (
        total.net,
        total.emissions,
        total.measured,
        total.tokens_measured,
    )


def test_counters_are_never_added(make_store: MakeStore) -> None:
    ledger = make_store().ledger
    for counter in ("o200k", "estimate", "o200k"):
        ledger.add(replace(EVENT, counter=counter))

    totals = ledger.totals()

    assert [("estimate", 850), ("o200k", 1_700)] == [(t.counter, t.net) for t in totals]
    with pytest.raises(ValueError, match="several counters"):
        merge(totals)


def test_merge_adds_the_rows_of_one_counter() -> None:
    rows = (
        Total("a", "o200k", emissions=1, tokens_raw=10, tokens_out=4),
        Total("b", "o200k", emissions=2, tokens_raw=1, tokens_expanded=9),
    )

    merged = merge(rows)

    assert (
        Total("", "o200k", emissions=3, tokens_raw=11, tokens_out=4, tokens_expanded=9)
        == merged
    )
    assert merged.net == sum(row.net for row in rows)


@pytest.mark.parametrize("by", GROUPS)
def test_groups_add_up_to_the_whole(make_store: MakeStore, by: str) -> None:
    ledger = make_store().ledger
    for i in range(40):
        ledger.add(
            replace(
                EVENT,
                kind=("emission", "expand", "fault")[i % 3],
                tokens_raw=i * 10,
                tokens_out=i,
                at=START + i * DAY / 7,
                command=("git log", "ls", "make")[i % 3],
                content_type=("log", "json")[i % 2],
                transform=("log_lines", "")[i % 2],
                reason=("", "small")[i % 2],
                frontend=("cli", "hook")[i % 2],
                config=("a", "b")[i % 2],
            )
        )

    groups = ledger.totals(by)

    assert len(groups) > 1
    assert [t.group for t in groups] == sorted({t.group for t in groups})
    assert ledger.totals() == (merge(groups),)


def test_days_are_utc_and_the_span_is_half_open(make_store: MakeStore) -> None:
    ledger = make_store().ledger
    for days in range(4):
        ledger.add(replace(EVENT, at=START + days * DAY))

    totals = ledger.totals("day", since=START + DAY, until=START + 3 * DAY)

    assert ["2030-03-18", "2030-03-19"] == [total.group for total in totals]


def test_unknown_group_is_an_error(make_store: MakeStore) -> None:
    with pytest.raises(ValueError, match="by 'at; --': not one of command, type"):
        make_store().ledger.totals("at; --")


@pytest.mark.parametrize(
    "event",
    [
        replace(EVENT, kind="other"),
        replace(EVENT, tokens_raw=2**63),
        replace(EVENT, detail="\udcff", kind="fault"),
    ],
    ids=["kind", "number", "surrogate"],
)
def test_odd_event_never_raises(
    make_store: MakeStore, event: Event, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = make_store().ledger

    with caplog.at_level(logging.WARNING, "tersely.store"):
        ledger.add(event)
        ledger.add(EVENT)

    written = len(ledger.events(5))
    assert 2 == written + len(caplog.records)
    assert EVENT == ledger.events(1)[0]


def test_closed_store_does_not_raise_from_add(
    make_store: MakeStore, capfd: pytest.CaptureFixture[str]
) -> None:
    store = make_store()
    store.close()

    store.ledger.add(EVENT)

    assert ("", "") == capfd.readouterr()
