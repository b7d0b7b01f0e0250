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
    opens: str
    ends: str
    blank_ends: int = 0


ROWS: tuple[Row, ...] = (
    Row(
        "unittest",
        "\n------",
        r"(?:FAIL|ERROR|UNEXPECTED SUCCESS): \S.*",
        r"=={20}|Ran \d+ test|-{60,}$(?=\nRan)",
        0,
    ),
    Row(
        "jest",
        "●",
        r"  ● \S",
        r"(?:Test Suites|Tests|Snapshots|Ran all|PASS|FAIL)\b|  ● Console",
        0,
    ),
    Row(
        "vitest",
        " FAIL  ",
        r" FAIL  \S|FAIL  \S",
        r"⎯{10,}\[|\s*Test Files |\s*Tests  ",
        0,
    ),
    Row(
        "tsc_pretty",
        " - error TS",
        r"\S{1,300}:\d{1,7}:\d{1,7} - error TS\d",
        r"Found \d+ errors?\b|Errors  Files",
        0,
    ),
    Row(
        "biome",
        " ━━━━━━━━━━",
        r"\S{1,300} (?:(?:lint|assist)/\S|format|parse|organizeImports).* ━{3}",
        r"Checked \d|Found \d|check ━{3}",
        0,
    ),
    Row(
        "numbered",
        "1) ",
        r"\s{0,4}\d{1,4}\) \S",
        # A row in a list of tests opens one too: the next row ends it.
        r"\S.*\d+ (?:examples?|assertions|failures?)|Finished in"
        r"|\s*[✓✔√] |\s{0,4}\d+ (?:passing|pending|failing)\b",
        0,
    ),
    Row(
        "cargo_test",
        " stdout ----",
        r"---- \S.* stdout ----",
        r"failures:$|test result:",
        0,
    ),
    Row(
        "go_test",
        "--- FAIL",
        r"\s*--- FAIL: \S",
        r"(?:=== |\s*--- (?:PASS|SKIP)|FAIL\b|ok  \t|PASS$|exit status)",
        0,
    ),
    Row(
        "go_race",
        "DATA RACE",
        r"={10,}$",
        r"={10,}$|--- ",
        0,
    ),
    Row(
        "gtest",
        "[ RUN      ]",
        r".{1,300}:\d+: Failure|unknown file: Failure",
        r"\[ RUN      \]|\[       OK \]|\[-{6,}\]",
        0,
    ),
    Row(
        "ginkgo",
        "[FAILED]",
        r"• \[FAILED\]|\s*\[FAILED\] ",
        r"-{20,}|•",
        0,
    ),
    Row(
        "rustc",
        "\n  --> ",
        r"error(?:\[E\d+\])?: \S|\s{0,12}--> \S",
        r"(?:warning|error)(?:\[|:)|\s*(?:Compiling|Finished|Checking)",
        1,
    ),
    Row(
        "rustc_indented",
        "--> ",
        r"\s{0,8}error\[E\d+\]: \S",
        r"test |\s*Compiling",
        2,
    ),
    Row(
        "gradle",
        "FAILURE: Build failed",
        r"FAILURE: Build |\* What went wrong|> Task \S+ FAILED",
        r"\* Get more help|BUILD FAILED|\* Try:",
        0,
    ),
    Row(
        "maven",
        "[ERROR]",
        r"\[ERROR\] ",
        r"\[(?:INFO|WARNING)\]|$",
        1,
    ),
    Row(
        "cmake",
        "CMake Error",
        r"CMake Error",
        r"--|\S",
        2,
    ),
    Row(
        "sanitizer",
        "Sanitizer",
        r"={10,}$|==\d+==ERROR",
        r"Shadow bytes|==\d+==ABORTING",
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
    # Compiled here: of all formats a text holds one or two, and a process may
    # read one text only.
    opens, ends = re.compile(row.opens), re.compile(row.ends)
    out = []
    at, size = 0, len(lines)
    while at < size:
        if not opens.match(lines[at]):
            at += 1
            continue
        stop = _stop(lines, at, opens, ends, row.blank_ends)
        out.append(range(at, stop))
        at = max(stop, at + 1)
    return out


def _stop(
    lines: Sequence[str],
    at: int,
    opens: re.Pattern[str],
    ends: re.Pattern[str],
    blank_ends: int,
) -> int:
    stop, blank = at + 1, 0
    while stop < len(lines) and stop - at < LIMIT_LINES:
        line = lines[stop]
        blank = blank + 1 if not line.strip() else 0
        if blank_ends and blank >= blank_ends:
            break
        if ends.match(line) and line.strip() or opens.match(line):
            break
        stop += 1
    while stop > at + 1 and not lines[stop - 1].strip():
        stop -= 1
    return stop
