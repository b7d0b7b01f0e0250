"""Reports in the forms of real tools, whose facts are known, and changes of them.

A `Report` is made of parts, so that a test can move the failure, multiply what
passed or take it out. All names and numbers come from a seed. Forms follow
the tools' own output: pytest 8, unittest of Python 3.12, jest 29, cargo 1.80,
go 1.22, gcc 13, tsc 5, eslint 9, ruff 0.8, mypy 1.13, GNU make 4.4, pip 24,
npm 10.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

WORDS = (
    "parser cache router ledger invoice search worker tokens mailer session upload "
    "planner scanner billing index replica gateway webhook quota digest"
).split()


@dataclass(frozen=True, slots=True)
class Report:
    """One observation and what a reader needs of it.

    Attributes:
        head, noise, end: lines; each item of `noise` is what one passing test,
            one INFO record or one step of progress prints.
        inline: lines of the failure that stand between the noise, `at` of the
            way down (0 to 1).
        facts: must be read in the emission.
    """

    name: str
    command: str
    head: tuple[str, ...]
    noise: tuple[str, ...]
    inline: tuple[str, ...]
    end: tuple[str, ...]
    facts: tuple[str, ...]
    at: float = 0.5
    exit_code: int | None = 1

    @property
    def lines(self) -> list[str]:
        """All lines, in the order of the tool."""
        cut = round(self.at * len(self.noise))
        return [
            *self.head,
            *self.noise[:cut],
            *self.inline,
            *self.noise[cut:],
            *self.end,
        ]

    @property
    def text(self) -> str:
        """The lines, each with its line feed."""
        return "".join(f"{line}\n" for line in self.lines)


Form = Callable[[random.Random, int], Report]


def _name(rng: random.Random) -> str:
    return f"{rng.choice(WORDS)}_{rng.choice(WORDS)}_{rng.randrange(100, 1000)}"


def pytest_verbose(rng: random.Random, passing: int) -> Report:
    test, file = f"test_{_name(rng)}", f"tests/test_{rng.choice(WORDS)}.py"
    got, want, line = rng.randrange(1000), rng.randrange(1000, 2000), rng.randrange(400)
    noise = tuple(
        f"tests/test_{WORDS[n % 20]}.py::test_{WORDS[n % 17]}_case_{n} PASSED"
        f" [{n * 100 // max(1, passing):3}%]"
        for n in range(passing)
    )
    return Report(
        "pytest",
        "pytest -v",
        (
            "=" * 30 + " test session starts " + "=" * 29,
            "platform linux -- Python 3.12.3, pytest-8.3.3, pluggy-1.5.0",
            "rootdir: /srv/app",
            f"collected {passing + 1} items",
            "",
        ),
        noise,
        (f"{file}::{test} FAILED [ 50%]",),
        (
            "",
            "=" * 35 + " FAILURES " + "=" * 35,
            f"____________ {test} ____________",
            "",
            f"    def {test}():",
            f"        total = compute({got})",
            f">       assert total == {want}",
            f"E       assert {got} == {want}",
            "",
            f"{file}:{line}: AssertionError",
            "=" * 27 + " short test summary info " + "=" * 28,
            f"FAILED {file}::{test} - assert {got} == {want}",
            f"============ 1 failed, {passing} passed in 3.21s ============",
        ),
        (
            f"E       assert {got} == {want}",
            f"{file}:{line}: AssertionError",
            f"FAILED {file}::{test}",
            f"1 failed, {passing} passed in",
        ),
    )


def pytest_dots(rng: random.Random, passing: int) -> Report:
    base = pytest_verbose(rng, passing)
    dots = tuple(
        f"tests/test_{WORDS[n % 20]}_{n}.py ................................... "
        f"[{n * 100 // max(1, passing):3}%]"
        for n in range(passing)
    )
    file = f"tests/test_{rng.choice(WORDS)}_x.py"
    mark = f"{file} ......F....                     [ 50%]"
    return replace(base, name="pytest_dots", noise=dots, inline=(mark,))


def unittest_verbose(rng: random.Random, passing: int) -> Report:
    test, got = f"test_{_name(rng)}", rng.randrange(1000)
    place = f"tests.test_{rng.choice(WORDS)}.Case"
    return Report(
        "unittest",
        "python -m unittest -v",
        (),
        tuple(
            f"test_{WORDS[n % 20]}_{n} (tests.test_a.Case.test_{WORDS[n % 20]}_{n})"
            " ... ok"
            for n in range(passing)
        ),
        (f"{test} ({place}.{test}) ... FAIL",),
        (
            "",
            "=" * 70,
            f"FAIL: {test} ({place}.{test})",
            "-" * 70,
            "Traceback (most recent call last):",
            f'  File "/srv/app/tests/test_a.py", line {got}, in {test}',
            f"    self.assertEqual(total, {got})",
            f"AssertionError: 7 != {got}",
            "",
            "-" * 70,
            f"Ran {passing + 1} tests in 0.412s",
            "",
            "FAILED (failures=1)",
        ),
        (
            f"FAIL: {test} ({place}.{test})",
            f"AssertionError: 7 != {got}",
            f"line {got}, in {test}",
            f"Ran {passing + 1} tests in",
            "FAILED (failures=1)",
        ),
    )


def jest(rng: random.Random, passing: int) -> Report:
    what, got = _name(rng).replace("_", " "), rng.randrange(1000)
    file = f"src/{rng.choice(WORDS)}.test.js"
    block = (
        f"FAIL {file}",
        f"  ● {what} › adds up",
        "",
        "    expect(received).toBe(expected) // Object.is equality",
        "",
        f"    Expected: {got}",
        f"    Received: {got + 1}",
        "",
        "      10 |   it('adds up', () => {",
        f"    > 11 |     expect(sum()).toBe({got});",
        "         |                   ^",
        "      12 |   });",
        "",
        f"      at Object.<anonymous> ({file}:11:{got})",
        "",
    )
    return Report(
        "jest",
        "npx jest",
        (),
        tuple(f"PASS src/{WORDS[n % 20]}/part_{n}.test.js" for n in range(passing)),
        block,
        (
            f"Test Suites: 1 failed, {passing} passed, {passing + 1} total",
            f"Tests:       1 failed, {passing * 3} passed, {passing * 3 + 1} total",
            "Snapshots:   0 total",
            "Time:        4.02 s",
        ),
        (
            f"● {what} › adds up",
            f"Expected: {got}",
            f"Received: {got + 1}",
            f"({file}:11:{got})",
            f"Tests:       1 failed, {passing * 3} passed",
        ),
    )


def cargo_test(rng: random.Random, passing: int) -> Report:
    test, got = f"{rng.choice(WORDS)}::tests::{_name(rng)}", rng.randrange(1000)
    return Report(
        "cargo_test",
        "cargo test",
        (
            "   Compiling app v0.1.0 (/srv/app)",
            "    Finished `test` profile [unoptimized + debuginfo] target(s) in 3.1s",
            "     Running unittests src/lib.rs (target/debug/deps/app-0a1b2c3d4e5f6a)",
            "",
            f"running {passing + 1} tests",
        ),
        tuple(f"test {WORDS[n % 20]}::tests::case_{n} ... ok" for n in range(passing)),
        (f"test {test} ... FAILED",),
        (
            "",
            "failures:",
            "",
            f"---- {test} stdout ----",
            f"thread '{test}' panicked at src/lib.rs:{got}:9:",
            "assertion `left == right` failed",
            f"  left: {got}",
            f" right: {got + 4}",
            "note: run with `RUST_BACKTRACE=1` environment variable to display"
            " a backtrace",
            "",
            "",
            "failures:",
            f"    {test}",
            "",
            f"test result: FAILED. {passing} passed; 1 failed; 0 ignored; 0 measured; "
            "0 filtered out; finished in 0.05s",
            "",
            "error: test failed, to rerun pass `--lib`",
        ),
        (
            f"thread '{test}' panicked at src/lib.rs:{got}:9:",
            f"  left: {got}",
            f" right: {got + 4}",
            f"test result: FAILED. {passing} passed; 1 failed",
        ),
    )


def go_test(rng: random.Random, passing: int) -> Report:
    test, got = f"Test{rng.choice(WORDS).title()}{rng.randrange(1000)}", rng.random()
    noise = tuple(
        row
        for n in range(passing)
        for row in (
            f"=== RUN   Test{WORDS[n % 20].title()}{n}",
            f"--- PASS: Test{WORDS[n % 20].title()}{n} (0.00s)",
        )
    )
    return Report(
        "go_test",
        "go test -v ./...",
        (),
        noise,
        (
            f"=== RUN   {test}",
            f"    sum_test.go:{rng.randrange(400)}: got {got}, want 12",
            f"--- FAIL: {test} (0.01s)",
        ),
        ("FAIL", "FAIL\texample.com/app/sum\t0.412s", "FAIL"),
        (
            f": got {got}, want 12",
            f"--- FAIL: {test}",
            "FAIL\texample.com/app/sum",
        ),
    )


def gcc(rng: random.Random, passing: int) -> Report:
    file, name, line = f"src/{_name(rng)}.c", _name(rng), rng.randrange(900)
    return Report(
        "gcc",
        "make",
        ("make: Entering directory '/srv/app'",),
        tuple(
            f"gcc -O2 -Wall -Iinclude -c src/{WORDS[n % 20]}_{n}.c"
            f" -o build/{WORDS[n % 20]}_{n}.o"
            for n in range(passing)
        ),
        (
            f"gcc -O2 -Wall -Iinclude -c {file} -o build/x.o",
            f"{file}: In function 'main':",
            f"{file}:{line}:14: error: '{name}' undeclared (first use in this"
            " function)",
            f"  {line} |     return {name};",
            "      |            ^~~~~~",
            f"{file}:{line}:14: note: each undeclared identifier is reported only once",
        ),
        (
            f"make: *** [Makefile:12: build/{name}.o] Error 1",
            "make: Leaving directory '/srv/app'",
        ),
        (
            f"{file}:{line}:14: error: '{name}' undeclared",
            f"  {line} |     return {name};",
            f"make: *** [Makefile:12: build/{name}.o] Error 1",
        ),
    )


def tsc(rng: random.Random, passing: int) -> Report:
    file, line = f"src/{_name(rng)}.ts", rng.randrange(900)
    return Report(
        "tsc",
        "npm run build",
        ("", "> app@1.0.0 build", "> tsc -b --verbose", ""),
        tuple(
            f"[10:02:{n % 60:02}] Project 'packages/{WORDS[n % 20]}-{n}/tsconfig.json'"
            " is up to date because newest input is older than output"
            for n in range(passing)
        ),
        (
            f"{file}({line},7): error TS2322: Type 'string' is not assignable to type"
            f" 'number'.",
            f"{file}({line + 9},3): error TS2554: Expected 2 arguments, but got 1.",
        ),
        ("", "Found 2 errors."),
        (
            f"{file}({line},7): error TS2322: Type 'string' is not assignable",
            f"{file}({line + 9},3): error TS2554: Expected 2 arguments",
            "Found 2 errors.",
        ),
    )


def eslint(rng: random.Random, passing: int) -> Report:
    file, line = f"/srv/app/src/{_name(rng)}.js", rng.randrange(100, 900)
    warnings = tuple(
        row
        for n in range(passing)
        for row in (
            f"/srv/app/src/{WORDS[n % 20]}_{n}.js",
            f"  {n + 1}:5  warning  Unexpected console statement  no-console",
            "",
        )
    )
    return Report(
        "eslint",
        "npx eslint .",
        ("",),
        warnings,
        (file, f"  {line}:11  error  'total' is not defined  no-undef", ""),
        (f"✖ {passing + 1} problems (1 error, {passing} warnings)", ""),
        (
            file,
            f"  {line}:11  error  'total' is not defined  no-undef",
            f"✖ {passing + 1} problems (1 error, {passing} warnings)",
        ),
    )


def ruff(rng: random.Random, passing: int) -> Report:
    file, line = f"src/{_name(rng)}.py", rng.randrange(900)
    return Report(
        "ruff",
        "ruff check --output-format concise",
        (),
        tuple(
            f"src/{WORDS[n % 20]}_{n}.py:{n + 1}:89: E501 Line too long (9{n % 9} > 88)"
            for n in range(passing)
        ),
        (f"{file}:{line}:5: F821 Undefined name `{_name(rng)}`",),
        (f"Found {passing + 1} errors.",),
        (f"{file}:{line}:5: F821 Undefined name", f"Found {passing + 1} errors."),
    )


def mypy(rng: random.Random, passing: int) -> Report:
    file, line = f"src/{_name(rng)}.py", rng.randrange(900)
    return Report(
        "mypy",
        "mypy src",
        (),
        tuple(
            f"src/{WORDS[n % 20]}_{n}.py:{n + 1}: error: Function is missing a return"
            " type annotation  [no-untyped-def]"
            for n in range(passing)
        ),
        (
            f'{file}:{line}: error: Incompatible return value type (got "str",'
            ' expected "int")  [return-value]',
        ),
        (f"Found {passing + 1} errors in {passing + 1} files (checked 900 files)",),
        (
            f"{file}:{line}: error: Incompatible return value type",
            f"Found {passing + 1} errors in",
        ),
    )


def pip(rng: random.Random, passing: int) -> Report:
    package = f"{rng.choice(WORDS)}-{rng.choice(WORDS)}{rng.randrange(100)}"
    noise = tuple(
        row
        for n in range(passing)
        for row in (
            f"Collecting {WORDS[n % 20]}-{n}==1.{n}",
            f"  Downloading {WORDS[n % 20]}_{n}-1.{n}-py3-none-any.whl (12.{n} kB)",
        )
    )
    return Report(
        "pip",
        "pip install -r requirements.txt",
        (),
        noise,
        (
            f"Collecting {package}",
            f"  Downloading {package}-2.0.tar.gz (88 kB)",
            "  Getting requirements to build wheel: finished with status 'error'",
            "  error: subprocess-exited-with-error",
            "  ",
            "  × Getting requirements to build wheel did not run successfully.",
            "  │ exit code: 1",
            "  ╰─> [3 lines of output]",
            f"      ModuleNotFoundError: No module named '{package}_build'",
            "      [end of output]",
            "  ",
        ),
        (
            f"ERROR: Failed to build '{package}' when getting requirements to build"
            " wheel",
        ),
        (
            f"Collecting {package}",
            f"ModuleNotFoundError: No module named '{package}_build'",
            f"ERROR: Failed to build '{package}' when getting",
        ),
    )


def npm(rng: random.Random, passing: int) -> Report:
    package = f"{rng.choice(WORDS)}-{rng.randrange(1000)}"
    return Report(
        "npm",
        "npm install",
        (),
        tuple(
            f"npm http fetch GET 200 https://registry.example.com/{WORDS[n % 20]}-{n}"
            f" {n}ms (cache miss)"
            for n in range(passing)
        ),
        (),
        (
            "npm error code ERESOLVE",
            "npm error ERESOLVE unable to resolve dependency tree",
            "npm error",
            "npm error While resolving: app@1.0.0",
            f"npm error Found: {package}@18.3.1",
            "npm error Could not resolve dependency:",
            f'npm error peer {package}@"^17.0.0" from widgets@4.1.0',
        ),
        (
            "npm error code ERESOLVE",
            f"npm error Found: {package}@18.3.1",
            f'npm error peer {package}@"^17.0.0" from widgets@4.1.0',
        ),
    )


#: How the same record starts in the logs of different frameworks.
STAMPS: tuple[tuple[str, Callable[[int, str], str]], ...] = (
    (
        "python",
        lambda n, level: (
            f"2026-03-02 10:{n // 60 % 60:02}:{n % 60:02},{n % 1000:03}"
            f" {level} app.core: "
        ),
    ),
    (
        "logback",
        lambda n, level: (
            f"2026-03-02T10:{n // 60 % 60:02}:{n % 60:02}.{n % 1000:03}Z"
            f" {level:5} [main] c.e.app.Core - "
        ),
    ),
    (
        "syslog",
        lambda n, level: (
            f"Mar  2 10:{n // 60 % 60:02}:{n % 60:02} host app[412]: {level} "
        ),
    ),
    (
        "logfmt",
        lambda n, level: (
            f"time=2026-03-02T10:{n // 60 % 60:02}:{n % 60:02}Z"
            f" level={level.lower()} msg="
        ),
    ),
    (
        "bracket",
        lambda n, level: f"[2026-03-02 10:{n // 60 % 60:02}:{n % 60:02}] [{level}] ",
    ),
)

TRACES: tuple[tuple[str, Callable[[str, int], tuple[str, ...]]], ...] = (
    (
        "python",
        lambda name, line: (
            "Traceback (most recent call last):",
            f'  File "/srv/app/{name}.py", line {line}, in handle',
            f"    return store[{name!r}]",
            f"KeyError: '{name}'",
        ),
    ),
    (
        "java",
        lambda name, line: (
            f"java.lang.IllegalStateException: {name} is closed",
            f"\tat com.example.app.Pool.take(Pool.java:{line})",
            "\tat com.example.app.Server.handle(Server.java:88)",
            f"Caused by: java.io.IOException: broken pipe {name}",
            f"\tat com.example.app.Wire.write(Wire.java:{line + 7})",
            "\t... 2 more",
        ),
    ),
    (
        "go",
        lambda name, line: (
            f"panic: runtime error: index out of range [{line}] with length 3",
            "",
            "goroutine 17 [running]:",
            f"main.{name}(0xc000012345, 0x4)",
            f"\t/srv/app/{name}.go:{line} +0x1d",
            "created by main.main in goroutine 1",
            "\t/srv/app/main.go:21 +0x8f",
        ),
    ),
)


def _app_log(stamp_at: int, trace_at: int) -> Form:
    stamp_name, stamp = STAMPS[stamp_at]
    trace_name, trace = TRACES[trace_at]

    def form(rng: random.Random, passing: int) -> Report:
        name, line = _name(rng), rng.randrange(10, 900)
        noise = []
        for n in range(passing):
            kind = n % 7
            message = (
                f"GET /api/{WORDS[n % 20]}/{n} 200 in {n % 90}ms",
                f"cache hit for key {WORDS[n % 20]}:{n}",
                f"job {n} done after {n % 400} ms",
                f"user {n} logged in from 10.0.{n % 200}.{n % 250}",
                "heartbeat",
                f"flushed {n % 77} rows to {WORDS[n % 20]}",
                f"queue depth {n % 31}",
            )[kind]
            noise.append(stamp(n, "INFO") + message)
        first = trace(name, line)
        at = passing // 2
        inline = (
            stamp(at, "WARN") + f"retrying {name} after reset by peer",
            stamp(at, "ERROR") + f"request {name} failed: upstream gone",
            *first,
        )
        return Report(
            f"app_log_{stamp_name}_{trace_name}",
            "cat app.log",
            (stamp(0, "INFO") + "starting app version 4.2.1",),
            tuple(noise),
            inline,
            (stamp(passing, "INFO") + "shutdown complete",),
            (
                f"retrying {name} after reset by peer",
                f"request {name} failed: upstream gone",
                *(row for row in first if row.strip()),
            ),
            exit_code=None,
        )

    return form


TEST_RUNS: dict[str, Form] = {
    "pytest": pytest_verbose,
    "pytest_dots": pytest_dots,
    "unittest": unittest_verbose,
    "jest": jest,
    "cargo_test": cargo_test,
    "go_test": go_test,
}
BUILDS: dict[str, Form] = {
    "gcc": gcc,
    "tsc": tsc,
    "eslint": eslint,
    "ruff": ruff,
    "mypy": mypy,
    "pip": pip,
    "npm": npm,
}
LOGS: dict[str, Form] = {
    f"app_log_{STAMPS[n][0]}_{TRACES[n % 3][0]}": _app_log(n, n % 3)
    for n in range(len(STAMPS))
}
FORMS: dict[str, Form] = {**TEST_RUNS, **BUILDS, **LOGS}


def report(name: str, seed: int, passing: int) -> Report:
    """The report of form `name`; `passing` changes its noise and counts alone."""
    return FORMS[name](random.Random(f"{name}{seed}"), passing)


# --- changes that change no fact -------------------------------------------


def iso_stamps(lines: Sequence[str]) -> list[str]:
    """A time before each line, as `ts` writes it."""
    return [
        f"2026-03-02T10:{n // 60 % 60:02}:{n % 60:02} {line}"
        for n, line in enumerate(lines)
    ]


def runner_stamps(lines: Sequence[str]) -> list[str]:
    """What GitHub's runner writes before each line, in a step with its group."""
    rows = ["##[group]Run ./check", "./check", "shell: /usr/bin/bash -e {0}"]
    rows += ["##[endgroup]", *lines, "##[error]Process completed with exit code 1."]
    return [
        f"2026-03-02T10:{n // 60 % 60:02}:{n % 60:02}.{n % 10**7:07}Z {line}"
        for n, line in enumerate(rows)
    ]


