"""ctx demo -- shorten real output of this machine, and take it back.

Runs a few commands that are here, shows what an agent would have read and what
it reads instead, checks that the facts are still there, and brings every
original back.

Reads:  output of python, grep, ls, git as far as they are installed
Writes: stdout, a folder of its own that is removed again (--keep: the user's
        archive and ledger)
Exit:   0 everything came back byte for byte and nothing grew, 1 something did
        not, 2 wrong use
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ....shell import runner
from .. import engines
from ..arguments import Parser

if TYPE_CHECKING:
    from ....model import Envelope
    from ....pipeline.run import Engine

EPILOG = """\
With --keep the originals go to your own archive, so that you can try
`ctx expand HANDLE` on them; otherwise nothing is left behind.
"""

#: Lines of a text that are shown.
_SHOWN_BEFORE = 4
_SHOWN_AFTER = 18
_WIDTH = 96


@dataclass(frozen=True, slots=True)
class Scene:
    """One command, and how to know what must still be readable.

    Attributes:
        facts: takes the original text to the strings that must stand in the
            emission.
        called: what those strings are.
    """

    title: str
    argv: tuple[str, ...]
    facts: Callable[[str], list[str]]
    called: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one scene."""

    title: str
    envelope: Envelope
    same: bool
    missing: int


class Painter(Protocol):
    """Prints a line in one of a few styles."""

    def __call__(self, line: str = "", style: str = "") -> None: ...


def run(argv: Sequence[str]) -> int:
    """Show the main job on what this machine says."""
    args = _parser().parse_args(argv)
    paint = _painter()
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="ctx-demo-") as folder:
        store = None if args.keep else str(Path(folder, "store.db"))
        with engines.open_engine(store) as engine:
            for number, scene in enumerate(_scenes(Path(folder)), 1):
                outcomes.append(_play(engine, number, scene, paint))
            counter = engine.config.counter
    return _sum_up(outcomes, counter, bool(args.keep), paint)


def _parser() -> Parser:
    parser = Parser("demo", __doc__ or "", EPILOG)
    parser.add_argument(
        "--keep", action="store_true", help="use your own archive and ledger"
    )
    return parser


def _scenes(folder: Path) -> Iterator[Scene]:
    """What can be run here."""
    library = sysconfig.get_paths()["stdlib"]
    yield _tests(folder)
    yield _build(folder)
    if shutil.which("grep"):
        places = [f"{library}/{name}" for name in ("asyncio", "email", "http", "json")]
        yield Scene(
            "a search",
            ("grep", "-rn", "--include=*.py", "raise ", *places),
            _hits,
            "hits",
        )
    if shutil.which("ls"):
        yield Scene(
            "a listing",
            ("ls", "-laR", library + "/email", library + "/multiprocessing"),
            _names,
            "file names",
        )
    yield Scene(
        "records",
        (sys.executable, "-c", _RECORDS),
        _values,
        "names in the records",
    )
    if shutil.which("git") and Path(".git").exists():
        yield Scene(
            "history",
            ("git", "--no-pager", "log", "--stat", "-n", "60"),
            _commits,
            "commits",
        )


def _tests(folder: Path) -> Scene:
    """A test run with two failures among many passes, written here and run."""
    suite = folder / "suite"
    suite.mkdir()
    (suite / "test_orders.py").write_text(_SUITE, "utf-8")
    argv = (sys.executable, "-m", "unittest", "discover", "-v", "-s", str(suite))
    return Scene("a failing test run", argv, lambda text: list(_FAILURES), "facts")


def _build(folder: Path) -> Scene:
    """Byte-compile many modules, one of which cannot be."""
    modules = folder / "modules"
    modules.mkdir()
    for number in range(120):
        (modules / f"part_{number:03}.py").write_text(f"NUMBER = {number}\n", "utf-8")
    (modules / "part_077.py").write_text("def broken(:\n    pass\n", "utf-8")
    argv = (sys.executable, "-m", "compileall", "-f", str(modules))
    facts = ["part_077.py", "def broken(:", "SyntaxError: invalid syntax"]
    return Scene("a failing build", argv, lambda text: facts, "facts")


def _play(engine: Engine, number: int, scene: Scene, paint: Painter) -> Outcome:
    """Run, shorten, show, bring back."""
    from ....model import Observation

    result = runner.run(scene.argv)
    data = result.stdout or result.stderr
    stream = "stdout" if result.stdout else "stderr"
    envelope = engine.observe(
        Observation(
            data=data,
            command=scene.argv,
            exit_code=result.exit_code,
            stream=stream,
        )
    )
    original = data.decode("utf-8", "replace")
    facts = list(dict.fromkeys(scene.facts(original)))
    missing = [fact for fact in facts if fact not in envelope.text]
    back = engine.restore(envelope)
    if envelope.handle:
        same = back == data == engine.expand(envelope.handle)
    else:
        same = back == data
    paint(f"{number}. {scene.title}", "title")
    paint(f"   $ {_command(scene.argv)}", "command")
    paint(f"   exit {result.exit_code}, {len(data)} bytes on {stream}")
    paint(f"   before  {_size(original)}, {envelope.tokens_raw} tokens", "head")
    _excerpt(original, _SHOWN_BEFORE, paint, "dim")
    paint(
        f"   after   {_size(envelope.text)}, {envelope.tokens_out} tokens: "
        f"{_saved(envelope)}",
        "head",
    )
    if not envelope.reason:
        _excerpt(envelope.text, _SHOWN_AFTER, paint, "")
    kept = len(facts) - len(missing)
    paint(
        f"   kept    {kept} of {len(facts)} {scene.called}",
        "good" if not missing else "bad",
    )
    for fact in missing[:5]:
        paint(f"           not in it: {fact[:_WIDTH]}", "bad")
    paint(
        f"   back    {_way(envelope)}: {len(back)} bytes, "
        + ("byte for byte what the command said" if same else "NOT THE SAME"),
        "good" if same else "bad",
    )
    paint()
    return Outcome(scene.title, envelope, same, len(missing))


