"""transforms/build_run: readers of report formats, and what they protect."""

from __future__ import annotations

import re

import pytest

from tersely.model import Change, Facts
from tersely.pipeline import emit, guard
from tersely.text import lines
from tersely.transforms import build_run
from tersely.transforms.build_run import (
    blocks,
    ci_job,
    diagnostics,
    findings,
    pytest_report,
)


def shortened(text: str, **params: object) -> str:
    split = lines.split(text)
    transform = build_run.TRANSFORM
    change: Change | None = transform.apply(
        split, {**transform.defaults, **params}, Facts(exit_code=1)
    )
    if change is None:
        return text
    assert guard.problem(split, change, transform=transform) is None
    return emit.render([emit.Part(split, change)], "0" * 12)


def section(title: str) -> str:
    return f"{f' {title} ':=^80}"


def test_pytest_failures_are_one_range_each() -> None:
    report = [
        section("test session starts"),
        "collected 3 items",
        "a.py .FF                                       [100%]",
        section("FAILURES"),
        f"{' test_a ':_^80}",
        "E   assert 1",
        f"{' test_b ':_^80}",
        "E   assert 2",
        section("short test summary info"),
        "FAILED a.py::test_a",
        "SKIPPED [1] a.py:9: needs the till",
        section("2 failed, 1 passed in 0.1s"),
    ]

    marks = pytest_report.read(report)

    assert "pytest" == marks.format
    assert [range(4, 6), range(6, 8)] == marks.failures
    assert {8, 9, 11} == set(marks.summary)
    assert [10] == marks.notable


def test_a_pytest_report_inside_make_is_read_too() -> None:
    report = [
        "make test",
        section("test session starts"),
        "x.py ...",
        section("1 passed in 1s"),
    ]

    assert "pytest" == pytest_report.read(report).format
    assert "" == pytest_report.read(["=== not a report ==="]).format


FAILURES = {
    "unittest": f"""{"=" * 70}
FAIL: test_a (x.T)
{"-" * 70}
AssertionError: 1

Ran 9 tests in 1s""",
    "jest": """  ● sum › adds

    expect(received).toBe(expected)

Tests: 1 failed""",
    "numbered": """  1) sum adds:

     AssertionError: 1 == 2
      at x.js:1

  2) sum subs:
     Error: y""",
    "cargo_test": """---- tests::a stdout ----
thread 'tests::a' panicked at src/lib.rs:3:5:

failures:
    tests::a""",
    "go_test": """--- FAIL: TestA (0.00s)
    a_test.go:3: got 1
FAIL\tpkg 0.1s""",
    "gtest": """[ RUN      ] A.b
a.cc:3: Failure
Expected equality
[  FAILED  ] A.b (0 ms)""",
    "rustc": """error[E0308]: mismatched types
  --> src/main.rs:3:5
   |
3  |     1
   |     ^ expected

warning: x""",
    "tsc_pretty": """a.ts:8:8 - error TS2322: Type 'A' is not assignable to type 'B'.

8 const a = 1;
        ~

  b.ts:1:3
    1 export interface B {}
                     ~
    'p' is declared here.

Found 1 error in a.ts:8""",
    "biome": """a.js:2:7 lint/suspicious/noDoubleEquals  FIXABLE  ━━━━━━━━━━━━━━━

  × Use === instead of ==

  > 2 │ if (a == 2) {}
      │       ^^

Checked 2 files in 48ms.""",
    "vitest": """ FAIL  a.test.ts > adds
AssertionError: expected 1

 Tests  1 failed""",
    "go_race": f"""{"=" * 18}
WARNING: DATA RACE
Write at 0x1 by goroutine 7:
  main.f()
{"=" * 18}""",
    "ginkgo": """• [FAILED] [1.014 seconds]
PubSub [It] should x
  [FAILED] Timed out
------------------------------""",
    "rustc_indented": """  error[E0308]: mismatched
    --> tests/a.rs:3:5
     |


test b ... ok""",
    "gradle": """FAILURE: Build failed with an exception.

* What went wrong:
Execution failed

* Try:
> run""",
    "maven": """[ERROR] Failed to execute goal
[ERROR] -> [Help 1]
[INFO] done""",
    "cmake": """CMake Error at CMakeLists.txt:3 (find_package):
  Could not find x


-- Configuring incomplete""",
    "sanitizer": """==1==ERROR: AddressSanitizer: overflow
    #0 0x1 in f a.c:3
Shadow bytes around""",
}


