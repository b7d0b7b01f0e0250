"""Find stack traces: Python, Java and .NET, JavaScript, Go, Rust, native.

A trace is one block: it is shown whole or by its ends, never line by line.
Sources: the runtimes' own formats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from . import log_records

#: No trace is followed further than this: a runaway recursion prints more.
LIMIT_LINES = 400

_PY_HEAD = "Traceback (most recent call last)"
_PY_CHAIN = (
    "During handling of the above exception",
    "The above exception was the direct cause",
)
_AT = re.compile(
    r"\s*(?:at (?:async |new )?(?:[\w$.<>\[\]/@|`+-]{1,200} ?\("
    r"|\S{1,300}:\d+:\d+|\S+ in \S+:line )"
    r"|\.\.\. \d+ (?:more|common frames)|--- End of )"
)
_CAUSED = re.compile(r"\s*(?:Caused by: |Suppressed: |\[cause\]: )")
_GOROUTINE = re.compile(r"goroutine \d+ \[")
_RUST = re.compile(r"thread '.*' (?:\(\d+\) )?panicked at ")
_FRAME = re.compile(r"\s*(?:#\d+ +|\d+: +)(?:0x[0-9a-f]+ )?\S")


def find(lines: Sequence[str]) -> list[range]:
    """Return the traces of `lines`, ascending, not overlapping."""
    out: list[range] = []
    at, size = 0, len(lines)
    while at < size:
        stop = _trace_at(lines, at)
        if stop > at:
            start = _head(lines, at)
            if out and start < out[-1].stop:
                start = out[-1].stop
            out.append(range(start, min(stop, size)))
            at = stop
        else:
            at += 1
    return out


def _trace_at(lines: Sequence[str], at: int) -> int:
    """End of the trace whose first certain line is `at`; `at` where there is none."""
    line = lines[at]
    if _PY_HEAD in line:
        return _python(lines, at)
    if line.endswith("(most recent call first):"):
        return _while(lines, at + 1, lambda row: row.startswith("  File "))
    first = line.lstrip()
    if first.startswith("at ") and _AT.match(line):
        return _while(lines, at, lambda row: bool(_AT.match(row) or _CAUSED.match(row)))
    if line.startswith("goroutine ") and _GOROUTINE.match(line):
        return _go(lines, at)
    if first.startswith("thread '") and _RUST.match(first):
        return _rust(lines, at)
    if first.startswith("#0 ") and _FRAME.match(line):
        return _while(lines, at, lambda row: bool(_FRAME.match(row)))
    return at


def _head(lines: Sequence[str], at: int) -> int:
    """Traces that open with a frame belong to the message right above."""
    if lines[at].lstrip().startswith(("at ", "#0 ")):
        start = at
        while start > 0 and at - start < 4 and lines[start - 1].strip():
            start -= 1
            if not lines[start].startswith((" ", "\t")):
                break
        return start
    return at


def _while(lines: Sequence[str], at: int, belongs: object) -> int:
    assert callable(belongs)
    stop = at
    while stop < len(lines) and stop - at < LIMIT_LINES and belongs(lines[stop]):
        stop += 1
    return stop


def _python(lines: Sequence[str], at: int) -> int:
    """Frames are indented deeper than the head; the exception's line ends them."""
    stop = at
    while stop < len(lines) and stop - at < LIMIT_LINES:
        margin = lines[stop].index(_PY_HEAD) if _PY_HEAD in lines[stop] else 0
        prefix = lines[stop][:margin]
        stop += 1
        while stop < len(lines) and stop - at < LIMIT_LINES:
            row = (
                lines[stop][margin:] if lines[stop].startswith(prefix) else lines[stop]
            )
            if not row.startswith((" ", "\t")):
                break
            stop += 1
        stop = min(stop + 1, len(lines))  # the exception itself
        follow = stop
        while (
            follow < len(lines) and follow - stop < 4 and _PY_HEAD not in lines[follow]
        ):
            if lines[follow].strip() and not any(c in lines[follow] for c in _PY_CHAIN):
                break
            follow += 1
        if follow < len(lines) and follow > stop and _PY_HEAD in lines[follow]:
            stop = follow
            continue
        break
    return stop


def _go(lines: Sequence[str], at: int) -> int:
    stop = at + 1
    while stop < len(lines) and stop - at < LIMIT_LINES:
        row = lines[stop]
        if not row.strip():
            if stop + 1 < len(lines) and _GOROUTINE.match(lines[stop + 1]):
                stop += 2
                continue
            break
        if log_records.is_header(row):  # a program that recovered logs on
            break
        stop += 1
    return stop


def _rust(lines: Sequence[str], at: int) -> int:
    stop = at + 1
    while stop < len(lines) and stop - at < LIMIT_LINES and lines[stop].strip():
        row = lines[stop]
        if row.startswith(("test ", "failures:", "----", "error: ")):
            break
        if stop > at + 1 and log_records.is_header(row):
            break
        stop += 1
    return stop
