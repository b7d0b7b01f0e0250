"""What a process may ask before it pays for the whole schema.

`ctx run` decides with this, while the child still runs, whether a short
output can pass without loading the engine (the schema, the model and the
engine cost more than most children run).
"""

from __future__ import annotations

import os
import sys

APP = "tersely"
FILE = "config.toml"

#: A text of at most so many lines and bytes is never touched (DESIGN 13.2).
SMALL_LINES = 5
SMALL_BYTES = 500

#: Variables of ours that are no settings: facts about who reads (DESIGN
#: section 7) and switches of subsystems.
FACTS = (
    "CTX_AGENT_PID",
    "CTX_CONVERSATION",
    "CTX_GUARD",
    "CTX_STDOUT",
    "CTX_TASK",
    "CTX_TASK_ID",
)
SWITCH = "CTX_NO_"

_ON = ("1", "true", "yes", "on")
_XDG = {
    "config": ("XDG_CONFIG_HOME", "~/.config"),
    "data": ("XDG_DATA_HOME", "~/.local/share"),
}


def switched_off() -> bool:
    """Whether the environment alone says that nothing is to be done."""
    environ = os.environ
    disabled = environ.get("CTX_DISABLE", "").strip().lower() in _ON
    return disabled or environ.get("CTX_MODE", "").strip() == "off"


def untouched() -> bool:
    """Whether no layer but the built-in one sets what a short text depends on."""
    for key, value in os.environ.items():
        if key.startswith("CTX_") and value and key not in FACTS:
            # a store is a place; it cannot make a short text a long one
            if key != "CTX_STORE" and not key.startswith(SWITCH):
                return False
    return not os.path.lexists(os.path.join(user_dir("config"), FILE))


def user_dir(kind: str) -> str:
    """The user's folder for our ``config`` or ``data``.

    As platformdirs says; its answer on Linux is two lines, and its import is
    dearer than all else that a short output needs.
    """
    if sys.platform == "linux":
        variable, default = _XDG[kind]
        base = os.environ.get(variable, "").strip()
        if not base or base.startswith("/"):
            return os.path.join(base or os.path.expanduser(default), APP)
    import platformdirs

    if kind == "config":
        return platformdirs.user_config_dir(APP, appauthor=False)
    return platformdirs.user_data_dir(APP, appauthor=False)
