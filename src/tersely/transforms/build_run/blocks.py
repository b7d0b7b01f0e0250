"""Read failures that a runner or compiler prints as blocks.

One row a format: how a block opens, what ends it, and the literal without
which nothing is tried. Sources: the tools' own reporters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .marks import Marks

#: A block that never ends is cut off here.
LIMIT_LINES = 250


@dataclass(frozen=True, slots=True)
class Row:
    """One block format.

    Attributes:
        probe: stands in every text of this format.
        opens: matched at a line's start.
        ends: matched at the start of the first line after the block; a line
            that opens another block ends it too.
        blank_ends: how many empty lines in a row end it; 0, none do.
    """

    format: str
    probe: str
    opens: re.Pattern[str]
    ends: re.Pattern[str]
    blank_ends: int = 0


_NEVER = re.compile(r"(?!)")

ROWS: tuple[Row, ...] = (
    Row(
        "unittest",
        "\n------",
        re.compile(r"(?:FAIL|ERROR|UNEXPECTED SUCCESS): \S.*"),
        re.compile(r"=={20}|Ran \d+ test|-{60,}$(?=\nRan)"),
        0,
    ),
    Row(
        "jest",
        "●",
        re.compile(r"  ● \S"),
        re.compile(r"(?:Test Suites|Tests|Snapshots|Ran all|PASS|FAIL)\b|  ● Console"),
        0,
    ),
    Row(
        "vitest",
        " FAIL  ",
        re.compile(r" FAIL  \S|FAIL  \S"),
        re.compile(r"⎯{10,}\[|\s*Test Files |\s*Tests  "),
        0,
    ),
    Row(
        "tsc_pretty",
        " - error TS",
        re.compile(r"\S{1,300}:\d{1,7}:\d{1,7} - error TS\d"),
        re.compile(r"Found \d+ errors?\b|Errors  Files"),
        0,
    ),
    Row(
        "biome",
        " ━━━━━━━━━━",
        re.compile(
            r"\S{1,300} (?:(?:lint|assist)/\S|format|parse|organizeImports).* ━{3}"
        ),
        re.compile(r"Checked \d|Found \d|check ━{3}"),
        0,
    ),
    Row(
        "numbered",
        "1) ",
        re.compile(r"\s{0,4}\d{1,4}\) \S"),
        # A row in a list of tests opens one too: the next row ends it.
        re.compile(
            r"\S.*\d+ (?:examples?|assertions|failures?)|Finished in"
            r"|\s*[✓✔√] |\s{0,4}\d+ (?:passing|pending|failing)\b"
        ),
        0,
    ),
    Row(
        "cargo_test",
        " stdout ----",
        re.compile(r"---- \S.* stdout ----"),
        re.compile(r"failures:$|test result:"),
        0,
    ),
    Row(
        "go_test",
        "--- FAIL",
        re.compile(r"\s*--- FAIL: \S"),
        re.compile(r"(?:=== |\s*--- (?:PASS|SKIP)|FAIL\b|ok  \t|PASS$|exit status)"),
        0,
    ),
    Row(
        "go_race",
        "DATA RACE",
        re.compile(r"={10,}$"),
        re.compile(r"={10,}$|--- "),
        0,
    ),
    Row(
        "gtest",
        "[ RUN      ]",
        re.compile(r".{1,300}:\d+: Failure|unknown file: Failure"),
        re.compile(r"\[ RUN      \]|\[       OK \]|\[-{6,}\]"),
        0,
    ),
    Row(
        "ginkgo",
        "[FAILED]",
        re.compile(r"• \[FAILED\]|\s*\[FAILED\] "),
        re.compile(r"-{20,}|•"),
        0,
    ),
    Row(
        "rustc",
        "\n  --> ",
        re.compile(r"error(?:\[E\d+\])?: \S|\s{0,12}--> \S"),
        re.compile(r"(?:warning|error)(?:\[|:)|\s*(?:Compiling|Finished|Checking)"),
        1,
    ),
    Row(
        "rustc_indented",
        "--> ",
        re.compile(r"\s{0,8}error\[E\d+\]: \S"),
        re.compile(r"test |\s*Compiling"),
        2,
    ),
    Row(
        "gradle",
        "FAILURE: Build failed",
        re.compile(r"FAILURE: Build |\* What went wrong|> Task \S+ FAILED"),
        re.compile(r"\* Get more help|BUILD FAILED|\* Try:"),
        0,
    ),
    Row(
        "maven",
        "[ERROR]",
        re.compile(r"\[ERROR\] "),
        re.compile(r"\[(?:INFO|WARNING)\]|$"),
        1,
    ),
    Row(
        "cmake",
        "CMake Error",
        re.compile(r"CMake Error"),
        re.compile(r"--|\S"),
        2,
    ),
    Row(
        "sanitizer",
        "Sanitizer",
        re.compile(r"={10,}$|==\d+==ERROR"),
        re.compile(r"Shadow bytes|==\d+==ABORTING"),
        0,
    ),
)


def read(lines: Sequence[str]) -> Marks:
    """Mark the failure blocks of every format whose probe stands in the text."""
    marks = Marks()
    whole = "\n".join(lines)
    for row in ROWS:
        if row.probe not in whole:
            continue
        found = _find(lines, row)
        if found:
            marks.format = marks.format or row.format
            marks.failures += found
    return marks


def _find(lines: Sequence[str], row: Row) -> list[range]:
    out = []
    at, size = 0, len(lines)
    while at < size:
        if not row.opens.match(lines[at]):
            at += 1
            continue
        stop = _stop(lines, at, row)
        out.append(range(at, stop))
        at = max(stop, at + 1)
    return out


def _stop(lines: Sequence[str], at: int, row: Row) -> int:
    stop, blank = at + 1, 0
    while stop < len(lines) and stop - at < LIMIT_LINES:
        line = lines[stop]
        blank = blank + 1 if not line.strip() else 0
        if row.blank_ends and blank >= row.blank_ends:
            break
        if row.ends.match(line) and line.strip() or row.opens.match(line):
            break
        stop += 1
    while stop > at + 1 and not lines[stop - 1].strip():
        stop -= 1
    return stop
