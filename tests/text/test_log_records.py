"""text/log_records.py: header, level, continuation lines."""

from __future__ import annotations

import pytest

from tersely.text import log_records
from tersely.text.log_records import Level, Record


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("2026-03-02 09:00:01,123 INFO served", Level.INFO),
        ("2026-03-02T09:00:01.123Z WARN  [main] slow", Level.WARN),
        ("[2026-03-02 09:00:01] production.ERROR: no", Level.ERROR),
        ("Mar  2 09:00:01 host sshd[3]: Failed password", Level.NONE),
        ("09:00:01.123 [main] DEBUG shop - x", Level.DEBUG),
        ('10.0.0.1 - - [02/Mar/2026:09:00:01 +0000] "GET /" 200', Level.NONE),
        ("E0302 09:00:01.123456   1 pod.go:3] sync", Level.ERROR),
        ("INFO:     127.0.0.1:4 - GET /", Level.INFO),
        ("time=2026-03-02T09:00:01Z level=warning msg=x", Level.WARN),
        ("2026/03/02 09:00:01 [crit] 3#0: no space", Level.FATAL),
        ("2026-03-02 09:00:01.1 UTC [3] FATAL:  too many clients", Level.FATAL),
        ("web-1  | 2026-03-02 09:00:01 ERROR x", Level.ERROR),
    ],
)
def test_headers_and_their_levels(line: str, level: Level) -> None:
    assert log_records.is_header(line)
    assert level is log_records.level_of(line)


@pytest.mark.parametrize(
    "line", ["", "    at shop.Main", "KeyError: 'x'", "information about it", "12:30"]
)
def test_other_lines_are_no_headers(line: str) -> None:
    assert not log_records.is_header(line)


def test_continuation_lines_belong_to_the_record_above() -> None:
    lines = [
        "banner",
        "2026-03-02 09:00:01 ERROR failed",
        "Traceback (most recent call last):",
        "KeyError: 'x'",
        "2026-03-02 09:00:02 INFO next",
    ]

    records, share = log_records.read(lines)

    assert [
        Record(0, 1, Level.NONE),
        Record(1, 4, Level.ERROR),
        Record(4, 5, Level.INFO),
    ] == records
    assert 0.4 == share


def test_nothing_is_no_record() -> None:
    assert ([], 0.0) == log_records.read([])