def job_and_step(lines: Sequence[str]) -> list[str]:
    """The same as `gh run view --log` prints it."""
    return [f"build\tRun checks\t{line}" for line in runner_stamps(lines)]


def wrapped_step(lines: Sequence[str]) -> list[str]:
    """A step of a job without its stamps, set-up before and clean-up after."""
    return [
        "##[group]Run actions/checkout@v4",
        "with:",
        "  fetch-depth: 1",
        "##[endgroup]",
        "Syncing repository: example/app",
        "##[group]Run ./check",
        "./check",
        "shell: /usr/bin/bash -e {0}",
        "##[endgroup]",
        *lines,
        "##[error]Process completed with exit code 1.",
        "Post job cleanup.",
        "Cleaning up orphan processes",
    ]


def colours(lines: Sequence[str]) -> list[str]:
    """Each line in a colour of its own, as a terminal gets it."""
    return [
        f"\x1b[{31 + n % 7}m{line}\x1b[0m" if line else line
        for n, line in enumerate(lines)
    ]


def duplicate(lines: Sequence[str], at: int) -> list[str]:
    """Line `at` twice."""
    return [*lines[: at + 1], *lines[at : at + 1], *lines[at + 1 :]]


BANNER = (
    "+----------------------------------------------------------+",
    "| Welcome to the build host. Maintenance on Sunday 03:00.  |",
    "| Disk use 41 %. Please keep your scratch folders small.   |",
    "+----------------------------------------------------------+",
    "",
)


