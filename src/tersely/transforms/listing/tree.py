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

#: Before a line that would be read as an entry and is none.
_WHOLE = "\\"

#: A line that starts with one of these is as it was.
_DRAWN = ("│", "├", "└", "|", "+", "`")


def reduce(text: Text) -> Change | None:
    """Return `text` with spaces for branches, None where it is no such tree."""
    if "\r" in text.ends:
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
    out: list[str] = []
    for line, end in zip(text.lines, text.ends, strict=True):
        level, at, branch = _level(line, style)
        if branch:
            name = line[at:]
            if not name or name.startswith(" ") or level == 0:
                return None
            out.append(" " * level + name + end)
        elif line.startswith((" ", _WHOLE)):
            out.append(_WHOLE + line + end)
        else:
            out.append(line + end)
    return "".join(out)


def _level(line: str, style: _Style) -> tuple[int, int, bool]:
    """Level of a drawn line, where its name begins, and whether it is an entry."""
    step, at, level = len(style.down), 0, 0
    steps = (style.down, style.blank)
    while line.startswith(steps, at):
        at += step
        level += 1
    if line.startswith(style.branches, at):
        return level + 1, at + len(style.mid), True
    return level, at, False


def _draw(new: str, style: _Style) -> str:
    text = text_lines.split(new)
    names: list[str] = []
    levels: list[int | None] = []  # of entries; None is no entry
    stops: list[int] = []  # the level behind which a line ends all branches
    for line in text.lines:
        level = 0
        if line.startswith(_WHOLE):
            line = line[1:]
            stops.append(_level(line, style)[0])
        elif line.startswith(_DRAWN):
            stops.append(_level(line, style)[0])
        else:
            level = len(line) - len(line.lstrip(" "))
            stops.append(level)
        levels.append(level or None)
        names.append(line[level:])
    drawn = zip(_prefixes(levels, stops, style), names, text.ends, strict=True)
    return "".join([part for entry in drawn for part in entry])


def _prefixes(
    levels: Sequence[int | None], stops: Sequence[int], style: _Style
) -> list[str]:
    """What stands before each name, worked out from the last line upwards."""
    out: list[str] = []
    goes_on: list[bool] = []  # level - 1 -> whether an entry follows there
    below = 0
    for level, stop in zip(reversed(levels), reversed(stops), strict=True):
        if level is None:
            del goes_on[stop:]
            out.append("")
            below = 0
            continue
        while len(goes_on) < level:
            goes_on.append(False)
        del goes_on[level:]
        steps = [style.down if on else style.blank for on in goes_on[: level - 1]]
        has_more, has_below = goes_on[level - 1], below > level
        if has_below:
            branch = style.mid_open if has_more else style.last_open
        else:
            branch = style.mid if has_more else style.last
        out.append("".join(steps) + branch)
        goes_on[level - 1] = True
        below = level
    out.reverse()
    return out
