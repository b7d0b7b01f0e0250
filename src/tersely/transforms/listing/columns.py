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
one for the rest of the row, ``^`` for a word that stands on a line of its own
above the rows that have it. A row that does not fit the first line is whole.
Names are never altered; the spaces that align columns are (the canonical form).

Source: the manual pages of coreutils ls, findutils, Info-ZIP, tar, procps,
systemctl, apt, dpkg, git, docker and kubectl (2026-11-30).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

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
_SPACE = r"(\d[\d.,]*[KMGTPE]?i?B?|-)"
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
    # git log --oneline with a day
    _Shape(re.compile(r"([0-9a-f]{7,40}) (\d{4}-\d\d-\d\d) (\S.*)")),
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
    # df, df -h, df -T
    _Shape(
        re.compile(
            rf"(\S+)(?: +([a-z][\w.]*))? +{_SPACE} +{_SPACE} +{_SPACE}"
            r" +(\d{1,3}%|-) +(/.*)"
        )
    ),
    # wc, sha256sum
    _Shape(re.compile(r" *(\d+) (\S.*)"), is_path=True),
    _Shape(re.compile(r"([0-9a-f]{32,128})  (\S.*)"), "  ", is_path=True),
)

#: A header of three columns or more, two blanks between them at least.
_HEADER = re.compile(r"[A-Z]\S*(?: \S+)*(?:  +[A-Z]\S*(?: \S+)*){2,} *")
_CELL = re.compile(r"\S+(?: \S+)*")
_CAPITALS = re.compile(r"[A-Z0-9()%/:_ -]+")
_LONGEST_HEADER = 400

#: A row: its columns but the last in words, and the last.
_Row = tuple[tuple[str, ...], str]

_ROWS = "# and * are the words of a row"
_IN_RUNS = ", ^ is the word above"
_IN_FOLDERS = ", paths under their folder"
_ESCAPED = ", \\ is before a whole row"

#: A folder that all names share is said on the first line where that makes the
#: text shorter than folder lines do, by this factor (chosen by hand: the names
#: are further from their folder then).
_CLEARLY = 0.9

#: Shortest such folder that is worth it.
_LONG_FOLDER = 12

#: A word is said once for a run of rows where runs are so long on average.
_RUN = 3

#: Before a whole line that would be read as words for the first line.
_WHOLE = "\\"

#: Share of the remaining rows that must have a value before it is said once
#: (chosen by hand: the others are shown whole).
_SHARE = 0.5

_WORDS = re.compile(r"\d{1,3}|[^\W\d]+|[^\w\s]")


#: Lines that are looked at to tell the shape; a shape that more of them have
#: than this share is taken without a look at the rest of the table.
_SAMPLE = 50
_PLAIN_SHARE = 0.8

#: Rows, spread evenly, whose words are counted.
_COUNTED = 300

#: Longest row that is parsed.
_LONGEST_ROW = 2_000

_HOLES = {"#": r"(\d\S*)", "*": r"(\S+)", "^": r"(\S+)"}


@dataclass(frozen=True, slots=True)
class _Template:
    """The first line of the new text.

    Attributes:
        words: of all columns but the last; ``#``, ``*`` and ``^`` are holes.
        joint: what stands before the last column.
        name: the last column: ``*`` for the rest of a row, perhaps behind a
            folder that all names have, or what all rows end with, or empty
            where all columns are words.
    """

    words: tuple[str, ...]
    joint: str
    name: str

    def line(self) -> str:
        """The template itself."""
        return " ".join(self.words) + self.joint + self.name

    @property
    def holes(self) -> list[str]:
        """The holes before the last column."""
        return [word for word in self.words if word in _HOLES]

    @property
    def run(self) -> int | None:
        """Which hole is filled by the word above, for a run of rows."""
        return self.holes.index("^") if "^" in self.holes else None

    def row(self) -> re.Pattern[str]:
        """What stands for a row that fits, one group a hole."""
        holes = [_HOLES[hole] for hole in self.holes if hole != "^"]
        if self.name.endswith("*"):
            holes.append(_REST)
        return re.compile(" ".join(holes))

    def whole(self) -> re.Pattern[str]:
        """A whole row that fits, one group a hole."""
        words = [_HOLES.get(word) or re.escape(word) for word in self.words]
        name = re.escape(self.name)
        if self.name.endswith("*"):
            name = re.escape(self.name[:-1]) + _REST
        return re.compile(" ".join(words) + re.escape(self.joint) + name)

    def form(self) -> str:
        """The template for ``%``."""
        words = [
            "%s" if word in _HOLES else word.replace("%", "%%") for word in self.words
        ]
        name = self.name.replace("%", "%%")
        if name.endswith("*"):
            name = name[:-1] + "%s"
        return " ".join(words) + self.joint + name


_REST = r"(\S.*)"