def _sum_up(
    outcomes: Sequence[Outcome], counter: str, kept: bool, paint: Painter
) -> int:
    raw = sum(outcome.envelope.tokens_raw for outcome in outcomes)
    out = sum(outcome.envelope.tokens_out for outcome in outcomes)
    lost = sum(not outcome.same for outcome in outcomes)
    grew = sum(
        outcome.envelope.tokens_out > outcome.envelope.tokens_raw
        for outcome in outcomes
    )
    share = 100 * (raw - out) / raw if raw else 0.0
    paint(
        f"{len(outcomes)} outputs: {raw} -> {out} tokens ({counter}), "
        f"{share:.1f} % saved; {len(outcomes) - lost} of {len(outcomes)} came back "
        "byte for byte",
        "title" if not lost and not grew else "bad",
    )
    if kept:
        paint("try a handle from above with `ctx expand`, or see `ctx stats`")
    else:
        paint("next: ctx run -- COMMAND, or COMMAND | ctx pipe")
    return int(bool(lost or grew))


def _saved(envelope: Envelope) -> str:
    if envelope.reason:
        return f"as it was ({envelope.reason})"
    raw, out = envelope.tokens_raw, envelope.tokens_out
    how = envelope.transform or "canonical form"
    return f"{100 * (raw - out) / raw:.1f} % saved, {envelope.proof.value} by {how}"


def _way(envelope: Envelope) -> str:
    """How the original comes back."""
    if envelope.handle:
        return f"ctx expand {envelope.handle}"
    if envelope.reason:
        return "sent as it is"
    return "worked out from the text itself"


def _size(text: str) -> str:
    return f"{len(text.splitlines())} lines"


def _excerpt(text: str, limit: int, paint: Painter, style: str) -> None:
    """Head and tail of a text, framed so that it is not taken for ours."""
    lines = text.splitlines()
    tail = min(limit // 3, 6)
    shown: list[str | None] = list(lines)
    if len(lines) > limit + 1:
        shown = [*lines[: limit - tail], None, *lines[-tail:]]
    for line in shown:
        if line is None:
            paint(f"   ┊ ({len(lines) - limit} lines of it not shown here)", "dim")
            continue
        line = "".join(char if char.isprintable() else "·" for char in line)
        paint(
            f"   │ {line if len(line) <= _WIDTH else line[: _WIDTH - 1] + '…'}", style
        )


def _command(argv: Sequence[str]) -> str:
    import shlex

    words = [os.path.basename(argv[0]), *argv[1:]]
    return _short(shlex.join(words).replace("\n", " "))


def _short(line: str) -> str:
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"


def _hits(text: str) -> list[str]:
    """What stands behind ``path:line:`` in each hit."""
    return [line.split(":", 2)[2].strip() for line in text.splitlines() if ":" in line]


def _names(text: str) -> list[str]:
    rows = [line.split(None, 8) for line in text.splitlines()]
    return [row[8] for row in rows if len(row) == 9 and row[8] not in (".", "..")]


def _values(text: str) -> list[str]:
    return [str(row["name"]) for row in json.loads(text)]


def _commits(text: str) -> list[str]:
    return re.findall(r"(?m)^commit ([0-9a-f]{40})$", text)


def _painter() -> Painter:
    """Colour on a terminal, plain text otherwise."""
    if not sys.stdout.isatty():

        def plain(line: str = "", style: str = "") -> None:
            print(line)

        return plain
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)

    def colour(line: str = "", style: str = "") -> None:
        console.print(Text(line, style=_STYLES[style]), soft_wrap=True)

    return colour


_STYLES = {
    "": "",
    "title": "bold",
    "command": "cyan",
    "head": "bold blue",
    "dim": "dim",
    "good": "green",
    "bad": "bold red",
}

_RECORDS = """\
import json, pathlib, sysconfig
root = pathlib.Path(sysconfig.get_paths()["stdlib"])
print(json.dumps([
    {"name": path.name, "kind": "module", "language": "python",
     "bytes": path.stat().st_size, "lines": path.read_bytes().count(10),
     "executable": bool(path.stat().st_mode & 0o100)}
    for path in sorted(root.glob("*.py"))], indent=2))
"""

_SUITE = '''\
"""Orders of a shop that does not exist."""

import unittest


def total(prices, discount=0):
    return sum(prices) - discount


class TotalOfOrder(unittest.TestCase):
    def test_discount_never_makes_it_negative(self):
        self.assertEqual(total([5], discount=7), 0, "order 4711")

    def test_price_may_be_missing(self):
        self.assertEqual(total([5, None]), 5)


def passes(number):
    def test(self):
        self.assertEqual(total([number, 1]), number + 1)
    return test


for number in range(240):
    setattr(TotalOfOrder, f"test_sum_of_{number:03}_and_one", passes(number))
'''

_FAILURES = (
    "test_discount_never_makes_it_negative",
    "test_price_may_be_missing",
    "AssertionError: -2 != 0 : order 4711",
    "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'",
    'self.assertEqual(total([5], discount=7), 0, "order 4711")',
    "self.assertEqual(total([5, None]), 5)",
    "return sum(prices) - discount",
    "Ran 242 tests",
    "FAILED (failures=1, errors=1)",
)
