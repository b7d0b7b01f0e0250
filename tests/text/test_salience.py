"""text/salience.py: what an error, a warning, a summary or a pass looks like."""

from __future__ import annotations

import time

import pytest

from tersely.text import salience
from tersely.text.salience import ERROR, NOISE, PLAIN, SUMMARY, WARNING, WORD


@pytest.mark.parametrize(
    "line",
    [
        "error: could not find `x`",
        "error[E0308]: mismatched types",
        "src/a.c:3:1: error: expected ';'",
        "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
        "Main.java:5: error: ';' expected",
        "fatal: not a git repository",
        "FAILED tests/test_a.py::test_b - assert 1 == 2",
        "E       assert 1 == 2",
        "--- FAIL: TestParse (0.00s)",
        "thread 'main' panicked at src/main.rs:3:5:",
        "panic: runtime error: index out of range",
        "##[error]Process completed with exit code 1.",
        "Traceback (most recent call last):",
        "ValueError: percent out of range",
        "java.lang.IllegalStateException: no",
        "Caused by: java.io.IOException: disk",
        "npm ERR! code ERESOLVE",
        "not ok 3 - adds",
        "Segmentation fault (core dumped)",
        "==1==ERROR: AddressSanitizer: heap-buffer-overflow",
        "bash: foo: command not found",
        "sh: 1: pnpm: not found",
        "cp: cannot open 'x': Permission denied",
        "curl: (7) Failed to connect: Connection refused",
        "CONFLICT (content): Merge conflict in a.py",
        "make: *** [Makefile:6: main.o] Error 1 exit status 2",
        "[ERROR] Failed to execute goal",
        "make: *** No rule to make target 'x'.  Stop.",
        "make[2]: *** [Makefile:8: a.o] Error 1",
        "ninja: build stopped: subcommand failed.",
        "fatal error: too many errors emitted, stopping now",
        "rsync error: some files could not be transferred (code 23)",
        " ! [rejected]        main -> main (non-fast-forward)",
        "check yaml.........................................Failed",
    ],
)
def test_error_forms(line: str) -> None:
    assert ERROR == salience.weight_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "0 errors, 0 warnings",
        "no errors found in 3 files",
        "Errors: 0",
        "compiling src/error.py",
        "  --fail-fast",
        "gcc -Werror -c a.c",
        "see docs/errors.html for the list",
        "import no-error-handler from './x'",
    ],
)
def test_words_of_errors_are_no_errors(line: str) -> None:
    """V2."""
    assert salience.weight_of(line) < WORD


@pytest.mark.parametrize(
    "line",
    [
        "tests/test_a.py::test_create_os_error PASSED                [ 10%]",
        "[gw1] [ 12%] PASSED tests/test_a.py::test_error",
        "test io::error::display ... ok",
        "test_fails_on_error (a.T.test_fails_on_error) ... ok",
        "--- PASS: TestError (0.00s)",
        "CartTest#test_error_7 = 0.00 s = .",
        "=== RUN   TestError",
        "ok 12 - reports the error",
        "  ✓ shows an error (5 ms)",
        "Downloading error-chain-0.12.4.crate",
        "Get:1 http://mirror.example.org/debian bookworm/main amd64 libgpg-error0",
        "tests/test_a.py ....s..x.....                               [ 40%]",
        "   Compiling thiserror v1.0.50".strip(),
        "a1b2c3d4e5f6: Pull complete",
        " 35%|███▌      | 35/100 [00:01<00:02]",
        "[ 50%] Building C object error.c.o",
        "> Task :compileJava UP-TO-DATE",
    ],
)
def test_passing_and_progress_is_noise_even_with_error_words(line: str) -> None:
    assert NOISE == salience.weight_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "tests/test_a.py::test_x FAILED                              [ 10%]",
        "[gw1] [ 12%] FAILED tests/test_a.py::test_x",
        "2 PASSED, 1 FAILED",
        "remote: Total 27631 (delta 17649), reused 0",
        "Receiving objects: 100% (27631/27631), 9.5 MiB | 60 MiB/s, done.",
    ],
)
def test_what_shouts_or_concludes_is_no_noise(line: str) -> None:
    assert salience.weight_of(line) > NOISE


