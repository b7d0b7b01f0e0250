"""Leave the text as it is.

Input:  text of a type whose transform a later release brings, or binary.
Output: nothing to offer; the observation goes out raw.
Keeps:  everything.
Drops:  nothing.
Params: none.
Cost:   none.
Source: own design.
"""

from __future__ import annotations

from ..model import Change, Facts, Params, Text, Transform


def apply(text: Text, params: Params, facts: Facts) -> Change | None:
    """Offer nothing."""
    return None


TRANSFORM = Transform(id="identity", version=1, apply=apply)