def reduce(text: Text) -> Change | None:
    """Return `text` with common words said once, or just without padding."""
    shape = _pick(text.lines)
    if shape is None or "\r" in text.ends:
        return None
    rows = [_parse(line, shape) for line in text.lines]
    lines = _canonical(text.lines, rows, shape)
    plain = Text(lines, text.ends)
    proof = Proof.EXACT if lines == text.lines else Proof.CANONICAL
    template = _with_run(_template(rows, shape), lines)
    best: Change | None = None
    for tried, folders in _layouts(template, lines, shape):
        filled = _fill_out(plain, tried, folders=folders)
        if filled and (
            best is None or len(filled[0]) < _CLEARLY * len(best.text or "")
        ):
            new, escaped = filled
            how = _ROWS + _IN_RUNS * ("^" in tried.words)
            how += _IN_FOLDERS * folders + _ESCAPED * escaped
            entries = f"{len(rows) - rows.count(None)} entries"
            best = Change(proof, text=new, legend=Legend(entries, how))
    if proof is Proof.CANONICAL:
        # Few rows in common: the columns as they are read better, for as much.
        new = plain.join()
        if best is None or len(best.text or "") > _CLEARLY * len(new):
            return Change(proof, text=new)
    return best


def inverse(new: str, legend: Legend) -> str:
    """Give every row its common words again."""
    first, _, rest = new.partition("\n")
    text = text_lines.split(rest)
    folders, escaped = _IN_FOLDERS in legend.how, _ESCAPED in legend.how
    template = _read(first)
    form = template.form()
    fullmatch = template.row().fullmatch
    run = template.run
    mark = "/:" if any(line.endswith("/:") for line in text.lines) else "/"
    out: list[str] = []
    under = above = ""
    for line, end in zip(text.lines, text.ends, strict=True):
        if escaped and line.startswith(_WHOLE):
            out.append(line[1:] + end)
        elif folders and not line:
            under = ""
        elif folders and line.endswith(mark):
            under = line[: -len(mark)] + "/"
        elif found := fullmatch(line):
            values = found.groups()
            if under and "/" not in values[-1][:-1]:
                values = (*values[:-1], under + values[-1])
            if run is not None:
                values = (*values[:run], above, *values[run:])
            out.append(form % values + end)
        elif run is not None and _is_word(line):
            above = line
        else:
            out.append(line + end)
    return "".join(out)


def canon(raw: str) -> str:
    """Rows with one space between columns; names and other lines as they are."""
    text = text_lines.split(raw)
    shape = _pick(text.lines)
    if shape is None:
        return raw
    rows = [_parse(line, shape) for line in text.lines]
    return Text(_canonical(text.lines, rows, shape), text.ends).join()