@pytest.mark.parametrize(
    "line",
    [
        "========================= 1 failed, 90 passed in 0.40s ====================",
        "= 45 failed, 162298 passed, 52 errors in 759.43s (0:12:39) =",
        "Tests:       1 failed, 11 passed, 12 total",
        "Ran 32 tests in 0.012s",
        "test result: FAILED. 20 passed; 1 failed; 0 ignored",
        "  36 failing",
        "86% tests passed, 3 tests failed out of 22",
        "Found 12 errors in 4 files (checked 90 source files)",
        "✖ 12 problems (9 errors, 3 warnings)",
        "added 120 packages, and audited 121 packages in 3s",
        "✓ built in 769ms",
        "✓ 45 modules transformed.",
        "webpack 5.113.0 compiled with 1 error and 1 warning in 1364 ms",
        "Your code has been rated at 10.00/10",
        "  congratulations :) (7.53 seconds)",
        'Jest: "global" coverage threshold for lines (100%) not met: 0%',
        "[INFO] BUILD SUCCESS",
        "     Summary [   1.2s] 396 tests run: 395 passed, 1 failed",
        "83 runs, 81 assertions, 1 failures, 1 errors, 1 skips",
        "45 examples, 3 failures, 1 pending",
        "Tests: 95, Assertions: 92, Errors: 1, Failures: 2, Skipped: 1.",
        "Result: PASS",
        "Files=3, Tests=46,  0 wallclock secs",
        "All tests successful.",
        "Build succeeded.",
        "    0 Error(s)",
        "==7== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)",
        "-- Configuring incomplete, errors occurred!",
    ],
)
def test_a_tools_own_summary(line: str) -> None:
    assert SUMMARY == salience.weight_of(line)


@pytest.mark.parametrize(
    "line", ["a.c:1:2: warning: unused variable 'x'", "DeprecationWarning: use y"]
)
def test_warnings(line: str) -> None:
    assert WARNING <= salience.weight_of(line) < ERROR


def test_plain_lines_are_plain() -> None:
    assert PLAIN == salience.weight_of("collected 42 items")
    assert salience.BLANK == salience.weight_of("   ")


def test_masks_keep_codes_indices_and_zero_apart() -> None:
    lines = (
        "a.py:3:1: S608 x",
        "a.py:9:12: S608 x",
        "a.py:9:12: S108 x",
        "bucket[1] full",
        "bucket[2] full",
        "exit code 0",
        "exit code 1",
        "exit code 137",
    )

    forms = salience.masked(lines)

    assert forms[0] == forms[1] != forms[2]
    assert forms[3] != forms[4]
    assert forms[5] != forms[6] == forms[7]


def test_ids_are_masked_on_request_and_words_never() -> None:
    lines = (
        "req 3fa9c1b2d4e5 by ann",
        "req 77bb01c2ddee by ann",
        "req 3fa9c1b2d4e5 by bob",
    )

    forms = salience.masked(lines, ids=True)

    assert forms[0] == forms[1] != forms[2]
    assert len({*salience.masked(lines)}) == 3


def test_ranks_count_within_a_form() -> None:
    weights = salience.weigh(("row 1", "row 2", "other", "row 33"))

    assert [1, 2, 1, 3] == weights.rank


def test_pins_are_error_forms_three_of_a_kind_within_the_budget() -> None:
    lines = [f"a.c:{n}:1: error: no" for n in range(1, 9)] + ["fine", "fatal: last"]

    assert (0, 1, 2, 9) == salience.pins(lines, 1_000)
    assert (0,) == salience.pins(lines, 12)
    assert () == salience.pins(["error: " + "x" * 700], 1_000)


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        " ",
        ".",
        "=",
        "error ",
        "a.b.",
        "x: ",
        "1) ",
        "[",
        "PASSED ",
        "::",
        "\\",
        "- ",
    ],
)
def test_no_pattern_hangs_on_a_long_line(unit: str) -> None:
    """X4: a cap far above what a linear pattern needs."""
    line = unit * (60_000 // len(unit)) + "!"
    start = time.perf_counter()

    salience.weight_of(line)
    salience.weight_of("  " + line[:1_100])

    assert time.perf_counter() - start < 2
