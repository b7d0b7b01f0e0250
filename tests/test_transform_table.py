"""Rules that every row of the transforms table and of the routes obeys."""

from __future__ import annotations

import inspect
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tersely import transforms
from tersely.model import ContentType, Facts, Proof, Text
from tersely.pipeline import classify, emit, guard
from tersely.text import lines

CASES = Path(__file__).parent / "cases" / "transforms"
HEADINGS = ("Input:", "Output:", "Keeps:", "Drops:", "Params:", "Cost:", "Source:")
each_row = pytest.mark.parametrize("id", transforms.ROWS)

#: Text that no tool prints in this order, and that parsers trip over.
ODD = ("", " ", "\x00", "\x1b[31m", "\udcff", "\ufeff", "é", "│", "=" * 90, "\x0c", "{")
FACTS = (
    Facts(),
    Facts(exit_code=0, command="pytest -q"),
    Facts(exit_code=1, command="cargo build", task="fix the build", signal="none"),
)


def noise(rnd: random.Random) -> str:
    """Lines of all cases, cut up, repeated and mixed with odd ones."""
    out: list[str] = []
    for _ in range(rnd.randrange(60)):
        line = rnd.choice(LINES)
        kind = rnd.randrange(8)
        if kind == 0:
            line = line[: rnd.randrange(len(line) + 1)]
        elif kind == 1:
            line = rnd.choice(ODD) + line
        elif kind == 2:
            line += rnd.choice((*ODD, " [×3]", " [~2 alike]", "[3 more lines]"))
        copies = rnd.randrange(2, 20) if kind == 3 else 1
        out += [line] * copies
    ends = rnd.choice(("\n", "\n", "\n", "\r\n", "\r"))
    return ends.join(out) + rnd.choice(("", ends))


def _pool() -> list[str]:
    texts = [
        path.read_bytes().decode("utf-8", "surrogateescape")
        for path in sorted(CASES.glob("*/*/input.txt"))
    ]
    return [line for text in texts for line in lines.split(text).lines] + list(ODD)


LINES = _pool()


