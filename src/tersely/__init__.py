"""Shorter tool output for coding agents; whatever is left out can be brought back.

    from tersely import Engine, Observation

    with Engine.open() as engine:
        out = engine.observe(Observation(data=b"...", command="pytest -q", exit_code=1))
        out.text                # what the model reads
        engine.restore(out)     # the bytes that came in

Names load on first use: importing the package costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing costs more than `ctx --help`
if TYPE_CHECKING:
    from typing import Any

    from .config import Config
    from .detect import detect_content_type
    from .errors import TerselyError
    from .model import (
        ContentType,
        Detection,
        Envelope,
        Observation,
        Proof,
        Scope,
        Tier,
    )
    from .pipeline.classify import route
    from .pipeline.oneline import compress, expand
    from .pipeline.run import Engine, Stage, Trace

__version__ = "0.1.0"

__all__ = [
    "Config",
    "ContentType",
    "Detection",
    "Engine",
    "Envelope",
    "Observation",
    "Proof",
    "Scope",
    "Stage",
    "TerselyError",
    "Tier",
    "Trace",
    "compress",
    "detect_content_type",
    "expand",
    "route",
]

#: Name -> the module it is loaded from.
_HOME = {
    "Config": ".config",
    "ContentType": ".model",
    "Detection": ".model",
    "Engine": ".pipeline.run",
    "Envelope": ".model",
    "Observation": ".model",
    "Proof": ".model",
    "Scope": ".model",
    "Stage": ".pipeline.run",
    "TerselyError": ".errors",
    "Tier": ".model",
    "Trace": ".pipeline.run",
    "compress": ".pipeline.oneline",
    "detect_content_type": ".detect",
    "expand": ".pipeline.oneline",
    "route": ".pipeline.classify",
}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'tersely' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
