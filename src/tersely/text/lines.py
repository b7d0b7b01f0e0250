"""Split a text into lines and their own line ends, reversibly.

A line ends at LF, CR LF or a lone CR and nowhere else: form feeds, NEL and
U+2028 stay inside their line, as tools that count lines see them.
"""

from __future__ import annotations

import re

from ..model import Text

_END = re.compile(r"\r\n|\n|\r")


def split(text: str) -> Text:
    """Return `text` as lines; ``split(text).join() == text``."""
    if not text:
        return Text((), ())
    if "\r" not in text:
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
            return Text(tuple(lines), ("\n",) * len(lines))
        return Text(tuple(lines), ("\n",) * (len(lines) - 1) + ("",))
    ends = _END.findall(text)
    lines = _END.split(text)
    if lines[-1] == "":
        lines.pop()
    else:
        ends.append("")
    return Text(tuple(lines), tuple(ends))
