"""The manifest of an emission as JSON: numbers and names of its blocks, no content.

Fields that have their default are left out. `Block.warnings` are left out always:
they may quote the text.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from enum import Enum
from typing import Any

from ..model import Block, ContentType, Proof, Tier

_NAMES = [f.name for f in fields(Block) if f.name != "warnings"]
_DEFAULTS = {f.name: f.default for f in fields(Block) if f.default is not MISSING}


def dump(blocks: tuple[Block, ...]) -> str:
    """Write blocks as JSON; no blocks are the empty string."""
    if not blocks:
        return ""
    import json

    return json.dumps([_written(block) for block in blocks], separators=(",", ":"))


def load(text: str) -> tuple[Block, ...]:
    """Read blocks back.

    Blocks that another version wrote and this one cannot name are left out.
    """
    if not text:
        return ()
    import json

    found = [_read(written) for written in json.loads(text)]
    return tuple(block for block in found if block is not None)


def _written(block: Block) -> dict[str, Any]:
    values = {name: getattr(block, name) for name in _NAMES}
    return {
        name: value.value if isinstance(value, Enum) else value
        for name, value in values.items()
        if name not in _DEFAULTS or value != _DEFAULTS[name]
    }


def _read(written: dict[str, Any]) -> Block | None:
    try:
        values = written | {
            "content_type": ContentType(written["content_type"]),
            "proof": Proof(written["proof"]),
            "tier": Tier(written["tier"]),
            "reasons": tuple((why, n) for why, n in written.get("reasons", ())),
        }
        return Block(**values)
    except (KeyError, TypeError, ValueError):
        return None
