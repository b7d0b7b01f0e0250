"""How much a line of a report matters, judged by the line's own form.

The one place that knows what an error, a warning, a summary or a passing test
looks like (V2: words such as "0 errors" or ``error.py`` are none). Weights
are relative; `select.py` turns them into a choice under a budget. Values
chosen by hand and checked on the scoreboard.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate

#: A line's class, by rising importance.
NOISE = -1.0
BLANK = 0.0
PLAIN = 1.0
PLACE = 2.0
WARNING = 3.0
WORD = 5.0
SUMMARY = 7.0
ERROR = 10.0

#: Longer lines are judged by their ends.
_JUDGED_CHARS = 1_200

#: Digits become 9, and runs of them one 9; 0 alone stays (V2).
_DIGITS = bytes.maketrans(b"12345678", b"99999999")
_RUNS = (
    (b"000", b"0"),
    (b"00", b"0"),
    (b"09", b"9"),
    (b"90", b"9"),
    (b"9999", b"9"),
    (b"99", b"9"),
    (b"99", b"9"),
)
#: Digits behind a capital or a bracket tell facts apart: S608 is not S108,
#: [1] is not [2] (FINDINGS, traps 1).
_CODE = re.compile(r"[A-Z\[]\d+")
_ID = re.compile(r"[09][09a-f]{6,}|[a-f][09][09a-f]{5,}")

#: What a line holds, in lower case, before any error form is tried on it.
_HOT = tuple(
    """
    err fail warn fatal excep panic traceb abort denied refused forbid unauth
    not cannot can't unable undefined unresol invalid illegal timed timeout fault
    killed signal dumped missing conflict reject unexpec assert mismatch exit
    deadlock memory overflow violat unsup deprec corrupt critical severe emerg
    vulnerab sanitizer caused must unknown lost rollback crash leak dropped retry ***
    """.split()
)

# Anchored forms are tried with match: an alternation of ``^`` parts would be
# tried at every character by search.
_STRONG_START = re.compile(
    r"\W{0,12}(?:error|Error|ERROR|fatal|FATAL|panic|PANIC|CRITICAL|SEVERE|EMERG)"
    r"(?:\[[\w-]{1,24}\]|\([\w/-]{1,40}\))?\s?[:!\]]"
    r"|\W{0,4}(?:FAILED|FAILURE|ERROR|FAIL|FATAL|PANIC)\b"
    r"|##\[error\]|Traceback \(most|\s*[Cc]aused by:"
    r"|\s{0,8}(?:[\w$]{1,60}[.:]{1,2}){0,12}\w{0,60}(?:Error|Exception|Failure)\b(?::|$)"
    r"|npm (?:ERR!|error)|not ok\b"
    r"|(?:fatal|rsync) error: | ! \[(?:remote )?rejected\]"
    r"|make(?:\[\d+\])?: \*\*\* (?!.*\(ignored\)$)"
    r"|ninja: (?:build stopped|error)"
)
#: Literal -> the form it must stand in; None: the literal is enough.
_STRONG_IN: tuple[tuple[str, re.Pattern[str] | None], ...] = (
    (
        "error",
        re.compile(
            r":\s?(?:fatal |internal compiler )?error(?: ?[A-Z]{0,8}\d{0,6})?:"
            r"|\berror(?: TS\d+|\[E\d+\]| [A-Z]{1,4}\d{3,5}):"
        ),
    ),
    ("FAIL", re.compile(r"\b(?:FAILED|FAIL)\b")),
    ("Failed", re.compile(r"\.{2,}(?:\([^)]*\))?\s*Failed\b|^Failed\b")),
    ("panicked at", None),
    ("egmentation fault", None),
    ("core dumped", None),
    ("Sanitizer:", None),
    ("SIG", re.compile(r"\bSIG(?:SEGV|ABRT|KILL|BUS|ILL)\b")),
    ("ermission denied", None),
    ("ccess denied", None),
    ("AccessDenied", None),
    ("onnection refused", None),
    ("HOST IDENTIFICATION", None),
    ("ertificate ", re.compile(r"ertificate (?:verify|has expired)")),
    ("CONFLICT (", None),
    ("not found", re.compile(r"[Cc]ommand not found|: not found$")),
    (
        "exit",
        re.compile(
            r"\bexit(?:ed|ing)?(?: with)?(?: (?:error )?(?:code|status))?"
            r"[: =]+-?[1-9]\d{0,9}\b"
        ),
    ),
)
#: A count of nothing, a flag or a file name: no error (V2).
_NONE = re.compile(
    r"\b(?:0|[Nn]o|zero|without|ignoring|if any) (?:\w+ )?"
    r"(?:errors?|failures?|failed|warnings?|vulnerabilit|problems?|issues?)"
    r"|\b(?:[Ee]rrors?|[Ff]ailures?|[Ff]ailed|[Ww]arnings?)[:=] ?0\b"
    r"|--?[\w-]*(?:error|fail|warn)"
    r"|\w*(?:[Ee]rror|[Ff]ail|[Ww]arn)\w*\.(?:py|rs|go|js|ts|java|c|h|cpp|html?|o)\b"
    r"|-W(?:no-)?[a-z]|-fexceptions|\bset -e"
)
_WARN = re.compile(r"\b(?:[Ww]arn(?:ing)?s?|WARN(?:ING)?|[Dd]eprecat\w*|\w+Warning)\b")
#: The words themselves, below the part of them that makes a line hot; no part
#: of a path, a flag or a longer word.
_WORDS: dict[str, tuple[str, ...]] = {
    "err": (
        "error",
        "errored",
        "errors",
    ),
    "fail": (
        "fail",
        "failed",
        "failing",
        "fails",
        "failure",
        "failures",
    ),
    "fatal": ("fatal",),
    "excep": (
        "exception",
        "exceptions",
    ),
    "abort": (
        "abort",
        "aborted",
        "aborting",
    ),
    "denied": ("denied",),
    "refused": ("refused",),
    "forbid": ("forbidden",),
    "unauth": ("unauthorized",),
    "not found": ("not found",),
    "no such": ("no such",),
    "cannot": ("cannot",),
    "can't": ("can't",),
    "could not": ("could not",),
    "couldn't": ("couldn't",),
    "unable": ("unable",),
    "undefined": ("undefined",),
    "unresol": ("unresolved",),
    "invalid": ("invalid",),
    "illegal": ("illegal",),
    "timed out": ("timed out",),
    "timeout": ("timeout",),
    "killed": ("killed",),
    "signal": ("signal",),
    "missing": ("missing",),
    "conflict": (
        "conflict",
        "conflicts",
    ),
    "reject": ("rejected",),
    "unexpec": ("unexpected",),
    "assert": (
        "assert",
        "assertion",
    ),
    "mismatch": (
        "mismatch",
        "mismatched",
    ),
    "deadlock": ("deadlock",),
    "out of memory": ("out of memory",),
    "overflow": ("overflow",),
    "violat": (
        "violated",
        "violates",
        "violation",
    ),
    "unsup": ("unsupported",),
    "corrupt": (
        "corrupt",
        "corrupted",
    ),
    "critical": ("critical",),
    "severe": ("severe",),
    "emerg": ("emergency",),
    "vulnerab": (
        "vulnerabilities",
        "vulnerability",
        "vulnerable",
    ),
    "unknown": ("unknown",),
    "unreach": ("unreachable",),
    "lost": ("lost",),
    "rollback": ("rollback",),
    "crash": (
        "crash",
        "crashed",
    ),
    "leak": (
        "leak",
        "leaked",
        "leaks",
    ),
    "dropped": ("dropped",),
    "retry": (
        "retry",
        "retrying",
    ),
    "exit ": (
        "exit code",
        "exit status",
    ),
}
_NAMES = ("Error", "Exception", "Failure", "Fault", "Timeout")
_NAMED = re.compile(r"\b[A-Z]\w{2,60}(?:Error|Exception|Failure|Fault|Timeout)\b")

#: A tool's own summary, by the first character of the line: one alternation of
#: all would be tried in full on every line.
_SUMMARY = {
    first: pattern
    for firsts, pattern in (
        (
            "=",
            r"=+ .*\b\d+ (?:passed|failed|error|skipped|deselected|warnings?)\b.* =+$"
            r"|=+ .*\bin [\d.]+s\b.* =+$|==\d+== ERROR SUMMARY: ",
        ),
        (
            "0123456789",
            r"\d+ (?:passed|failed)[, ].*\bin [\d.]+ ?s"
            r"|\d+ (?:passing|failing|pending|passed|failed|skipped|flaky)\b"
            r"|\d+ did not run\b"
            r"|\d+% tests passed|\d+ errors? (?:and|generated)"
            r"|\d+ (?:files? (?:reformatted|would be|left)|vulnerabilit|upgraded)"
            r"|\d+ (?:runs|examples?|assertions), \d+ |\d+ (?:Error|Warning)\(s\)$"
            r"|\d+ errors?$",
        ),
        (
            "T",
            r"(?:Tests?|Test Suites|Test Files)\s*:?\s+.*"
            r"\d+ (?:passed|failed|total|skipped)"
            r"|Tests run: \d|Total(?:s|:| )|Tests: \d+, Assertions: ",
        ),
        (
            "S",
            r"(?:Snapshots|Suites)\s*:?\s+.*\d+ (?:passed|failed|total|skipped)"
            r"|Summary:? |SUMMARY|Successfully (?:installed|built)|Success:",
        ),
        ("t", r"test result: |total \d"),
        (
            "[",
            r"\[(?:INFO|ERROR)\]\s?BUILD (?:SUCCESS|FAIL)"
            r"|\[  (?:PASSED|FAILED)  \] \d",
        ),
        ("B", r"BUILD (?:SUCCESS|FAIL)|BUILD \w+ in|Build succeeded"),
        (
            "F",
            r"FAILED(?: \(|$)|FAIL\t|FAIL$|Finished "
            r"|Found \d+ (?:err|warn|issue|probl)|Files=\d",
        ),
        ("O", r"OK(?: \(|$)"),
        ("P", r"PASS$"),
        ("R", r"Ran \d+ tests? in|Result: (?:PASS|FAIL|NOTESTS)$"),
        ("n", r"no tests ran"),
        ("#", r"# (?:tests|pass|fail|skipped|todo|cancelled) \d"),
        ("✖", r"✖ \d+ problem"),
        # Ticked like a passing test, and the only word on how a build ended.
        ("✓✔", r"[✓✔] (?:built in|Compiled|\d+ modules? transformed)\b"),
        ("w", r"webpack [\d.]+ compiled "),
        ("Y", r"Your code has been rated at "),
        ("J", r"Jest: .*coverage threshold"),
        (
            "aruc",
            r"(?:added|removed|changed|up to date|audited)\b.*\bpackages?\b"
            r"|congratulations :\)",
        ),
        ("e", r"error: could not compile|error: aborting"),
        ("A", r"All checks passed|All tests successful|Automatic merge failed"),
        ("-", r"-- Configuring incomplete"),
        ("D", r"Done in"),
        ("C", r"Completed in"),
        ("E", r"Elapsed"),
    )
    for first in firsts
}

#: First words of lines that only report progress.
_PROGRESS_WORDS = frozenset(
    """
    Downloading Downloaded Compiling Collecting Unpacking Fetching Fetched Receiving
    Resolving Counting Compressing Enumerating Writing Pulling Waiting Verifying
    Extracting Installing Selecting Reading Get: Hit: Ign: Checking Copying Linking
    Generating Scanning Processing Updating Unzipping inflating: extracting: creating:
    copying byte-compiling Fresh Locking Blocking Obtaining Bundling Transforming
    rendering transforming Pushing Pulled Digest: Progress: Looking Requirement
    Stored Removing removing Cleaning
    """.split()
)
_PASS_WORDS = (
    "PASS", "SKIP", "XFAIL", "XPASS", "ok", "OK", "passed", "Passed", "skipped",
    "ignored", "RUN", "Start", "ms)", "no test files", " s = .",
)  # fmt: skip
_PASS_LINE = re.compile(
    r"\s*(?:\[gw\d+\] )?(?:\[\s*\d+%\] )?(?:PASSED|XPASS|XFAIL|SKIPPED) \S"
    r"|\s*(?:\[[^\]]{1,40}\] )?\S{1,300}(?: [^ ].{0,200})?"
    r" (?:PASSED|XPASS|XFAIL|SKIPPED)(?: .{0,120})?(?:\s+\[\s*\d+%\])?\s*$"
    r"|test \S.{0,300} \.\.\. (?:ok|ignored\b.*)$|.{1,300} \.\.\. (?:ok|skipped\b.*)$"
    r"|\s*--- PASS: |=== (?:RUN|PAUSE|CONT|NAME) "
    r"|\S{1,300}#\S.{0,200} = \d+\.\d\d s = \.$"
    r"|ok \d+|PASS \S|\s*PASS \[|\s*\d+/\d+ Test +#\d+: .{1,200} Passed "
    r"|\s*Start +\d+: |\[\s+(?:OK|RUN)\s+\] |\? +\t?\S+\t\[no test files\]"
    r"|ok  \t\S|\s*[-•·] \S.{0,200} \(\d+ ?ms\)$"
)
_DOTS = re.compile(r"(?:\S{1,300}\s)?[.sx]{3,400}\s*(?:\[\s*\d+%\])?$|\[-{6,}\] ")
_BAR = re.compile(
    r"[━█▓▒░▏▎▍▌▋▊▉]{3}|[#=\-]{6,}>?\s*\]?\s*\d{1,3}(?:\.\d+)?%|\d%\|"
    r"|^\s*\d{1,3}%\s|\d ?[kKMG]i?B/s"
)
_LAYER = re.compile(
    r"[0-9a-f]{12}: (?:Pull|Wait|Down|Verif|Extract|Already|Push|Layer|Prepar|Mounted)"
    r"|#\d+ (?:sha256:|\d+\.\d+ (?:Get:|Hit:|Selecting|Preparing|Unpacking|Setting up)"
    r"|extracting |CACHED|DONE \d|resolve )"
    r"|\s*(?:\[\s*\d+%\] |\[\d+/\d+\] )"
    r"(?:Building|Linking|Built|Generating|Compiling|Installing|Copying|Running)\b"
    r"|> Task :\S+(?: UP-TO-DATE| NO-SOURCE| FROM-CACHE| SKIPPED)?$"
    r"|(?:\[INFO\] )?Download(?:ing|ed)(?: from)? |npm http fetch GET 2"
    r"|\s*(?:Receiving|Resolving|Counting|Compressing|Writing|Enumerating|Unpacking"
    r"|Updating|Checking out) (?:objects|deltas|files)"
    r"|go: downloading |(?:GET|HEAD) https?://\S+$"
)
_SHOUT = re.compile(r"\b(?:FAIL|FAILED|ERROR|ERRORS|FATAL|panicked|Traceback)\b")
_SECURITY = re.compile(
    r"(?i)\b(?:injection|hard-?coded|insecure|vulnerab\w+|CVE-\d|password|secrets?"
    r"|credentials?|unsafe|untrusted|privilege|weak (?:hash|cipher)|without a shell)\b"
)
#: Places in other people's code tell less than those in one's own.
_LIBRARY = re.compile(
    r"/usr/|site-packages|dist-packages|node_modules|/rustc/|\.cargo/|/lib/python"
    r"|node:|<frozen |/opt/|\bjava\.base/|\bsun\.|\borg\.junit"
)
OWN_PLACE = 3.0
LIBRARY_PLACE = 1.6

_PLACE = re.compile(r"\.[a-zA-Z]{1,5}:\d")


@dataclass(frozen=True, slots=True)
class Weights:
    """What each line of a text weighs.

    Attributes:
        own: class weight of each line, before repeats count.
        rank: n-th line of the same masked form, from 1.
    """

    own: list[float]
    rank: list[int]


def masked(lines: Sequence[str], *, ids: bool = False) -> list[str]:
    """Each line with its numbers made equal; with `ids` hex ids too.

    Rule codes and indices stay: they are appended to the form.
    """
    if not lines:
        return []
    text = "\n".join(lines)
    data = text.encode("utf-8", "surrogatepass").translate(_DIGITS)
    for run, one in _RUNS:
        data = data.replace(run, one)
    form = data.decode("utf-8", "surrogatepass")
    if ids:
        form = _ID.sub("9", form)
    forms = form.split("\n")
    starts: list[int] | None = None
    for found in _CODE.finditer(text):
        if starts is None:
            starts = [0, *accumulate(len(line) + 1 for line in lines)]
        forms[bisect_right(starts, found.start()) - 1] += found.group()
    return forms


def weigh(lines: Sequence[str], forms: Sequence[str] | None = None) -> Weights:
    """Weigh every line; equal masked forms are judged once.

    Args:
        forms: `masked(lines)`, where the caller has it.
    """
    forms = masked(lines) if forms is None else forms
    memo: dict[str, float] = {}
    seen: dict[str, int] = {}
    own, rank = [], []
    for line, form in zip(lines, forms, strict=True):
        weight = memo.get(form)
        if weight is None:
            weight = memo[form] = weight_of(line)
            seen[form] = 1
            rank.append(1)
        else:
            seen[form] = count = seen[form] + 1
            rank.append(count)
        own.append(weight)
    return Weights(own, rank)


@lru_cache(maxsize=8_192)
def weight_of(line: str) -> float:
    """The class weight of one line."""
    if len(line) > _JUDGED_CHARS:
        line = line[: _JUDGED_CHARS // 2] + " " + line[-_JUDGED_CHARS // 2 :]
    bare = line.strip()
    if not bare:
        return BLANK
    if bare[0] in _SUMMARY and _summary(bare[0]).match(bare):
        return SUMMARY
    if is_noise(line, bare):
        return NOISE
    if bare.startswith(("E  ", "E\t")):
        return ERROR
    if ": note: " in line:  # what it says belongs to the error above it
        return _place_weight(line)
    lower = bare.lower()
    for word in _HOT:
        if word in lower:
            return _hot_weight(line, bare, lower)
    if bare[0] in "✗✕✖❌⨯×●":
        return WORD
    if bare.startswith(("> ", "^", "|", "-->", 'File "', "at ")) or _PLACE.search(line):
        return _place_weight(line)
    return PLAIN if len(bare) > 2 else 0.4


def _hot_weight(line: str, bare: str, lower: str) -> float:
    if _is_strong(line):
        return (
            WORD
            if _NONE.search(line) and not _is_strong(_NONE.sub(" ", line))
            else ERROR
        )
    if any(name in line for name in _NAMES) and _NAMED.search(line):
        return WORD + 2
    if "warn" in lower or "deprec" in lower:
        if _WARN.search(_NONE.sub(" ", line)):
            return WARNING
    if _has_word(lower) and _has_word(_NONE.sub(" ", line).lower()):
        return WORD
    if bare[0] in "✗✕✖❌⨯×●":
        return WORD
    return _place_weight(line) if _PLACE.search(line) else PLAIN


@cache
def _summary(first: str) -> re.Pattern[str]:
    return re.compile(_SUMMARY[first])


def _has_word(lower: str) -> bool:
    for part, words in _WORDS.items():
        at = lower.find(part)
        while at >= 0:
            before = lower[at - 1] if at else " "
            if not (before.isalnum() or before in "/._-"):
                for word in words:
                    after = lower[at + len(word) : at + len(word) + 1]
                    if lower.startswith(word, at) and not (
                        after.isalnum() or after == "_"
                    ):
                        return True
            at = lower.find(part, at + 1)
    return False


def _place_weight(line: str) -> float:
    if not _PLACE.search(line):
        return PLACE
    if _SECURITY.search(line):
        return WORD
    return LIBRARY_PLACE if is_library(line) else OWN_PLACE


def is_library(path: str) -> bool:
    """Whether a path, or the place a line names, is other people's code."""
    return _LIBRARY.search(path) is not None