@pytest.fixture
def hang_guard() -> Iterator[None]:
    """End the test when a transform does not come back, as on quadratic input."""

    def stop(number: int, frame: object) -> None:
        pytest.fail("does not come back: more than 20 s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def test_rows_modules_and_case_folders_are_the_same_sorted_list() -> None:
    here = Path(transforms.__file__).parent
    modules = {path.stem for path in here.glob("[!_]*.py")}
    packages = {path.parent.name for path in here.glob("[!_]*/__init__.py")}
    folders = [path.name for path in sorted(CASES.iterdir())]

    assert list(transforms.ROWS) == sorted(modules | packages) == folders


def test_every_content_type_has_exactly_one_transform_and_it_is_a_row() -> None:
    routed = [classify.route(content_type).id for content_type in ContentType]

    assert list(classify.ROUTES) == list(ContentType)
    assert routed == [classify.ROUTES[content_type] for content_type in ContentType]
    assert set() == set(routed) - set(transforms.ROWS)


@each_row
def test_row_matches_module(id: str) -> None:
    transform = transforms.load(id)

    assert id == transform.id
    assert transform.version >= 1


@each_row
def test_docstring_says_what_is_kept_and_dropped(id: str) -> None:
    doc = inspect.getdoc(import_module(f"tersely.transforms.{id}")) or ""

    assert [] == [heading for heading in HEADINGS if f"\n{heading} " not in doc]


@each_row
def test_docstring_names_every_param(id: str) -> None:
    module = import_module(f"tersely.transforms.{id}")
    doc = (inspect.getdoc(module) or "").partition("\nParams:")[2]

    assert [] == [name for name in transforms.load(id).defaults if name not in doc]


@each_row
def test_has_a_changing_and_an_untouched_case(id: str) -> None:
    changing = {(path / "expected.txt").exists() for path in (CASES / id).iterdir()}

    assert {False} if id == "identity" else {False, True} == changing


@each_row
def test_noise_does_not_raise_and_the_guard_finds_nothing(id: str) -> None:
    transform = transforms.load(id)
    rnd = random.Random(1)

    for _ in range(150):
        text = lines.split(noise(rnd))
        size = len(text.lines)
        pins = tuple(sorted({rnd.randrange(size) for _ in range(min(size, 3))}))
        params = {**transform.defaults, "pins": pins}
        for facts in FACTS:
            change = transform.apply(text, params, facts)
            if change is not None:
                wrong = guard.problem(text, change, transform=transform, pins=pins)
                assert wrong is None, text.join()


@each_row
def test_kept_folded_and_left_out_lines_are_all_lines(id: str) -> None:
    transform = transforms.load(id)
    params = {**transform.defaults, "pins": ()}

    for path in sorted((CASES / id).glob("*/input.txt")):
        text = lines.split(path.read_bytes().decode("utf-8", "surrogateescape"))
        change = transform.apply(text, params, Facts(exit_code=1))
        if change is None or change.text is not None:
            continue
        kept = len(emit.shown(len(text.lines), change))
        folded = sum(len(fold.others) for fold in change.folds)
        left_out, _ = emit.count_left_out([emit.Part(text, change)])
        assert len(text.lines) == kept + folded + left_out


@each_row
@pytest.mark.parametrize("exit_code", [0, 1, None])
def test_an_empty_text_and_one_line_are_left_alone(
    id: str, exit_code: int | None
) -> None:
    transform = transforms.load(id)
    params = {**transform.defaults, "pins": ()}

    for text in (Text((), ()), Text(("ok",), ("\n",)), Text(("ok",), ("",))):
        assert transform.apply(text, params, Facts(exit_code=exit_code)) is None


@each_row
@pytest.mark.parametrize(
    "unit",
    ["a", " ", "=", "[", '{"a":', "\\", "/x", "a:1:", "\t", "ab ", "é", "1.", '"'],
)
def test_one_line_of_100_kb_comes_back(id: str, unit: str, hang_guard: None) -> None:
    transform = transforms.load(id)
    params = {**transform.defaults, "pins": ()}
    long = unit * (100_000 // len(unit))
    text = lines.split(f"start\nerror: {long}\n{long}\nend\n")

    change = transform.apply(text, params, Facts(exit_code=1))

    wrong = change and guard.problem(text, change, transform=transform)
    assert wrong is None


@each_row
def test_lossless_changes_have_an_inverse_by_name(id: str) -> None:
    """Engines restore exact texts by the row, so the row must say how."""
    transform = transforms.load(id)
    params = {**transform.defaults, "pins": ()}

    for path in sorted((CASES / id).glob("*/input.txt")):
        text = lines.split(path.read_bytes().decode("utf-8", "surrogateescape"))
        change = transform.apply(text, params, Facts())
        if change is None or change.text is None or change.proof.lossy:
            continue
        assert transform.inverse is not None
        assert change.proof is Proof.EXACT or transform.canon is not None


ALL_CASES = """
import hashlib, sys
from pathlib import Path
from tersely import transforms
from tersely.model import Facts
from tersely.text import lines

digest = hashlib.sha256()
for path in sorted(Path(sys.argv[1]).glob("*/*/input.txt")):
    text = lines.split(path.read_bytes().decode("utf-8", "surrogateescape"))
    for id in transforms.ROWS:
        transform = transforms.load(id)
        params = {**transform.defaults, "pins": ()}
        change = transform.apply(text, params, Facts(exit_code=1, task="why"))
        digest.update(ascii(change).encode())
print(digest.hexdigest())
"""


def test_equal_input_gives_equal_changes_under_any_hash_seed_zone_and_locale() -> None:
    worlds = [("0", "UTC", "C"), ("1", "Asia/Tokyo", "C.UTF-8"), ("2", "EST5", "POSIX")]
    digests = set()
    for seed, zone, locale in worlds:
        world = {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale}
        done = subprocess.run(
            [sys.executable, "-c", ALL_CASES, str(CASES)],
            env={**os.environ, **world},
            capture_output=True,
            check=True,
        )
        digests.add(done.stdout)

    assert 1 == len(digests)
