"""The transforms table.

To add a transform: one module (or package) here, one row below, one folder of
cases under tests/cases/transforms/. Rows hold names only, so a process
imports just the module it runs.
"""

from __future__ import annotations

from importlib import import_module

from ..model import Transform

#: Module names below this package, sorted. The id is the module name.
ROWS: tuple[str, ...] = (
    "build_run",
    "diff",
    "generic",
    "identity",
    "json_document",
    "listing",
    "log_lines",
    "records",
    "search_hits",
)


def load(id: str) -> Transform:
    """Import and return one transform.

    Raises:
        KeyError: `id` is not in ROWS.
    """
    if id not in ROWS:
        raise KeyError(id)
    transform: Transform = import_module(f".{id}", __name__).TRANSFORM
    return transform
