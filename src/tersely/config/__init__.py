"""Every setting, its default and where it may come from.

Layers, later wins: built-in < user file < trusted project file < environment
``CTX_*`` < flags. Unknown keys and wrong types are refused with file and line.
The only package that reads the environment and settings files.
"""

from .layers import Loaded, config_dir, layers, load, store_location
from .schema import Archive, Budgets, Config, Gate, LineBudgets

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
    "store_location",
]
