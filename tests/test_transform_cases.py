"""Every folder tests/cases/transforms/<id>/<case>/ is one test.

``input.txt`` is the text in canonical form, ``expected.txt`` the emission;
without it the transform has nothing to offer. ``case.toml`` says why, and may
give `must_keep` and the tables `params` and `facts`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tersely import transforms
from tersely.model import Change, ContentType, Facts, Text, Transform
from tersely.pipeline import emit, guard
from tersely.text import lines

CASES = Path(__file__).parent / "cases" / "transforms"
FOLDERS = sorted(path.parent for path in CASES.glob("*/*/input.txt"))
#: Stands in every golden: a real handle would change with the input.
HANDLE = "000000000000"
KEYS = {"why", "content_type", "source", "must_keep", "params", "facts"}

each_case = pytest.mark.parametrize(
    "folder", FOLDERS, ids=[f"{path.parent.name}/{path.name}" for path in FOLDERS]
)


def read(path: Path) -> str:
    """The text of a file, no line end converted."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


def read_case(folder: Path) -> dict[str, Any]:
    """case.toml."""
    return tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))


def run(folder: Path) -> tuple[Transform, Text, Change | None]:
    """Apply the transform of a case to its input."""
    case = read_case(folder)
    transform = transforms.load(folder.parent.name)
    text = lines.split(read(folder / "input.txt"))
    params = {**transform.defaults, "pins": (), **case.get("params", {})}
    facts = Facts(**case.get("facts", {}))
    return transform, text, transform.apply(text, params, facts)


def rendered(text: Text, change: Change) -> str:
    """The emission of one change."""
    handle = HANDLE if change.proof.lossy else None
    return emit.render([emit.Part(text, change)], handle)


@each_case
def test_case(folder: Path, update_goldens: bool) -> None:
    transform, text, change = run(folder)
    golden = folder / "expected.txt"
    if change is None:
        assert not golden.exists(), "comes back untouched: no expected.txt belongs here"
        return
    emission = rendered(text, change)

    # Before the golden, so that --update-goldens cannot bless a loss.
    assert guard.problem(text, change, transform=transform) is None
    lost = [keep for keep in must_keep(folder) if keep not in emission]
    assert [] == lost
    # An update never turns an untouched case into a changed one.
    assert golden.exists(), (
        "changed, but has no expected.txt; make an empty one and --update-goldens "
        f"if that is right:\n{emission}"
    )
    if update_goldens:
        golden.write_bytes(emission.encode("utf-8", "surrogateescape"))
    assert read(golden) == emission


@each_case
def test_case_says_why_what_and_where_from(folder: Path) -> None:
    case = read_case(folder)

    assert set() == case.keys() - KEYS
    assert case["why"] and case["source"]
    assert ContentType(case["content_type"])
    text = read(folder / "input.txt")
    assert [] == [keep for keep in must_keep(folder) if keep not in text]


def must_keep(folder: Path) -> list[str]:
    """Texts that must be in the emission."""
    keep: list[str] = read_case(folder).get("must_keep", [])
    return keep
