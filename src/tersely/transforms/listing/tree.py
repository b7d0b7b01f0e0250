"""Drawn trees: each level of branches becomes one space.

    .                          .
    ├── docs                    docs
    │   ├── api.md       ->      api.md
    │   └── index.md             index.md
    └── setup.py                setup.py

The branches follow from the levels of the lines below, so nothing is lost.
A drawn line that holds no entry (``│   [build-dependencies]`` of cargo) stays
as it is drawn; it ends the branches at its level. A line that is no entry and
begins with a space has a backslash before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...model import Change, Legend, Proof, Text
from ...text import lines as text_lines


@dataclass(frozen=True, slots=True)
class _Style:
    """How one family of tools draws.

    Attributes:
        how: its legend.
        down, blank: one level further left, with and without a line.
        mid, last: the branch to an entry; all of one length.
        mid_open, last_open: the same where the entry has entries below it.
    """

    how: str
    down: str
    blank: str
    mid: str
    last: str
    mid_open: str
    last_open: str

    @property
    def branches(self) -> tuple[str, ...]:
        return self.mid, self.last, self.mid_open, self.last_open


def _plain(how: str, down: str, blank: str, mid: str, last: str) -> _Style:
    return _Style(how, down, blank, mid, last, mid, last)


_HOW = "a space a level, as "

#: In the order in which they are tried; the first that draws every line wins.
STYLES = (
    _plain(_HOW + "tree", "│\u00a0\u00a0 ", "    ", "├── ", "└── "),
    _plain(_HOW + "cargo", "│   ", "    ", "├── ", "└── "),
    _Style(_HOW + "npm", "│ ", "  ", "├── ", "└── ", "├─┬ ", "└─┬ "),
    _plain(_HOW + "tree in ASCII", "|   ", "    ", "|-- ", "`-- "),
    _Style(_HOW + "npm in ASCII", "| ", "  ", "+-- ", "`-- ", "+-+ ", "`-+ "),
    _plain(_HOW + "yarn", "│  ", "   ", "├─ ", "└─ "),
    _plain(_HOW + "gradle", "|    ", "     ", "+--- ", "\\--- "),
    _plain(_HOW + "maven", "|  ", "   ", "+- ", "\\- "),
    _plain(_HOW + "systemd", "│ ", "  ", "├─", "└─"),
)

#: A longer line was not drawn by a tool that prints names (PATH_MAX, Linux).
_LONGEST_LINE = 4_096

#: Before a line that would be read as an entry and is none.
_WHOLE = "\\"

#: A line that starts with one of these is as it was.
_NO_ENTRY = (_WHOLE, "│", "├", "└", "|", "+", "`")


def reduce(text: Text) -> Change | None:
    """Return `text` with spaces for branches, None where it is no such tree."""
    if "\r" in text.ends or max(map(len, text.lines), default=0) > _LONGEST_LINE:
        return None
    raw = text.join()
    for style in _candidates(raw, len(text.lines)):
        if (new := _indent(text, style)) and _draw(new, style) == raw:
            legend = Legend(f"{len(text.lines)} entries", style.how)
            return Change(Proof.EXACT, text=new, legend=legend)
    return None


def inverse(new: str, legend: Legend) -> str:
    """Draw the branches again."""
    style = next(style for style in STYLES if style.how == legend.how)
    return _draw(new, style)


def _candidates(raw: str, lines: int) -> list[_Style]:
    """Styles that explain most of what is drawn, the best first.

    A branch must stand in every third line at least.
    """
    found: list[tuple[int, _Style]] = []
    for style in STYLES:
        drawn = sum(map(raw.count, set(style.branches)))
        if drawn > 2 and drawn * 3 > lines:
            found.append((drawn + raw.count(style.down), style))
    found.sort(key=lambda pair: -pair[0])
    return [style for _, style in found]


def _indent(text: Text, style: _Style) -> str | None:
    drawn = _drawn(style)
    step = len(style.down)
    out: list[str] = []
    for line, end in zip(text.lines, text.ends, strict=True):
        found = drawn.match(line)
        if found and found.group(2):
            name = line[found.end() :]
            if not name or name.startswith(" "):
                return None
            out.append(" " * (found.end(1) // step + 1) + name + end)
        elif line.startswith((" ", _WHOLE)):
            out.append(_WHOLE + line + end)
        else:
            out.append(line + end)
    return "".join(out)


def _drawn(style: _Style) -> re.Pattern[str]:
    """What is drawn before a name: steps, then perhaps a branch."""
    steps = "|".join(map(re.escape, (style.down, style.blank)))
    branches = "|".join(map(re.escape, style.branches))
    return re.compile(f"((?:{steps})*)({branches})?")


def _draw(new: str, style: _Style) -> str:
    text = text_lines.split(new)
    drawn = _drawn(style)
    step = len(style.down)
    names: list[str] = []
    levels: list[int | None] = []  # of entries; None is no entry
    stops: list[int] = []  # the level behind which a line ends all branches
    for line in text.lines:
        level = 0
        if line.startswith(_NO_ENTRY):
            line = line.removeprefix(_WHOLE)
            found = drawn.match(line)
            stops.append(found.end(1) // step if found else 0)
        else:
            level = len(line) - len(line.lstrip(" "))
            stops.append(level)
        levels.append(level or None)
        names.append(line[level:])
    entries = zip(_prefixes(levels, stops, style), names, text.ends, strict=True)
    return "".join([part for entry in entries for part in entry])


def _prefixes(
    levels: Sequence[int | None], stops: Sequence[int], style: _Style
) -> list[str]:
    """What stands before each name, worked out from the last line upwards."""
    out: list[str] = []
    # level - 1 -> what is drawn there for the lines above: `down` while another
    # entry of that level follows.
    steps: list[str] = []
    below = 0
    down, blank = style.down, style.blank
    for level, stop in zip(reversed(levels), reversed(stops), strict=True):
        if level is None:
            del steps[stop:]
            out.append("")
            below = 0
            continue
        if len(steps) < level:
            steps += [blank] * (level - len(steps))
        else:
            del steps[level:]
        has_more = steps[-1] is down
        if below > level:
            branch = style.mid_open if has_more else style.last_open
        else:
            branch = style.mid if has_more else style.last
        steps[-1] = branch
        out.append("".join(steps))
        steps[-1] = down
        below = level
    out.reverse()
    return out