def _is_strong(line: str) -> bool:
    if _STRONG_START.match(line):
        return True
    for literal, form in _STRONG_IN:
        if literal in line and (form is None or form.search(line)):
            return True
    return False


def is_noise(line: str, bare: str) -> bool:
    """Whether `line` only says that something passed or is under way.

    Wins over error words, unless the line shouts as well:
    ``test_create_os_error PASSED`` is noise, ``2 PASSED, 1 FAILED`` is not.
    """
    first = bare.split(None, 1)[0]
    found = (
        first in _PROGRESS_WORDS
        or first[:4] in ("Get:", "Hit:", "Ign:")
        or bare[0] in "✓✔√✅"
        or _LAYER.match(line) is not None
        or (bare[-1] in ".sx]%" and _DOTS.match(bare) is not None)
    )
    if not found:
        for word in _PASS_WORDS:
            if word in line:
                found = _PASS_LINE.match(line) is not None
                break
    if not found and ("%" in line or "B/s" in line or "━" in line or "█" in line):
        found = _BAR.search(line) is not None
    return found and not (
        _SHOUT.search(line)
        or " error: " in line
        or first == "error:"
        or bare.endswith(", done.")  # the last state of a redrawn count
    )


def pins(lines: Sequence[str], budget_tokens: int) -> tuple[int, ...]:
    """Lines in a tool's own error form, first ones first, within a budget.

    A repeat of the same masked form counts only three times; over-long lines
    are left to the transform.
    """
    candidates = [
        at
        for at, line in enumerate(lines)
        if len(line) <= 600 and _maybe_strong(line) and weight_of(line) >= ERROR
    ]
    forms = masked([lines[at] for at in candidates])
    out: list[int] = []
    seen: dict[str, int] = {}
    left = budget_tokens
    for at, form in zip(candidates, forms, strict=True):
        seen[form] = seen.get(form, 0) + 1
        cost = len(lines[at]) // 3 + 2
        if seen[form] > 3 or cost > left:
            continue
        left -= cost
        out.append(at)
    return tuple(out)


def _maybe_strong(line: str) -> bool:
    """A cheap look for what every strong form contains."""
    return (
        "rror" in line
        or "ERR" in line
        or "FAIL" in line
        or "ailed" in line
        or line.startswith(("E  ", "fatal", "panic", "not ok", "Traceback"))
        or "xception" in line
        or "panicked" in line
        or "enied" in line
        or "fault" in line
        or "refused" in line
        or "not found" in line
        or "exit" in line
    )
