"""Read what linters and type checkers find: one line a finding, by rule.

``path:line:col: CODE text``, ``path:line: error: text  [rule]`` and eslint's
``  line:col  error  text  rule``. A thousand findings of one rule tell less
than one of a rare one: rows are ranked within their rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Fewer findings are shown as they are.
LEAST = 20

_CODE = re.compile(
    r"(?:.{1,300}?):\d+(?::\d+)?:? (?:\[?\w{1,10}\]?:? ?){0,2}?\[?([A-Z]{1,8}\d{1,6})\b"
)
_RULE = re.compile(
    r"(?:.{1,300}?):\d+(?::\d+)?:? (?:error|warning|note|style|info)\b"
    r".*?\[([\w./-]{2,60})\]\s*$"
)
_STYLISH = re.compile(r"\s+\d+:\d+\s+(?:error|warning)\s+.*?\s{2,}(\S{2,80})\s*$")


def ranks(lines: Sequence[str]) -> dict[int, int]:
    """Line -> it is the n-th finding of its rule, from 1; empty for few findings."""
    seen: dict[str, int] = {}
    out: dict[int, int] = {}
    for at, line in enumerate(lines):
        rule = _rule(line)
        if rule:
            seen[rule] = out[at] = seen.get(rule, 0) + 1
    return out if len(out) >= LEAST else {}


def _rule(line: str) -> str | None:
    if ":" not in line or len(line) > 2_000:
        return None
    found = _CODE.match(line)
    if not found and line.endswith("]"):
        found = _RULE.match(line)
    if not found and line.startswith(" "):
        found = _STYLISH.match(line)
    return found.group(1) if found else None