def _pick(lines: Sequence[str]) -> _Shape | None:
    """The shape that most lines have, at least a third of those with text."""
    filled = [line for line in lines if line and not line.isspace()]
    sample = filled[:: max(1, len(filled) // _SAMPLE)]
    best, most = None, max(2, len(sample) // 3)
    for shape in SHAPES:
        count = sum(1 for line in sample if _parse(line, shape))
        if count > most:
            best, most = shape, count
            if count > len(sample) * _PLAIN_SHARE:
                return best
    headed = _headed(filled)
    if headed and sum(1 for line in sample if _parse(line, headed)) > most:
        return headed
    return best


def _headed(filled: Sequence[str]) -> _Shape | None:
    """The shape of rows below a header in capitals, as docker and kubectl align.

    A row with an empty cell does not fit: without its blanks nothing would tell
    to which column a word belongs.
    """
    header = filled[0] if filled else ""
    if len(header) > _LONGEST_HEADER or not _CAPITALS.fullmatch(header):
        return None
    if not _HEADER.fullmatch(header):
        return None
    starts = [found.start() for found in _CELL.finditer(header)]
    cells = [rf"(\S.{{{b - a - 3}}})  " for a, b in pairwise(starts)]
    but_header = rf"(?!{re.escape(header)}$)"
    return _Shape(re.compile(but_header + "".join(cells) + r"(\S+(?: \S+)*) *"))


def _parse(line: str, shape: _Shape) -> _Row | None:
    if len(line) > _LONGEST_ROW:
        return None
    found = shape.row.fullmatch(line.rstrip(" ") if shape.padded else line)
    if found is None:
        return None
    *columns, name = found.groups("")
    return tuple(" ".join(columns).split()), name


def _canonical(
    lines: Sequence[str], rows: Sequence[_Row | None], shape: _Shape
) -> tuple[str, ...]:
    out: list[str] = []
    for line, row in zip(lines, rows, strict=True):
        if row is not None:
            words, name = row
            line = " ".join(words)
            if name:
                line += shape.joint + name
        out.append(line)
    return tuple(out)


def _template(rows: Sequence[_Row | None], shape: _Shape) -> _Template:
    """The words that most rows have in common, column by column."""
    parsed = [row for row in rows if row]
    parsed = parsed[:: max(1, len(parsed) // _COUNTED)]
    width = Counter(len(words) for words, _ in parsed).most_common(1)[0][0]
    left = [(*words, name) for words, name in parsed if len(words) == width]
    open_columns = list(range(width + 1 if shape.in_words else width))
    said: dict[int, str] = {}
    best: dict[int, str] = {}
    fitting, most, cost = left, 0.0, 0.0
    while open_columns:
        columns = list(zip(*left, strict=True))
        tops = {at: Counter(columns[at]).most_common(1)[0] for at in open_columns}
        at = max(open_columns, key=lambda at: tops[at][1])
        value, count = tops[at]
        if count < len(left) * _SHARE or count < 2:
            break
        open_columns.remove(at)
        if value in _HOLES or not value:
            continue
        if count < len(left):
            left = [row for row in left if row[at] == value]
        said[at] = value
        cost += len(_WORDS.findall(value)) + 0.5
        if count * cost > most:
            best, fitting, most = dict(said), left, count * cost
    words = []
    for at in range(width):
        number = all(row[at][:1].isdecimal() for row in fitting)
        words.append(best.get(at) or ("#" if number else "*"))
    return _Template(tuple(words), shape.joint, best.get(width, "*"))


def _with_run(template: _Template, lines: Sequence[str]) -> _Template:
    """`template` with the hole that rows in a row fill alike, if there is one."""
    fits = template.whole().fullmatch
    rows = [found.groups() for line in lines if (found := fits(line))]
    places = [at for at, word in enumerate(template.words) if word in _HOLES]
    # Two holes must stay: a line of one word is the word of a run.
    if len(places) + template.name.endswith("*") < 3 or not rows:
        return template
    best, most = None, 0.0
    for hole, place in enumerate(places):
        values = [row[hole] for row in rows]
        runs = 1 + sum(1 for a, b in pairwise(values) if a != b)
        saved = (len(values) - runs) * len(_WORDS.findall(values[0]))
        usable = not any(value.endswith(("/", "/:")) for value in values)
        if runs * _RUN <= len(values) and saved > most and usable:
            best, most = place, saved
    if best is None:
        return template
    return replace(
        template, words=(*template.words[:best], "^", *template.words[best + 1 :])
    )


def _layouts(
    template: _Template, lines: Sequence[str], shape: _Shape
) -> list[tuple[_Template, bool]]:
    """Templates to try, and whether names stand under folder lines."""
    if not shape.is_path:
        return [(template, False)]
    out = [(template, True), (template, False)]
    fits = template.whole().fullmatch
    names = [found.groups()[-1] for line in lines if (found := fits(line))]
    if names and template.name == "*":
        folder = _shared(min(names), max(names))
        if len(folder) >= _LONG_FOLDER and not set(folder) & {"#", "*", "^"}:
            out[1] = (replace(template, name=folder + "*"), False)
    return out


def _shared(first: str, last: str) -> str:
    """The folder that two paths, and all that sort between them, begin with."""
    size = 0
    for a, b in zip(first, last, strict=False):
        if a != b:
            break
        size += 1
    return first[: first.rfind("/", 0, size) + 1]


def _is_word(line: str) -> bool:
    return bool(line) and line.split() == [line]


def _fill_out(
    text: Text, template: _Template, *, folders: bool
) -> tuple[str, bool] | None:
    """The template, then what each row puts into its holes.

    Args:
        text: in canonical form.
        folders: whether names are to stand under their folder.

    Returns:
        The new text and whether a line had to be escaped; None where folders
        were asked for and no two rows in a row share one.
    """
    is_row, fits = template.row().fullmatch, template.whole().fullmatch
    rows = [fits(line) for line in text.lines]
    mark = "/:" if any(line.endswith("/") for line in text.lines) else "/"
    if folders and any(row and row.string.endswith(mark) for row in rows):
        return None
    out = [template.line() + "\n"]
    under = above = ""
    run = template.run
    shared, escaped = 0, False
    for at, (line, end, row) in enumerate(
        zip(text.lines, text.ends, rows, strict=True)
    ):
        if row is None:
            like_row = line.startswith(_WHOLE) or is_row(line) is not None
            like_word = run is not None and _is_word(line)
            like_folder = folders and (not line or line.endswith(mark))
            if like_row or like_word or like_folder:
                line = _WHOLE + line
                escaped = True
            out.append(line + end)
            continue
        *words, name = row.groups()
        if run is not None:
            if words[run] != above:
                above = words[run]
                out.append(above + "\n")
            del words[run]
        if folders:
            folder, base = paths.split(name)
            if folder != under and not folder:
                out.append("\n")
                under = ""
            elif folder != under and _is_in(folder, rows[at + 1 : at + 2]):
                out.append(f"{folder[:-1]}{mark}\n")
                under = folder
                shared += 1
            if folder == under:
                name = base
        out.append(" ".join([*words, name]) + end)
    if folders and not shared:
        return None
    return "".join(out), escaped


def _is_in(folder: str, later: Sequence[re.Match[str] | None]) -> bool:
    """Whether the next row lies in `folder` too."""
    return any(row and paths.split(row.groups()[-1])[0] == folder for row in later)


def _read(line: str) -> _Template:
    """The template that `line` says."""
    for joint in ("\t", "  ", " "):
        words, found, name = line.rpartition(joint)
        if found and (name == "*" or name.endswith("/*")):
            return _Template(tuple(words.split(" ")), joint, name)
    return _Template(tuple(line.split(" ")), "", "")
