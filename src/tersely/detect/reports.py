"""What builds, linters, package managers, test runners and CI print.

One table of line beginnings, looked up by the first three characters of each
line, so that all lines of a text are read at the price of a few patterns. A
banner is a line that only a tool of this kind prints; a row is what such tools
print many of. A banner quoted inside another line (a log record, a here-doc)
does not begin its line and counts for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..model import ContentType
from .report_table import TABLE
from .view import Evidence, View


class Rule(NamedTuple):
    """One line of the table.

    Attributes:
        start: beginning of a line, after its indentation.
        rest: what must match behind `start`; empty means nothing.
        family: name of the tool or kind of tool.
        banner: True for a banner, False for a row.
    """

    start: str
    rest: str
    family: str
    banner: bool


_RESULT = (
    r"(?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun)"
)


def _read(table: str) -> list[Rule]:
    rules: list[Rule] = []
    family = ""
    for line in table.strip("\n").split("\n"):
        if line.startswith("["):
            family = line.strip("[]")
            continue
        start, _, rest = line[1:].partition("~")
        start = start.replace("\\t", "\t")
        starts = [start]
        if "\\d" in start:
            starts = [start.replace("\\d", digit) for digit in "123456789"]
        rules.extend(Rule(start, rest, family, line[0] == "!") for start in starts)
    return rules


def _index(rules: list[Rule], size: int) -> dict[str, tuple[Rule, ...]]:
    """Rules by the first `size` characters of their start; shorter ones have none."""
    index: dict[str, list[Rule]] = {}
    for rule in rules:
        if min(len(rule.start), 3) == size:
            index.setdefault(rule.start[:size], []).append(rule)
    # The longest start is the most exact; a banner goes before a row.
    return {
        key: tuple(sorted(rows, key=lambda rule: (-len(rule.start), not rule.banner)))
        for key, rows in index.items()
    }


_RULES = _read(TABLE)
_BY_THREE, _BY_TWO = _index(_RULES, 3), _index(_RULES, 2)

#: Lines that begin with a number: summaries, progress, positions.
_DIGIT_BANNER = re.compile(
    rf"\d+ {_RESULT}\b.*(?: in [\d.]|$)|\d+ passing\b|\d+ examples?, \d+ failures?|"
    r"\d+ (?:tests?|runs), \d+ (?:failures?|assertions)|\d+ (?:errors?"
    r"|warnings?)(?: and .*)? generated\.?$|"
    r"\d+% tests passed|\d+ scenarios? \(|\d+ FAILED TESTS?|\d+/\d+ +Test +#?\d+: |"
    r"\d+ files? (?:would be |already |left )?(?:reformatted|unchanged|formatted)"
    r"|\d+ files? inspected|"
    r"\d+ problems? \(|\d+ upgraded, \d+ newly|\d+ actionable tasks?|"
    r"\d+ items had failures|\d+ packages? (?:are|is) looking|\d+ vulnerabilities"
    r"|\d+ pass$|\d+ fail$"
)
_DIGIT_ROW = re.compile(
    r"\d+:\d+ +(?:error|warning|✖|⚠)\b|\d+:\d+:? |\d+ (?:errors?|warnings?)\.?$"
    r"|\d+ (?:failing|pending)|\d+ \| |\d+\) |"
    r"\d{1,3}%\[|\d+[.\d]*/[\d.]+ [kMG]?B"
)
#: Rows told by something inside or at the end of the line: looked for in the
#: sample, and only in lines that hold the literal on the left.
_INSIDE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (literal, re.compile(pattern))
    for literal, pattern in (
        ("::", r"::\S.* (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b"),
        ("... ", r"\.\.\. (?:ok|FAIL|ERROR|skipped\b.*|expected failure)$"),
        ("...", r"(?<!\.)\.{3,}(?:\([^()]{1,60}\))?(?:Passed|Failed|Skipped)$"),
        (".. ", r"(?<!\.)\.{2,} (?:ok|not ok|Failed .*)$"),
        (": ", r"\(\d{1,7}(?:,\d{1,6})?\) ?: (?:fatal )?(?:error|warning|note) "),
        ("/", r"^\S{1,200} (?:created|configured|unchanged|deleted|patched)$"),
        (
            "...",
            r": (?:Refreshing state|Creating|Destroying|Modifying|Reading"
            r"|Still \w+)\.\.\.",
        ),
        (" complete", r": (?:Creation|Destruction|Modifications|Read) complete\b"),
        (" - ", r":\d{1,7}:\d{1,7} - (?:error|warning) TS\d"),
        (": In ", r": In (?:(?:member |static )*function|instantiation)\b"),
        (": ", r": (?:At global scope|undefined reference|required from)\b"),
        (": line ", r"^\S{1,300}: line \d+(?:, col \d+,|:) "),
        (
            "[",
            r"^\[(?:LOW|MEDIUM|HIGH|CRITICAL|STYLE|UNSPECIFIED)\] \S.*:\d+:\d+: ",
        ),
        (
            ": ",
            r"^[0-9a-f]{12}: (?:Pull|Download|Waiting|Verifying|Extracting|Already"
            r"|Pushed|Layer|Preparing)",
        ),
    )
)
_BLANKS, _DIGITS = frozenset(" \t\xa0\u3000"), frozenset("0123456789")
#: Lines at the end that are read whatever came before: summaries stand there.
_EDGE = 200
#: So many lines of one beginning are read; the others count like them.
_ENOUGH = 48
_ROW = "."
_FRAME = re.compile(r"\s*\d{0,6} ?\| |\s+\|\s*$|\s*[\^~]+[\^~ -]*$|\s+\|\s+[\^~|]")


def evidence(view: View) -> Iterator[Evidence]:
    """Claim BUILD_OUTPUT by banners, by diagnostics, or by rows."""
    if not view.sample:
        return
    if diagnostics := _diagnostics(view):
        yield diagnostics
    banners, rows = _tally(view)
    inside = 0.0
    if view.likely(_is_row_inside, 0.1):
        found = [1 for line in view.sample if _is_row_inside(line)]
        inside = len(found) / len(view.sample)
    share = min(1.0, max(rows / max(1, view.filled), inside))
    kinds = len(banners)
    if view.prefix == "ci":
        yield Evidence(ContentType.BUILD_OUTPUT, "ci_stamps", 0.97)
    logged = view.prefix in ("stamp", "container")
    if not kinds:
        if view.prefix == "stamp":
            return
        if (
            share >= 0.3
            and (inside * len(view.sample) >= 3 or rows >= 3)
            or inside >= 0.5
        ):
            yield Evidence(ContentType.BUILD_OUTPUT, "runner_rows", 0.45 + 0.4 * share)
        return
    # One quoted banner in a long text is no report.
    total = sum(banners.values())
    if view.filled >= 60 and total <= 2 and share < 0.03:
        yield Evidence(ContentType.BUILD_OUTPUT, "runner_banner", 0.45)
        return
    if logged and total <= 1 and share < 0.15:
        return
    confidence = 0.8 + 0.04 * (min(kinds, 4) - 1) + 0.15 * share
    yield Evidence(ContentType.BUILD_OUTPUT, "runner_banner", min(0.98, confidence))


def _tally(view: View) -> tuple[dict[str, int], int]:
    """Banners by the start of their rule with their number; lines that are either."""
    banners: dict[str, int] = {}
    #: Of each beginning how many lines were read and how many were a rule's.
    read: dict[str, int] = {}
    hits: dict[str, int] = {}
    rows = 0.0
    edge = len(view.lines) - _EDGE
    for at, line in enumerate(view.lines):
        if line[:1] in _BLANKS:
            line = line.lstrip()
        key = line[:3]
        if key not in _BY_THREE:
            key = key[:2]
            if key not in _BY_TWO:
                if key[:1] not in _DIGITS:
                    continue
                key = "1"
        count = read.get(key, 0)
        if count >= _ENOUGH and at < edge:
            rows += hits.get(key, 0) / count
            continue
        read[key] = count + 1
        if name := _number(line) if key == "1" else _named(line, key):
            rows += 1
            hits[key] = hits.get(key, 0) + 1
            if name != _ROW:
                banners[name] = banners.get(name, 0) + 1
    return banners, int(rows)


def _named(line: str, key: str) -> str:
    """The start of the banner's rule, `_ROW` for a row, empty for neither."""
    for rules in (_BY_THREE.get(key, ()), _BY_TWO.get(key[:2], ())):
        for rule in rules:
            if line.startswith(rule.start) and (
                not rule.rest or re.match(rule.rest, line[len(rule.start) : 600])
            ):
                return rule.start if rule.banner else _ROW
    return ""


def _number(line: str) -> str:
    """The same for a line that begins with a number."""
    if _DIGIT_BANNER.match(line[:300]):
        return "summary"
    return _ROW if _DIGIT_ROW.match(line[:300]) else ""


def _is_row_inside(line: str) -> bool:
    return any(
        literal in line and pattern.search(line) is not None
        for literal, pattern in _INSIDE
    )


def _diagnostics(view: View) -> Evidence | None:
    """`path:12:3: error: text` rows, with the code frames that follow them."""
    rows = view.sample
    found = [where is not None and where.diagnostic for where in view.places]
    count = sum(found)
    if not count:
        return None
    hits = sum(1 for where in view.places if where is not None and not where.diagnostic)
    covered, inside = 0, False
    for line, is_row in zip(rows, found, strict=True):
        if is_row:
            inside = True
        elif not inside or not (line[:1] in " \t" or _FRAME.match(line)):
            inside = False
            continue
        covered += 1
    share = covered / len(rows)
    if hits > count or share < 0.4:
        return None
    return Evidence(ContentType.BUILD_OUTPUT, "diagnostic_rows", 0.55 + 0.42 * share)
