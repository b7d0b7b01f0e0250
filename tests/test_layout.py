"""The import contracts hold, and would not hold if somebody crossed a line."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

#: Module, a line added to it, and the import that a contract must name.
AGAINST_THE_GRAIN = [
    ("text/lines", "from ..pipeline import emit", "tersely.pipeline.emit"),
    ("transforms/identity", "from . import generic", "tersely.transforms.generic"),
    ("transforms/identity", "from ..config import Config", "tersely.config"),
    ("transforms/identity", "import random", "random"),
    ("model", "import sqlite3", "sqlite3"),
    ("text/lines", "import time", "time"),
    ("detect/__init__", "import os", "os"),
    ("pipeline/guard", "import pathlib", "pathlib"),
    ("pipeline/classify", "from ..store import Store", "tersely.store"),
    ("pipeline/emit", "from ..session import log", "tersely.session.log"),
    ("frontends/shim", "from .cli import main", "tersely.frontends.cli.main"),
]


def lint(folder: Path) -> tuple[int, str]:
    """Exit code and report of the import contracts of the checkout in `folder`."""
    done = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", "--no-logo"],
        cwd=folder,
        env={"PYTHONPATH": str(folder / "src"), "PATH": "", "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package and its contracts that a test may spoil."""
    shutil.copytree(ROOT / "src", tmp_path / "src")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_contracts_hold() -> None:
    code, report = lint(ROOT)

    assert 0 == code, report


def test_a_new_layer_or_frontend_fails_until_it_is_placed(copy: Path) -> None:
    (copy / "src/tersely/novelty.py").touch()
    (copy / "src/tersely/frontends/telegraph.py").touch()

    code, report = lint(copy)

    assert 1 == code
    assert [] == [name for name in ("novelty", "telegraph") if name not in report]


def test_every_import_against_the_grain_is_reported(copy: Path) -> None:
    package = copy / "src/tersely"
    (package / "session").mkdir(exist_ok=True)
    (package / "session/__init__.py").touch()
    (package / "session/log.py").touch()
    for importer, line, _ in AGAINST_THE_GRAIN:
        with (package / f"{importer}.py").open("a", encoding="utf-8") as out:
            out.write(f"\n{line}\n")

    code, report = lint(copy)

    assert 1 == code
    arrows = [
        f"tersely.{importer.replace('/', '.').removesuffix('.__init__')} -> {imported}"
        for importer, _, imported in AGAINST_THE_GRAIN
    ]
    assert [] == [arrow for arrow in arrows if arrow not in report], report


def test_the_engine_is_the_only_impure_part_of_the_pipeline() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    pure = next(
        contract
        for contract in contracts["tool"]["importlinter"]["contracts"]
        if contract["name"].startswith("Pure core")
    )

    exempt = {line.partition(" -> ")[0] for line in pure["ignore_imports"]}
    assert {"tersely.pipeline.run", "tersely.pipeline.deadline"} == exempt


def test_lock_file_holds_every_direct_dependency_and_names_no_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    locked = dict(re.findall(r"^([a-z0-9.-]+)==([^ ]+) ", lock, re.MULTILINE))
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]

    wrong = []
    for requirement in map(Requirement, asked):
        version = locked.get(canonicalize_name(requirement.name), "")
        if not version or version not in requirement.specifier:
            wrong.append(f"{requirement} is locked as {version!r}")
    assert [] == wrong
    assert [] == re.findall(r"://|--index-url|--find-links| @ |/home/", lock)
