"""Long listings: what most rows have in common is said once, on the first line.

    -rw-r--r-- 1 root root    21 Nov 30 19:59 CNAME
    -rw-r--r-- 1 root root  4484 Nov 30 19:59 api.md
    drwxr-xr-x 2 root root  4096 Nov 30 19:59 css
        ->
    -rw-r--r-- 1 root root # Nov 30 19:59 *
    21 CNAME
    4484 api.md
    drwxr-xr-x 2 root root 4096 Nov 30 19:59 css

``#`` stands for a word that begins with a digit, ``*`` for any word, the last
one for the rest of the row. A row that does not fit the first line is whole.
Names are never altered; the spaces that align columns are (the canonical form).

Source: the manual pages of coreutils ls, findutils, Info-ZIP, tar, procps,
systemctl, apt, dpkg and git (2026-11-30).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...model import Change, Legend, Proof, Text
from ...text import lines as text_lines
from ...text import paths


@dataclass(frozen=True, slots=True)
class _Shape:
    """The rows of one kind of listing.

    Attributes:
        row: one group a column, the last is the name. Anchored at its ends.
        joint: what stands before the last column in the canonical form.
        is_path: the name may have a folder that rows share.
        in_words: the last column is a word too, not the rest of the row.
        padded: blanks behind the last column only align.
    """

    row: re.Pattern[str]
    joint: str = " "
    is_path: bool = False
    in_words: bool = False
    padded: bool = False


_MODE = r"([-dlbcpsDC?][-rwxsStTlL]{9}[.+@]?)"
_SIZE = r"(\d+, +\d+|[\d.,]+[KMGTPE]?)"
_DAY = r"([A-Z]\w\w +\d{1,2}|\d{1,2} +[A-Z]\w\w|\d{4}-\d\d-\d\d)"
_TIME = r"(\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: [-+]\d{4})?|\d{4})"


#: In the order in which they are tried: the one that most rows match wins.
SHAPES = (
    # ls -l
    _Shape(
        re.compile(rf"{_MODE} +(\d+) +(\S+) +(\S+) +{_SIZE} +{_DAY} +{_TIME} (\S.*)")
    ),
    # ls -li, ls -ls
    _Shape(
        re.compile(
            rf" *{_SIZE} {_MODE} +(\d+) +(\S+) +(\S+) +{_SIZE} +{_DAY} +{_TIME} (\S.*)"
        )
    ),
    # find -ls
    _Shape(
        re.compile(
            rf" *(\d+) +(\d+) {_MODE} +(\d+) +(\S+) +(\S+) +{_SIZE}"
            rf" +{_DAY} +{_TIME} (\S.*)"
        ),
        is_path=True,
    ),
    # tar tv
    _Shape(
        re.compile(
            rf"{_MODE} ([^\s/]+/[^\s/]+) +(\d+) (\d{{4}}-\d\d-\d\d)"
            r" (\d\d:\d\d\S*) (\S.*)"
        ),
        is_path=True,
    ),
    # unzip -l
    _Shape(
        re.compile(r" *(\d+)  (\d{2,4}-\d\d-\d{2,4}) (\d\d:\d\d)   (\S.*)"),
        is_path=True,
    ),
    # unzip -v
    _Shape(
        re.compile(
            r" *(\d+)  (\S+) +(\d+) +(-?\d+%) (\d{2,4}-\d\d-\d{2,4}) (\d\d:\d\d)"
            r" ([0-9a-f]{8})  (\S.*)"
        ),
        is_path=True,
    ),
    # find -printf with size and day, in either order
    _Shape(re.compile(r"(\d+) (\d{4}-\d\d-\d\d) (\S.*)"), is_path=True),
    # aws s3 ls --recursive
    _Shape(
        re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) +(\d+) (\S.*)"),
        is_path=True,
    ),
    # git ls-tree -r, git ls-files -s
    _Shape(re.compile(r"(\d{6}) (\w+) ([0-9a-f]{40})\t(\S.*)"), "\t", is_path=True),
    _Shape(re.compile(r"(\d{6}) ([0-9a-f]{40}) (\d)\t(\S.*)"), "\t", is_path=True),
    # du
    _Shape(re.compile(r"([\d.,]+[KMGTPE]?)\t(\S.*)"), "\t", is_path=True),
    # ps aux
    _Shape(
        re.compile(
            r"(\S+) +(\d+) +([\d.]+) +([\d.]+) +(\d+) +(\d+) +(\S+) +(\S+) +(\S+)"
            r" +([\d:-]+) (\S.*)"
        )
    ),
    # ps -ef
    _Shape(
        re.compile(r"(\S+) +(\d+) +(\d+) +(\d+) +(\S+) +(\S+) +(\d\d:\d\d:\d\d) (\S.*)")
    ),
    # systemctl list-units
    _Shape(
        re.compile(
            r"(?:  )?((?:[●*○×] )?\S+\.\w+)"
            r" +(loaded|not-found|masked|error|bad-setting) +(\S+) +(\S+) +(\S.*)"
        ),
        padded=True,
    ),
    # systemctl list-unit-files
    _Shape(
        re.compile(
            r"(\S+\.\w+) +(enabled|disabled|static|masked|indirect|generated|alias"
            r"|transient|linked|enabled-runtime)(?: +(\S+))?"
        ),
        in_words=True,
        padded=True,
    ),
    # apt list
    _Shape(re.compile(r"([^\s/]+/\S+) (\S+) (\S+) (\[.*\])"), in_words=True),
    # dpkg -l
    _Shape(re.compile(r"([a-zA-Z]{2,3})  (\S+) +(\S+) +(\S+) +(\S.*)"), padded=True),
    # wc, sha256sum
    _Shape(re.compile(r" *(\d+) (\S.*)"), is_path=True),
    _Shape(re.compile(r"([0-9a-f]{32,128})  (\S.*)"), "  ", is_path=True),
)

_ROWS = "# and * are the words of a row"
_IN_FOLDERS = ", paths under their folder"
_ESCAPED = ", \\ is before a whole row"

#: Before a whole line that would be read as words for the first line.
_WHOLE = "\\"

#: Share of the remaining rows that must have a value before it is said once
#: (chosen by hand: the others are shown whole).
_SHARE = 0.5

_WORDS = re.compile(r"\d{1,3}|[^\W\d]+|[^\w\s]")


#: Lines that are looked at to tell the shape, and longest row that is parsed.
_SAMPLE = 80
_LONGEST_ROW = 2_000


@dataclass(frozen=True, slots=True)
class _Row:
    """A row in words; `words` are its columns but the last."""

    words: tuple[str, ...]
    name: str


@dataclass(frozen=True, slots=True)
class _Template:
    """The first line of the new text.

    Attributes:
        words: of the columns but the last; ``#`` and ``*`` are holes.
        joint: what stands before the last column.
        name: ``*``, or what all rows end with.
    """

    words: tuple[str, ...]
    joint: str
    name: str

    def line(self) -> str:
        return " ".join(self.words) + self.joint + self.name

    def row(self) -> re.Pattern[str]:
        """What a row that fits looks like, one group a hole."""
        holes = [_HOLES[word] for word in self.words if word in _HOLES]
        if self.name == "*":
            holes.append(r"(\S.*)")
        return re.compile(" ".join(holes))


_HOLES = {"#": r"(\d\S*)", "*": r"(\S+)"}


def reduce(text: Text) -> Change | None:
    """Return `text` with common words said once, or just without padding."""
    shape = _pick(text.lines)
    if shape is None or "\r" in text.ends:
        return None
    rows = [_parse(line, shape) for line in text.lines]
    plain = _canonical(text, rows, shape)
    raw = text.join()
    proof = Proof.EXACT if plain == raw else Proof.CANONICAL
    template = _template(rows, shape)
    entries = f"{len(rows) - rows.count(None)} entries"
    for folders in (True, False) if shape.is_path else (False,):
        filled = _fill_out(text, rows, template, shape, folders=folders)
        if filled is None:
            continue
        new, escaped = filled
        how = _ROWS + _IN_FOLDERS * folders + _ESCAPED * escaped
        legend = Legend(entries, how)
        if inverse(new, legend) == plain:
            return Change(proof, text=new, legend=legend)
    return Change(proof, text=plain) if plain != raw else None


def inverse(new: str, legend: Legend) -> str:
    """Give every row its common words again."""
    first, _, rest = new.partition("\n")
    text = text_lines.split(rest)
    folders = _IN_FOLDERS in legend.how
    escaped = _ESCAPED in legend.how
    parts = _parts(first)
    row = _read(first).row()
    mark = "/:" if any(line.endswith("/:") for line in text.lines) else "/"
    out: list[str] = []
    under = ""
    for line, end in zip(text.lines, text.ends, strict=True):
        if escaped and line.startswith(_WHOLE):
            out.append(line[1:] + end)
        elif folders and not line:
            under = ""
        elif folders and line.endswith(mark) and not row.fullmatch(line):
            under = line[: -len(mark)] + "/"
        elif found := row.fullmatch(line):
            values = list(found.groups())
            if under and "/" not in values[-1][:-1]:
                values[-1] = under + values[-1]
            out.append(_join(parts, values) + end)
        else:
            out.append(line + end)
    return "".join(out)


def canon(raw: str) -> str:
    """Rows with one space between columns; names and other lines as they are."""
    text = text_lines.split(raw)
    shape = _pick(text.lines)
    if shape is None:
        return raw
    return _canonical(text, [_parse(line, shape) for line in text.lines], shape)


def _pick(lines: Sequence[str]) -> _Shape | None:
    """The shape that most lines have, at least a third of those with text."""
    filled = [line for line in lines if line.strip()]
    sample = filled[:: max(1, len(filled) // _SAMPLE)]
    best, most = None, max(2, len(sample) // 3)
    for shape in SHAPES:
        count = sum(1 for line in sample if _parse(line, shape))
        if count > most:
            best, most = shape, count
    return best


def _parse(line: str, shape: _Shape) -> _Row | None:
    if len(line) > _LONGEST_ROW:
        return None
    found = shape.row.fullmatch(line.rstrip(" ") if shape.padded else line)
    if found is None:
        return None
    columns = found.groups("")
    words = tuple(" ".join(columns[:-1]).split(" "))
    return _Row(tuple(filter(None, words)), columns[-1])


def _canonical(text: Text, rows: Sequence[_Row | None], shape: _Shape) -> str:
    out: list[str] = []
    for line, end, row in zip(text.lines, text.ends, rows, strict=True):
        if row is not None:
            line = " ".join(row.words)
            line += shape.joint + row.name if row.name else ""
        out.append(line + end)
    return "".join(out)


def _template(rows: Sequence[_Row | None], shape: _Shape) -> _Template:
    """The words that most rows have in common, column by column."""
    width = Counter(len(row.words) for row in rows if row).most_common(1)[0][0]
    left = [(*row.words, row.name) for row in rows if row and len(row.words) == width]
    columns = list(range(width + 1 if shape.in_words else width))
    said: dict[int, str] = {}
    best: dict[int, str] = {}
    fitting, most = left, 0.0
    while columns:
        tops = {at: Counter(r[at] for r in left).most_common(1)[0] for at in columns}
        at = max(columns, key=lambda at: tops[at][1])
        value, count = tops[at]
        if count < len(left) * _SHARE or count < 2:
            break
        columns.remove(at)
        if value in _HOLES or not value:
            continue
        left = [row for row in left if row[at] == value]
        said[at] = value
        gain = count * sum(len(_WORDS.findall(value)) + 0.5 for value in said.values())
        if gain > most:
            best, fitting, most = dict(said), left, gain
    words = []
    for at in range(width):
        number = all(row[at][:1].isdecimal() for row in fitting)
        words.append(best.get(at) or ("#" if number else "*"))
    return _Template(tuple(words), shape.joint, best.get(width, "*"))


def _fill_out(
    text: Text,
    rows: Sequence[_Row | None],
    template: _Template,
    shape: _Shape,
    *,
    folders: bool,
) -> tuple[str, bool] | None:
    """The template, then what each row puts into its holes.

    Returns:
        The new text and whether a line had to be escaped; None where no row
        lies in a folder line that was asked for.
    """
    fits = template.row()
    entry_ends = any(row and row.name.endswith("/") for row in rows)
    mark = "/:" if entry_ends else "/"
    holes = [at for at, word in enumerate(template.words) if word in _HOLES]
    values = [_values(row, template, holes) for row in rows]
    out = [template.line() + "\n"]
    under = ""
    shared, escaped = 0, False
    for at, (line, end, row) in enumerate(
        zip(text.lines, text.ends, rows, strict=True)
    ):
        found = values[at]
        if found is None:
            if row is not None:
                line = " ".join(row.words)
                line += shape.joint + row.name if row.name else ""
            whole = line.startswith(_WHOLE) or fits.fullmatch(line)
            if whole or (folders and (not line or line.endswith(mark))):
                line = _WHOLE + line
                escaped = True
            out.append(line + end)
            continue
        if folders:
            folder, name = paths.split(found[-1])
            if folder != under and not folder:
                out.append("\n")
                under = ""
            elif folder != under and _same_folder(values, at + 1, folder):
                out.append(f"{folder[:-1]}{mark}\n")
                under = folder
                shared += 1
            if folder == under:
                found[-1] = name
        out.append(" ".join(found) + end)
    if folders and not shared:
        return None
    return "".join(out), escaped


def _same_folder(values: Sequence[list[str] | None], at: int, folder: str) -> bool:
    later = values[at] if at < len(values) else None
    return later is not None and paths.split(later[-1])[0] == folder


def _values(
    row: _Row | None, template: _Template, holes: Sequence[int]
) -> list[str] | None:
    """What `row` puts into the holes, None where it does not fit."""
    if row is None or len(row.words) != len(template.words):
        return None
    for word, said in zip(row.words, template.words, strict=True):
        if said == "#":
            if not word[:1].isdecimal():
                return None
        elif said != "*" and word != said:
            return None
    values = [row.words[at] for at in holes]
    if template.name == "*":
        return [*values, row.name] if row.name else None
    return values if row.name == template.name and values else None


def _read(line: str) -> _Template:
    """The template that `line` says."""
    for joint in ("\t", "  ", " "):
        words, found, name = line.rpartition(joint)
        if found and name == "*":
            return _Template(tuple(words.split(" ")), joint, name)
    return _Template(tuple(line.split(" ")), "", "")


def _parts(line: str) -> list[str]:
    """What stands between the holes of a template."""
    return re.split(r"(?<!\S)[#*](?!\S)", line)


def _join(parts: Sequence[str], values: Sequence[str]) -> str:
    out = [parts[0]]
    for value, part in zip(values, parts[1:], strict=True):
        out += (value, part)
    return "".join(out)
