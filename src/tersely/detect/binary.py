"""Bytes that are no text: many NULs, control characters or undecodable bytes."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import ContentType
from .view import Evidence, View

#: Control characters that text may hold: tab, backspace, form feed, bell, escape.
_TEXT_CONTROLS = frozenset("\t\b\f\x07\x1b\r\n")
#: A bad line has more than this share of characters that cannot be text.
_SHARE = 0.1


def evidence(view: View) -> Iterator[Evidence]:
    """Claim BINARY when most of the sampled lines cannot be text.

    Lines, not characters: a log with a gap of NULs (a disk that filled up) has
    one bad line and is still a log.
    """
    bad = sum(1 for line in view.sample if _is_bad(line))
    if bad and 2 * bad >= len(view.sample):
        yield Evidence(ContentType.BINARY, "control_bytes", 0.99)


def _is_bad(line: str) -> bool:
    if line.isprintable():
        return "\ufffd" in line and line.count("\ufffd") > _SHARE * len(line)
    bad = sum(
        1
        for char in line
        if (char < " " and char not in _TEXT_CONTROLS)
        or "\udc80" <= char <= "\udcff"
        or char == "\ufffd"
    )
    return bad > _SHARE * len(line)
