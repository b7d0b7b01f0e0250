"""Every setting, its default and where it may come from.

Layers, later wins: built-in < user file < trusted project file < environment
``CTX_*`` < flags. Unknown keys and wrong types are refused with file and line.
The only package that reads the environment and settings files.

Names are imported on first use: `light` must cost nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing costs more than `light` may

if TYPE_CHECKING:
    from .schema import Archive, Budgets, Config, Gate, LineBudgets
    from .sources import Loaded, config_dir, layers, load

__all__ = [
    "Archive",
    "Budgets",
    "Config",
    "Gate",
    "LineBudgets",
    "Loaded",
    "config_dir",
    "layers",
    "load",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import schema, sources

    for source in (schema, sources):
        for public in __all__:
            if hasattr(source, public):
                globals()[public] = getattr(source, public)
    return globals()[name]