def banner_before(lines: Sequence[str]) -> list[str]:
    """A host's greeting before the report."""
    return [*BANNER, *lines]


def banner_after(lines: Sequence[str]) -> list[str]:
    """The same behind it."""
    return [*lines, "", *BANNER[:-1]]


def in_make(lines: Sequence[str]) -> list[str]:
    """The report as a make target's output."""
    return [
        "make[1]: Entering directory '/srv/app'",
        "./tools/check --all",
        *lines,
        "make[1]: *** [Makefile:31: check] Error 1",
        "make[1]: Leaving directory '/srv/app'",
        "make: *** [Makefile:8: all] Error 2",
    ]


def in_npm(lines: Sequence[str]) -> list[str]:
    """The report as the output of an npm script."""
    return [
        "",
        "> app@1.0.0 check",
        "> ./tools/check --all",
        "",
        *lines,
        "npm error Lifecycle script `check` failed with error:",
        "npm error code 1",
        "npm error path /srv/app",
    ]


WRAPPERS: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "iso_stamps": iso_stamps,
    "runner_stamps": runner_stamps,
    "job_and_step": job_and_step,
    "wrapped_step": wrapped_step,
    "colours": colours,
    "banner_before": banner_before,
    "banner_after": banner_after,
    "in_make": in_make,
    "in_npm": in_npm,
}


def joined(lines: Iterable[str], end: str = "\n") -> bytes:
    """The bytes of `lines`."""
    return "".join(f"{line}{end}" for line in lines).encode()
