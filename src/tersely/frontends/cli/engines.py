"""Open the engine for one command, or see that none is needed."""

from __future__ import annotations

import os

from ...config import light

TYPE_CHECKING = False  # typing costs more than what a short output needs
if TYPE_CHECKING:
    from ...pipeline.run import Engine


def open_engine(store: str | None = None) -> Engine:
    """Return an engine over the user's store, or another.

    What the engine notes on its way goes to the ledger and to nobody's
    screen: our stderr is where a child's stderr goes.

    Raises:
        ConfigError: a layer of settings is wrong.
    """
    import logging

    from ... import Engine

    logging.getLogger("tersely").addHandler(logging.NullHandler())
    return Engine.open(store, frontend="cli", workspace=_folder())


def is_small(data: bytes) -> bool:
    """Whether `data` is surely passed on: no setting says otherwise."""
    if len(data) > light.SMALL_BYTES:
        return False
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n")
    return lines + (data[-1:] not in b"\r\n") <= light.SMALL_LINES and (
        not data or light.untouched()
    )


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""  # it was removed under us
