"""Read log lines as records: header, level, continuation lines.

A header starts with a time stamp, or with a level where the format has no
stamps; what follows without one belongs to it (tracebacks, wrapped SQL).
Formats: ISO and syslog stamps, Apache, klog, ``LEVEL:`` and ``level=``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

_STAMP = re.compile(
    r"(?:[\w.-]{1,40}\s{0,20}\| )?[\[(<]?(?:"
    r"\d{4}[-/.]\d\d[-/.]\d\d[T ,]?\s?\d\d:\d\d"
    r"|\d\d[-/.]\d\d[-/.]\d{2,4}[T ,]\s?\d\d:\d\d"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2},? (?:\d{4},? )?\d\d?:\d\d:\d\d"
    r"|\d\d:\d\d:\d\d[.,\s\]]"
    r"|\d\d/[A-Z][a-z]{2}/\d{4}:\d\d"
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d"
    r"|\d{10}(?:\.\d+|\d{3})?[\])\s]"
    r"|(?:time|timestamp|ts|t)=\"?\d{4}-\d\d-\d\d[T ]\d\d:\d\d)"
)
_STAMP_REST = re.compile(r"[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?\"?")
#: Common access logs put the client first: `1.2.3.4 - - [10/Oct/2000:13:55:36`.
_ACCESS = re.compile(r"\S{1,60} \S{1,40} \S{1,40} \[\d\d/[A-Z][a-z]{2}/\d{4}:")
_LEVEL = re.compile(
    r"\b(TRACE|DEBUG|FINER?|FINEST|INFO|NOTICE|LOG|WARN(?:ING)?|ERROR|ERR|SEVERE"
    r"|CRITICAL|CRIT|FATAL|PANIC|ALERT|EMERG(?:ENCY)?)\b"
    r"|\b(?:level|lvl|severity)\"?[=:]\s?\"?(\w{3,9})"
    r"|[\[<(](trace|debug|info|notice|warn(?:ing)?|error|crit(?:ical)?|fatal|alert|emerg)[\])>]"
)
_KLOG = re.compile(r"([IWEF])\d{4} \d\d:")
_LEVEL_START = re.compile(
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|CRITICAL|FATAL)\b"
)


class Level(IntEnum):
    """How grave a record says it is."""

    NONE = 0
    DEBUG = 1
    INFO = 2
    WARN = 3
    ERROR = 4
    FATAL = 5


_NAMES = {
    "TRACE": Level.DEBUG,
    "DEBUG": Level.DEBUG,
    "FINE": Level.DEBUG,
    "FINER": Level.DEBUG,
    "FINEST": Level.DEBUG,
    "INFO": Level.INFO,
    "NOTICE": Level.INFO,
    "LOG": Level.INFO,
    "WARN": Level.WARN,
    "WARNING": Level.WARN,
    "ERROR": Level.ERROR,
    "ERR": Level.ERROR,
    "SEVERE": Level.ERROR,
    "CRITICAL": Level.FATAL,
    "CRIT": Level.FATAL,
    "FATAL": Level.FATAL,
    "PANIC": Level.FATAL,
    "ALERT": Level.FATAL,
    "EMERG": Level.FATAL,
    "EMERGENCY": Level.FATAL,
    "I": Level.INFO,
    "W": Level.WARN,
    "E": Level.ERROR,
    "F": Level.FATAL,
}

#: Where the level stands, if anywhere.
_HEAD_CHARS = 160


@dataclass(frozen=True, slots=True)
class Record:
    """Lines `start` to `stop` of one event."""

    start: int
    stop: int
    level: Level


def is_header(line: str) -> bool:
    """Whether a record starts here."""
    return bool(_STAMP.match(line) or _LEVEL_START.match(line) or _ACCESS.match(line))


def without_stamps(lines: Sequence[str]) -> list[str]:
    """Each line behind its time stamp, so that equal templates meet."""
    out = []
    for line in lines:
        found = _STAMP.match(line)
        if found and (rest := _STAMP_REST.match(line, found.end())):
            line = line[rest.end() :]
        out.append(line)
    return out


def level_of(line: str) -> Level:
    """The level a header names; NONE where it names none."""
    if found := _KLOG.match(line):
        return _NAMES[found.group(1)]
    found = _LEVEL.search(line, 0, _HEAD_CHARS)
    if not found:
        return Level.NONE
    name = next(group for group in found.groups() if group)
    return _NAMES.get(name.upper(), Level.NONE)


def read(lines: Sequence[str]) -> tuple[list[Record], float]:
    """Return the records and the share of lines that are headers.

    Records tile the lines; lines before the first header are records of
    their own.
    """
    heads = [at for at, line in enumerate(lines) if is_header(line)]
    share = len(heads) / max(1, len(lines))
    out: list[Record] = []
    first = heads[0] if heads else len(lines)
    out += [Record(at, at + 1, Level.NONE) for at in range(first)]
    for at, stop in pairwise([*heads, len(lines)]):
        out.append(Record(at, stop, level_of(lines[at])))
    return out, share
