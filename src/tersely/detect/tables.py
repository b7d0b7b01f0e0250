"""Rows and columns: CSV and TSV, ruled tables, Markdown tables, fixed widths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ..model import ContentType
from .view import Evidence, View

#: Rules between rows are made of these.
_RULE_SIGNS = "-=+|: ─━═│┃║┼╪╫╬├┤┝┥┠┨┡┩╞╡╟╢┌┐└┘┏┓┗┛┬┴┯┷╤╧╔╗╚╝╠╣╦╩╭╮╰╯╇┳┻╋"
_RULE_RUNS = ("--", "==", "──", "━━", "══")
_ROW_COUNT = re.compile(
    r"\(\d{1,9} rows?(?: affected)?\)$|\d{1,9} rows? (?:in set|selected)"
    r"|Time: [\d.]+ ms"
)
_MARKDOWN_RULE = re.compile(
    r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*$|\|\s*:?-{2,}:?\s*\|\s*$"
)
_DASHES = re.compile(r"\s{0,40}[-=]{2,}(?: {1,4}[-=]{2,})+\s*$")
_STAMPED = re.compile(r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d,\d{3}\b")
_CELLS = re.compile(r"  +(?=\S)|\t+(?=\S)")
_HEXDUMP = re.compile(
    r"[0-9a-f]{6,16}:? {1,2}(?:[0-9a-f]{2,8} {1,2}){2,16}|[0-9a-f]{6,16}$|\*$"
)
_NUMBER = re.compile(r"[-+]?[\d.,]+%?[KMGTkmgt]?i?B?$")
_BARS = "│┃║|"

#: A table has at least this many rows, its header among them.
_ROWS = 3


def evidence(view: View) -> Iterator[Evidence]:
    """Claim TABLE for each layout that most lines follow."""
    rows = view.sample
    if len(rows) < _ROWS:
        return
    if view.share(_HEXDUMP, 0.9) >= 0.9:
        yield Evidence(ContentType.UNKNOWN, "hexdump_rows", 0.97)
    if any("QUERY PLAN" in row for row in rows[:3]) and "(cost=" in view.text[:4000]:
        yield Evidence(ContentType.TABLE, "query_plan", 0.93)
    for signal, confidence in (
        ("markdown_table", _markdown(rows)),
        ("ruled_table", _ruled(rows)),
        ("csv_rows", _separated(rows, ",")),
        ("tsv_rows", _separated(rows, "\t")),
        ("csv_rows", _separated(rows, ";")),
        ("bar_rows", _separated(rows, "|")),
        ("fixed_columns", _fixed(rows)),
    ):
        if confidence:
            yield Evidence(ContentType.TABLE, signal, confidence)


def _markdown(rows: Sequence[str]) -> float:
    bars = [row for row in rows if row.lstrip()[:1] == "|" and row.rstrip()[-1:] == "|"]
    share = len(bars) / len(rows)
    if share < 0.7 or not any(_MARKDOWN_RULE.match(row) for row in bars):
        return 0.0
    return 0.95 * share


def _ruled(rows: Sequence[str]) -> float:
    """psql, mysql, aws, sqlite -box, rich: rules of dashes and cells between bars."""
    rules = cells = 0
    for row in rows:
        if _is_rule(row):
            rules += 1
        elif _bars(row) or _ROW_COUNT.match(row):
            cells += 1
    share = (rules + cells) / len(rows)
    ruled = any(
        "+" in row or "┼" in row or "─" in row or "━" in row or "═" in row
        for row in rows
        if _is_rule(row)
    )
    if rules < 1 or cells < 2 or share < 0.6 or not ruled:
        return 0.0
    return 0.5 + 0.45 * share


def _is_rule(row: str) -> bool:
    return not row.strip(_RULE_SIGNS) and any(run in row for run in _RULE_RUNS)


def _bars(row: str) -> bool:
    if " | " in row or row.lstrip()[:1] == "|" and row.rstrip()[-1:] == "|":
        return True
    return any(bar in row for bar in _BARS[:3])


def _separated(rows: Sequence[str], mark: str) -> float:
    """Confidence that `mark` separates the cells of most rows."""
    if sum(1 for row in (rows[0], rows[len(rows) // 2], rows[-1]) if mark in row) < 2:
        return 0.0
    counts = [_count(row, mark) for row in rows]
    usual, times = Counter(counts).most_common(1)[0]
    share = times / len(rows)
    if usual < 1 or share < 0.75 or counts[0] < 1:
        return 0.0
    if mark == "," and not _comma_cells(rows, usual):
        return 0.0
    if sum(1 for row in rows if row.lstrip()[:1] in ("{", "[")) > 0.5 * len(rows):
        return 0.0
    if mark in ";|" and any(
        mark + " " in row or row.rstrip()[-1:] in "{};" for row in rows[:40]
    ):
        return 0.0
    header = [cell.strip().strip('"') for cell in rows[0].split(mark)]
    if not all(cell and len(cell) <= 60 for cell in header) and usual < 3:
        return 0.0
    named = len(set(header)) == len(header) and not any(
        _NUMBER.match(c) for c in header
    )
    if usual == 1 and not (named and share >= 0.95 and mark != ";"):
        return 0.0
    if sum(1 for row in rows if _STAMPED.match(row)) > 0.2 * len(rows):
        return 0.0  # 10:00:00,123 is a time of Python's logging, not two cells
    return (0.62 if named else 0.55) + (0.33 if usual > 1 else 0.22) * share


def _comma_cells(rows: Sequence[str], usual: int) -> bool:
    """Whether commas separate cells, not clauses or arguments."""
    loose = sum(row.count(", ") for row in rows)
    tight = sum(row.count(",") for row in rows) - loose
    ends = sum(1 for row in rows if row.rstrip()[-1:] in "{}();[],")
    if ends > 0.3 * len(rows) and not all(
        row.rstrip()[-1:] in ',"' or row[-1:].isalnum() for row in rows[:5]
    ):
        return False
    if loose > tight:
        # `a, b, c` is CSV too when it is regular and short-celled.
        lengths = [len(row) / (usual + 1) for row in rows]
        return (
            usual >= 2
            and max(lengths) <= 24
            and not any(row.rstrip()[-1:] == "." for row in rows)
        )
    return True


def _count(row: str, mark: str) -> int:
    """How often `mark` stands outside double quotes."""
    if '"' not in row:
        return row.count(mark)
    return sum(part.count(mark) for part in row.split('"')[::2])


def _fixed(rows: Sequence[str]) -> float:
    """Confidence that cells start or end where those of the row before or after do.

    Neighbours are compared, so several tables with different columns count too.
    """
    few = rows[:60]
    if sum(1 for row in few if "  " in row or "\t" in row) < 0.6 * len(few):
        return 0.0
    starts, ends = [], []
    for row in few:
        row = row.rstrip()
        indent = len(row) - len(row.lstrip())
        gaps = [found.span() for found in _CELLS.finditer(row, indent + 1)]
        starts.append({stop for _, stop in gaps})
        ends.append({start for start, _ in gaps} | {len(row)})
    dashes = [_DASHES.match(row) is not None for row in few]
    least = 1 if any(dashes) else 2
    aligned = 0
    for at in range(len(few)):
        near = False
        for other in (at - 1, at + 1):
            if 0 <= other < len(few) and (
                len(starts[at] & starts[other]) >= least
                or len(ends[at] & ends[other]) >= least + 1
            ):
                near = True
        aligned += near or dashes[at]
    share = aligned / len(few)
    if share < 0.75:
        return 0.0
    named = any(dashes) or _is_header(rows)
    return (0.62 if named else 0.48) + 0.3 * share


def _is_header(rows: Sequence[str]) -> bool:
    """Whether the first row names columns: words above numbers, or capitals."""
    cells = rows[0].split()
    if len(cells) < 2 or any(_NUMBER.match(cell) for cell in cells):
        return False
    numbers = sum(1 for row in rows[1:20] if any(_NUMBER.match(c) for c in row.split()))
    return rows[0].isupper() or 2 * numbers >= len(rows[1:20])