@pytest.mark.parametrize("format", FAILURES)
def test_block_formats_are_read(format: str) -> None:
    marks = blocks.read(FAILURES[format].split("\n"))

    assert marks.failures
    (row,) = [row for row in blocks.ROWS if row.format == format]
    assert row.probe in FAILURES[format]
    assert any(re.match(row.opens, row_) for row_ in FAILURES[format].split("\n"))


def test_every_block_format_is_exercised() -> None:
    assert {*FAILURES} == {row.format for row in blocks.ROWS}


def test_ci_marks_the_failing_step_and_fades_what_follows() -> None:
    job = (
        ["##[group]Run setup", "shell: bash", "##[endgroup]"]
        + ["installing"] * 20
        + ["##[group]Run make test", "shell: bash", "##[endgroup]", "a.c:1: error: x"]
        + ["##[error]Process completed with exit code 2.", "Post job cleanup.", "bye"]
    )

    marks = ci_job.read(job)

    assert "ci_job" == marks.format
    assert {job.index("##[group]Run make test"), len(job) - 3} <= set(marks.summary)
    faded = {at for span, factor in marks.factors for at in span if factor < 0.2}
    assert {len(job) - 2, len(job) - 1} == faded


def test_an_error_in_a_header_keeps_the_note_in_ones_own_file() -> None:
    report = [
        "/usr/include/c++/12/bits/stl_algo.h:85:11: error: no matching function",
        "      if (__comp(__a, __b))",
        "/usr/include/c++/12/bits/stl_algo.h:99:3: note: in instantiation of 'x'",
        "shapes.cpp:19:10: note: in instantiation of 'std::sort' requested here",
        "    std::sort(v.begin(), v.end());",
        "         ^",
        "shapes.cpp:30:1: error: expected ';'",
        "shapes.cpp:31:1: note: to match this '{'",
    ]

    marks = diagnostics.read(report)

    assert ("diagnostics", [range(3, 6)]) == (marks.format, marks.failures)


def test_findings_are_ranked_within_their_rule() -> None:
    report = [f"a.py:{n}:1: E501 line too long" for n in range(30)] + [
        "b.py:9:2: S608 sql"
    ]

    ranks = findings.ranks(report)

    assert (1, 30, 1) == (ranks[0], ranks[29], ranks[30])
    assert {} == findings.ranks(report[:5])


def test_every_rule_of_many_findings_is_shown() -> None:
    report = "".join(
        f"src/module_{n}.py:{n}:1: E501 line too long by {n} characters of text\n"
        for n in range(3_000)
    )
    report += "src/db.py:9:2: S608 possible SQL injection\nFound 3001 errors.\n"

    out = shortened(report, budget_tokens=1_500, must_keep_tokens=1_500)

    assert "S608 possible SQL injection" in out
    assert "Found 3001 errors." in out
    assert len(out) < len(report) // 10


def test_findings_of_one_rule_stay_while_the_budget_holds_them() -> None:
    report = "".join(f"a.py:{n}:1: E501 line too long ({n})\n" for n in range(150))

    assert report in shortened(report + "Compiling x\n" * 300)


def test_repeated_failures_keep_their_titles_and_one_body() -> None:
    body = "     Error: connect refused\n" + "".join(
        f"      at step{n} (lib/x.js:{n}0:3)\n" for n in range(20)
    )
    report = "  0 passing (1s)\n  30 failing\n\n" + "".join(
        f"  {n}) api answers route {chr(65 + n % 26)}{n}:\n{body}\n"
        for n in range(1, 31)
    )

    out = shortened(report, budget_tokens=1_500, must_keep_tokens=1_500)

    assert all(f"  {n}) api answers route" in out for n in range(1, 31))
    assert out.count("at step7 ") < 8
    assert "30 failing" in out


