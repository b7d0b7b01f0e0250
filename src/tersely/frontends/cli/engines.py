"""Open the engine for one command, or see that none is needed."""

from __future__ import annotations

import os

from ...config import light

TYPE_CHECKING = False  # typing costs more than what a short output needs
if TYPE_CHECKING:
    from logging import Logger

    from ...pipeline.run import Engine


def open_engine(store: str | None = None) -> Engine:
    """Return an engine over the user's store, or another.

    Raises:
        ConfigError: a layer of settings is wrong.
    """
    log()
    from ... import Engine

    return Engine.open(store, frontend="cli", workspace=_folder())


def log() -> Logger:
    """Our log, which is for whoever listens and on nobody's screen.

    What goes wrong on the way of a text stands in the ledger; our stderr is
    where a child's stderr goes.
    """
    import logging

    logger = logging.getLogger("tersely")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    return logger


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
