"""Fixtures of the store tests: `make_store` runs a test on every backend."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store.backends import BACKENDS, Clock, MakeStore
from tersely.store import Store, open_store


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=BACKENDS)
def make_store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: Clock
) -> Iterator[MakeStore]:
    """Open an empty store on the backend in turn; closed after the test."""
    opened: list[Store] = []

    def make(**limits: Any) -> Store:
        assert not opened, "one store a test: :memory: cannot be opened twice"
        url = BACKENDS[request.param](tmp_path)
        opened.append(open_store(url, clock=clock, **limits))
        return opened[0]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a SQLite store may be made."""
    return tmp_path / "new" / "store.sqlite"


@pytest.fixture
def open_file(path: Path, clock: Clock) -> Iterator[MakeStore]:
    """Open `path` as often as wanted; all are closed after the test."""
    opened: list[Store] = []

    def make(**limits: Any) -> Store:
        opened.append(open_store(str(path), clock=clock, **limits))
        return opened[-1]

    yield make
    for store in opened:
        store.close()