def test_one_error_among_many_warnings_is_shown() -> None:
    """V4."""
    warnings = "".join(
        f"src/f{n}.c:{n}:1: warning: unused variable 'v{n}' in the function\n"
        for n in range(400)
    )
    text = warnings + "src/g.c:8:1: error: expected ';'\n" + warnings

    out = shortened(text, budget_tokens=300, must_keep_tokens=300)

    assert "src/g.c:8:1: error: expected ';'" in out


def test_pins_survive_any_budget() -> None:
    text = "".join(f"plain line number {n} of many\n" for n in range(300))

    out = shortened(text, budget_tokens=100, must_keep_tokens=200, pins=(150,))

    assert "plain line number 150 of many" in out


def test_go_events_of_failing_tests_stay_and_passes_go() -> None:
    def event(action: str, test: str = "", said: str = "") -> str:
        extra = f',"Test":"{test}"' if test else ""
        extra += f',"Output":"{said}\\n"' if said else ""
        return f'{{"Action":"{action}","Package":"a/b"{extra}}}\n'

    report = ""
    for n in range(40):
        name = f"TestError{n}"
        report += event("run", name) + event("output", name, f"=== RUN   {name}")
        if n == 17:
            report += event("output", name, "    b_test.go:9: want 4")
        verdict = "FAIL" if n == 17 else "PASS"
        report += event("output", name, f"--- {verdict}: {name} (0.00s)")
        report += event(verdict.lower(), name)
    report += event("output", "", "FAIL\\ta/b\\t0.1s") + event("fail")

    out = shortened(report)

    assert event("output", "TestError17", "    b_test.go:9: want 4") in out
    assert event("fail", "TestError17") in out
    assert event("output", "", "FAIL\\ta/b\\t0.1s") in out
    assert event("fail") in out
    assert "TestError3" not in out


def test_a_cargo_message_keeps_what_it_renders_whole() -> None:
    rendered = (
        '"rendered":"error[E0308]: mismatched \\"types\\"\\n  --> src/a.rs:1:2\\n"'
    )
    message = (
        '{"reason":"compiler-message","package_id":"a#0.1","manifest_path":"/home/dev/'
        f'a/Cargo.toml","message":{{{rendered},"spans":[{"0," * 900}0]}}}}\n'
    )

    out = shortened(message + '{"reason":"build-finished","success":false}\n')

    assert rendered in out
    assert '{"reason":"build-finished","success":false}' in out
    assert "0,0,0" not in out


@pytest.mark.parametrize("margin", ["", "   41 | "])
def test_every_error_keeps_its_code_and_caret(margin: str) -> None:
    report = "".join(
        f"src/a.c:{n}:5: error: 'limit_{chr(97 + n % 26)}{n}' undeclared\n"
        f"{margin}    int x = limit_{chr(97 + n % 26)}{n};\n"
        "            ^~~~~~~\n"
        for n in range(1, 61)
    )

    out = shortened(report + "CC b.o ... ok\n" * 200)

    assert report in out


def test_a_caret_does_not_stay_without_its_code() -> None:
    report = "".join(
        f"a.c:{n}:9: warning: unused variable 'v{n}'\n"
        f"   {n} |     int v{n} = {n};\n      |         ^~\n"
        for n in range(10, 90)
    )

    rows = shortened(report).splitlines()

    carets = [at for at, row in enumerate(rows) if row.endswith("^~")]
    assert carets
    assert all("|     int v" in rows[at - 1] for at in carets)


def test_a_run_of_progress_alone_keeps_its_last_word() -> None:
    report = "".join(f"[{n:3}%] Building C object a{n}.o\n" for n in range(0, 100, 5))
    report += "[100%] Built target app\n"

    assert shortened(report).startswith("[100%] Built target app\n[20 more lines]")
