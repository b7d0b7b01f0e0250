"""Application and system logs, stack traces, traces of calls and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model import ContentType
from .view import Evidence, View

_DATE = r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_LEVEL = (
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC"
    r"|FINE)"
)

#: Rows that carry a time: one pattern per kind of first character, so that a line
#: meets only its own.
_TIMED: dict[str, tuple[re.Pattern[str], ...]] = {
    "digit": (
        re.compile(_DATE),
        re.compile(r"\d\d:\d\d:\d\d(?:[.,]\d+)?\b"),
        re.compile(r"\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} "),
        re.compile(r"\d{1,2}[/-](?:\d\d|" + _MONTH + r")[/-]\d{2,4}[ :T]\d\d:\d\d"),
        re.compile(r"\d{10}(?:\.\d{3,9}|\d{3})?[\s:]"),
        re.compile(r"\d{1,3}(?:\.\d{1,3}){3} \S{1,80} .{1,80}\[\d\d/" + _MONTH),
    ),
    "bracket": (
        re.compile(r"\[" + _DATE),
        re.compile(r"\[\d\d:\d\d:\d\d"),
        re.compile(r"\[ {0,6}\d{1,7}\.\d{3,9}\]"),
        re.compile(r"\[(?:[A-Z][a-z]{2} )?\d{0,2} ?" + _MONTH + r" "),
        re.compile(r"\[\d\d/" + _MONTH + r"/\d{4}[: ]"),
        re.compile(r"\[\d{10,13}"),
    ),
    "letter": (
        re.compile(_MONTH + r" [ \d]?\d,? (?:\d{4},? )?\d\d?:\d\d"),
        re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} )?" + _MONTH + r" "),
        re.compile(r"[A-Z], \[\d{4}-\d\d-\d\dT"),
        re.compile(r"[IWEFD]\d{4} \d\d:\d\d:\d\d\.\d+ "),
        re.compile(r"(?:time|ts|t|timestamp|date)=\"?\d{4}-?\d\d"),
        re.compile(r"[\w.:-]{1,80} - \S{1,80} \[\d\d/" + _MONTH),
    ),
}
#: Rows that carry a level and no time.
_LEVELLED = (
    re.compile(_LEVEL + r"(?::|\s+\[|\s*\||\s+-)\s{0,8}\S", re.IGNORECASE),
    re.compile(_LEVEL + r"\s{1,8}[\w.$:-]{1,80}(?::|\s|$)"),
    re.compile(r"[\[(<]" + _LEVEL + r"\s{0,3}[\])>]", re.IGNORECASE),
    re.compile(r"(?:level|lvl|severity)=\w", re.IGNORECASE),
    re.compile(r"[VDIWEF]/[\w.:-]{1,60}\s{0,8}\("),
)
_CONTINUED = re.compile(
    r"\s|Traceback \(most|Caused by:|\w[\w.$]{0,120}(?:Error|Exception|Interrupt)\b"
    r"|During handling of|The above exception|\.\.\. \d+ more|goroutine \d"
    r"|stack backtrace"
    r"|(?:DETAIL|HINT|CONTEXT|STATEMENT|SEVERE|WARNING|INFO|FINE|CONFIG): {1,2}\S"
)
_TRACE = re.compile(
    r"\s*File \".{1,300}\", line \d+|\s+at \S{1,300}[(:]|Traceback \(most recent"
    r"|Caused by: "
    r"|goroutine \d+ \[|\s+/\S{1,300}:\d+(?: \+0x|$)"
    r"|\s*\d{1,3}: (?:0x[0-9a-f]+ - )?[\w<{]"
    r"|thread '.{1,80}'(?: \(\d+\))? panicked at|panic: |\s+from \S{1,300}:\d+:in "
    r"|Exception in thread "
    r"|\s{0,4}#\d{1,3} +(?:0x[0-9a-f]+ |\S)|fatal error: |\s*\.\.\. \d+ more$|\[signal "
    r"|\w[\w.$]{0,120}(?:Error|Exception)(?:$|: )|==\d+==|SUMMARY: \w+Sanitizer"
)
_TRACE_START = re.compile(
    r"Traceback \(most recent|panic: |thread '.{1,80}'(?: \(\d+\))? panicked"
    r"|Exception in thread|"
    r"goroutine \d+ \[|fatal error: |==\d+==\s?ERROR: |=+$|\w[\w.$]{0,120}(?:Error"
    r"|Exception)(?:$|: )"
    r"|Fatal Python error|Unhandled exception|Uncaught |node:internal|/\S{1,200}:\d+$"
)
_SYSCALL = re.compile(
    r"(?:\[pid +\d+\] |\d+ +)?(?:[\d:.]+ )?(?:\w+\(.*|<\.\.\. .*|\+\+\+ .*|--- SIG.*)"
)
_RETURN = re.compile(r"\) += (?:-?\d|0x|\?)|\+\+\+|<unfinished|--- SIG")
_XTRACE = re.compile(r"\++ \S")

_CLIP = 200


def evidence(view: View) -> Iterator[Evidence]:
    """Claim LOG for rows with a time or a level, for traces, for call logs."""
    rows = view.sample
    if not rows:
        return
    timed, levelled, covered = _tally(view)
    size = len(rows)
    few = max(1, min(3, size // 2))
    if timed >= few and covered >= 0.5 * size and timed >= 0.15 * size:
        yield Evidence(ContentType.LOG, "log_times", 0.35 + 0.6 * covered / size)
    elif (
        timed + levelled >= few
        and covered >= 0.6 * size
        and timed + levelled >= 0.3 * size
    ):
        yield Evidence(ContentType.LOG, "log_levels", 0.25 + 0.55 * covered / size)
    if view.prefix in ("stamp", "container"):
        yield Evidence(ContentType.LOG, f"log_{view.prefix}s", 0.7)
    if trace := _trace(view):
        yield Evidence(ContentType.LOG, "stack_trace", trace)
    if calls := _calls(view):
        yield calls


def _tally(view: View) -> tuple[int, int, int]:
    """Rows with a time, rows with a level, and those plus what continues them."""
    timed = levelled = covered = 0
    inside = False
    for line in view.sample:
        line = line[:_CLIP]
        if _is_timed(line):
            timed += 1
        elif _is_levelled(line):
            levelled += 1
        elif not inside or not _CONTINUED.match(line):
            inside = False
            continue
        inside = True
        covered += 1
    return timed, levelled, covered


def _is_timed(line: str) -> bool:
    first = line[:1]
    if first.isdigit():
        patterns = _TIMED["digit"]
    elif first == "[":
        patterns = _TIMED["bracket"]
    elif first.isalpha():
        patterns = _TIMED["letter"]
    else:
        return False
    return any(pattern.match(line) for pattern in patterns)


def _is_levelled(line: str) -> bool:
    if line[:1] in " \t":
        return False
    return any(pattern.match(line) for pattern in _LEVELLED)


def _trace(view: View) -> float:
    """Confidence that the text is a crash: a stack trace and little else."""
    rows = view.sample
    if len(rows) < 3:
        return 0.0
    start = sum(1 for row in rows if _TRACE_START.match(row[:_CLIP]))
    if not start:
        return 0.0
    frames = sum(1 for row in rows if _is_frame(row[:_CLIP]))
    inside = sum(1 for row in rows if row[:1] in " \t")
    share = max(frames, 0.8 * (frames + inside) if frames >= 2 else 0) / len(rows)
    return (
        min(0.79, 0.45 + 0.45 * min(1.0, share))
        if frames >= 2 and share >= 0.3
        else 0.0
    )


def _is_frame(row: str) -> bool:
    if row[-1:] == ")" and "(" in row and row[:1].isalpha() and " " not in row:
        return True  # Go: main.worker(0x3)
    return _TRACE.match(row) is not None


def _calls(view: View) -> Evidence | None:
    """strace and `bash -x`."""
    rows = view.sample
    size = len(rows)
    if size < 3:
        return None
    calls = sum(
        1 for row in rows if _SYSCALL.match(row[:_CLIP]) and _RETURN.search(row)
    )
    if calls >= 0.6 * size:
        return Evidence(ContentType.LOG, "syscall_rows", 0.9)
    traced = sum(1 for row in rows if _XTRACE.match(row))
    listed = sum(1 for row in rows if row.startswith(("+ ", "++ ")) and "==" in row)
    if traced >= 3 and traced >= 0.3 * size and not listed:
        return Evidence(ContentType.LOG, "xtrace_rows", 0.6 + 0.3 * traced / size)
    return None
