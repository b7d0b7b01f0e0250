"""Write parsed JSON with the keys of like objects once, as tables.

The text stays JSON but for tables, which stand where an array or an object
stood and start with ``[(`` or ``{(``, which JSON never does:

    [(id,name,status:ok)        the keys of every row; a constant stands
    1,disk                      beside its key
    2,"a,b"
    3,net,status:failed         an exception, behind the cells of its row
    ]
    {(version,dev?)             an object of objects: key:cells
    left-pad:1.3.0,
    uuid:9.0.1,true
    }
    [(id,name),(1,disk)]        the same inside a row, which is one line

Keys between the brackets of a header:

    name            one cell
    name?           one cell, empty where a row has no such key
    name:CELL       constant, no cell
    name:?          no cell; absent unless a row ends with ``name:CELL``
    name{a,b}       an object whose cells stand in the row
    name(a,b)       one cell: ``(1,2)``, empty, or anything but such an object
    name[a,b]       one cell: an array, ``[(1,2),(3,4)]``, empty, or anything

A cell is JSON, but a string drops its quotes where it cannot be taken for
something else. An element that fits no row is written as JSON, ``{...}``.
`json_untable` takes all of it back to minified JSON.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from .json_lexer import NUMBER, Json, Object, scalar, scalars

#: What a bare string would be taken for.
LITERAL = (
    r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
    r"|true|false|null|NaN|-?Infinity)"
)

#: Stands in a column where a row has no such key; no tree holds it.
_MISSING = "\x05"
#: Arrays inside arrays that share a header; deeper, keys stay beside their
#: values. Chosen by hand, for readers who cannot count brackets.
ARRAYS_DEEP = 3
#: Cells of an inner object that may stand among those of its row; more keep
#: their brackets. Chosen by hand.
CELLS_FLAT = 6
#: Keys of one header; more would be a map, not a record.
_KEYS_LIMIT = 250
#: Characters that a table must save on keys.
_LEAST_GAIN = 24

_BARE = re.compile(rf'(?!{LITERAL}\Z)(?![?\s])[^,"()\[\]{{}}\x00-\x1f]+(?<!\s)')
_BARE_KEY = re.compile(r'[^\s,:?(){}\[\]"\x00-\x1f]+')
#: In a column of strings joined by line ends: one that may not be bare.
_ODD_CHAR = re.compile(r'[,"()\[\]{}\x00-\x09\x0b-\x1f]')
#: First characters of cells that may not be bare for another reason.
_ODD_FIRST = frozenset([*"-0123456789tfnNI? ", ""])

_keys_of = itemgetter(0)
_values_of = itemgetter(1)


class Tables:
    """Writes documents and counts the tables that it writes."""

    def __init__(self) -> None:
        self.count = 0

    def block(self, value: Json) -> str:
        """Write `value` as JSON with tables, one row a line."""
        return self._json(value, "\n", ARRAYS_DEEP)

    def rows(self, items: Sequence[Json]) -> str | None:
        """Write objects as a header and rows, a line each, or None."""
        return self._table(items, "\n", ARRAYS_DEEP)

    def _json(self, value: Json, between: str, deep: int) -> str:
        """Write `value` as JSON, with tables down to `deep` arrays.

        Args:
            between: the rows of a table: line ends or, inside a row, commas.
        """
        if type(value) is list:
            if (flat := scalars(value)) is not None:
                return flat
            if table := self._table(value, between, deep):
                return f"[{table}\n]" if between == "\n" else f"[{table}]"
            items = [self._json(item, between, deep) for item in value]
            return "[" + ",".join(items) + "]"
        if type(value) is tuple:
            if table := self._entries(value, between, deep):
                return f"{{{table}\n}}" if between == "\n" else f"{{{table}}}"
            pairs = [
                f'"{key}":{self._json(item, between, deep)}'
                for key, item in zip(*value, strict=True)
            ]
            return "{" + ",".join(pairs) + "}"
        return scalar(value)

    def _table(self, items: Sequence[Json], between: str, deep: int) -> str | None:
        if not deep or len(items) < 2 or set(map(type, items)) != {tuple}:
            return None
        objects: list[Object] = items  # type: ignore[assignment]
        shape = _Shape(objects)
        if shape.gain < _LEAST_GAIN:
            return None
        self.count += 1
        header, rows = self._tuples(objects, shape, deep)
        if between == "\n":
            rows = [_own_line(row) for row in rows]
        return f"({header}){between}" + between.join(rows)

    def _entries(self, value: Object, between: str, deep: int) -> str | None:
        """Write an object of like objects as header and entries, or None."""
        keys, values = value
        if not deep or len(keys) < 2 or set(map(type, values)) != {tuple}:
            return None
        objects: tuple[Object, ...] = values  # type: ignore[assignment]
        shape = _Shape(objects)
        if shape.gain < _LEAST_GAIN:
            return None
        self.count += 1
        header, rows = self._tuples(objects, shape, deep)
        if between == "\n":
            rows = [_own_line(row) for row in rows]
        rows = [f"{_key(key)}:{row}" for key, row in zip(keys, rows, strict=True)]
        return f"({header}){between}" + between.join(rows)

    def _tuples(
        self, objects: Sequence[Object], shape: _Shape, deep: int
    ) -> tuple[str, list[str]]:
        """Return the header and one ``(cells)`` or ``{JSON}`` for each object."""
        fitting = objects
        if shape.misfits:
            fitting = [item for item in objects if item[0] in shape.fits]
        row = _Row()
        header = self._fields(fitting, shape, row, deep, named=True)
        texts = [f"({text})" for text in row.texts(len(fitting))]
        if not shape.misfits:
            return header, texts
        left = iter(texts)
        return header, [
            next(left) if item[0] in shape.fits else self._json(item, ",", deep - 1)
            for item in objects
        ]

    def _fields(
        self,
        objects: Sequence[Object],
        shape: _Shape,
        row: _Row,
        deep: int,
        *,
        named: bool,
    ) -> str:
        """Put the cells of `objects` into `row` and return their header.

        Args:
            named: a row may name exceptions: ``key:CELL``.
        """
        columns = _columns(objects, shape)
        return ",".join(
            [
                self._field(key, column, row, deep, named=named and _nameable(key))
                for key, column in zip(shape.keys, columns, strict=True)
            ]
        )

    def _field(
        self, key: str, column: Sequence[Json], row: _Row, deep: int, *, named: bool
    ) -> str:
        name, size = _key(key), len(column)
        missing = column.count(_MISSING)
        if not missing:
            if column.count(column[0]) == size:
                return f"{name}:{self._cell(column[0], deep)}"
            if named and (at := _usual(column, key)) >= 0:
                self._name_others(key, column, column[at], row, deep)
                return f"{name}:{self._cell(column[at], deep)}"
        elif named and missing * 2 > size:
            self._name_others(key, column, _MISSING, row, deep)
            return f"{name}:?"
        kinds = set(map(type, column))
        if tuple in kinds:
            if field := self._object_field(key, column, kinds, row, deep, named=named):
                return field
        if list in kinds and deep:
            if field := self._array_field(name, column, row, deep - 1):
                return field
        row.columns.append(self._cells(column, kinds, deep))
        return f"{name}?" if missing else name

    def _name_others(
        self, key: str, column: Sequence[Json], usual: Json, row: _Row, deep: int
    ) -> None:
        for at, value in enumerate(column):
            if value != usual:
                row.except_(at, f"{key}:{self._cell(value, deep)}")

    def _object_field(
        self,
        key: str,
        column: Sequence[Json],
        kinds: set[type],
        row: _Row,
        deep: int,
        *,
        named: bool,
    ) -> str | None:
        objects: list[Object] = [item for item in column if type(item) is tuple]
        shape = _Shape(objects)
        if shape.gain <= 0:
            return None
        name = _key(key)
        if len(kinds) == 1 and not shape.misfits:
            below = _Row()
            header = self._fields(objects, shape, below, deep, named=named)
            if len(below.columns) <= CELLS_FLAT:
                row.take_in(below, key)
                return f"{name}{{{header}}}"
            texts = [f"({text})" for text in below.texts(len(objects))]
        else:
            header, texts = self._tuples(objects, shape, deep)
        if all(text == "()" for text in texts):
            return None
        left = iter(texts)
        row.columns.append(
            [next(left) if type(v) is tuple else self._cell(v, deep) for v in column]
        )
        return f"{name}({header})"

    def _array_field(
        self, name: str, column: Sequence[Json], row: _Row, deep: int
    ) -> str | None:
        arrays: list[list[Json]] = [item for item in column if type(item) is list]
        objects: list[Object] = [
            item for array in arrays for item in array if type(item) is tuple
        ]
        if len(objects) < 2:
            return None
        shape = _Shape(objects)
        if shape.gain <= 0:
            return None
        header, texts = self._tuples(objects, shape, deep)
        if all(text == "()" for text in texts):
            return None
        left = iter(texts)
        cells = []
        for value in column:
            if type(value) is list:
                items = [
                    next(left) if type(item) is tuple else self._json(item, ",", deep)
                    for item in value
                ]
                cells.append("[" + ",".join(items) + "]")
            else:
                cells.append(self._cell(value, deep))
        row.columns.append(cells)
        return f"{name}[{header}]"

    def _cells(self, column: Sequence[Json], kinds: set[type], deep: int) -> list[str]:
        if kinds == {str}:
            joined = "\n".join(column)  # type: ignore[arg-type]
            numbers = joined.count(NUMBER)
            if numbers == len(column):
                return joined.replace(NUMBER, "").split("\n")
            if not numbers and not _ODD_CHAR.search(joined):
                return _bare(column)  # type: ignore[arg-type]
        return [self._cell(value, deep) for value in column]

    def _cell(self, value: Json, deep: int) -> str:
        if type(value) is str:
            if value[:1] == NUMBER:
                return value[1:]
            if value == _MISSING:
                return ""
            return value if _BARE.fullmatch(value) else f'"{value}"'
        if value is None:
            return "null"
        if type(value) is bool:
            return "true" if value else "false"
        return self._json(value, ",", max(deep - 1, 0))


class _Row:
    """Columns of cells, and the exceptions that stand behind them."""

    __slots__ = ("columns", "exceptions")

    def __init__(self) -> None:
        self.columns: list[list[str]] = []
        self.exceptions: dict[int, list[str]] = {}

    def except_(self, at: int, text: str) -> None:
        """Put ``key:CELL`` behind the cells of row `at`."""
        self.exceptions.setdefault(at, []).append(text)

    def take_in(self, below: _Row, key: str) -> None:
        """Add the cells of an object that stands in this row."""
        self.columns += below.columns
        for at, texts in below.exceptions.items():
            for text in texts:
                self.except_(at, f"{key}.{text}")

    def texts(self, size: int) -> list[str]:
        """Return the rows, without brackets."""
        if not self.columns:
            rows = [""] * size
        elif len(self.columns) == 1:
            rows = self.columns[0]
        else:
            rows = [",".join(cells) for cells in zip(*self.columns, strict=True)]
        for at, texts in self.exceptions.items():
            rows[at] = ",".join([rows[at], *texts] if self.columns else texts)
        return rows


class _Shape:
    """The keys of like objects, in an order that all that fit keep.

    Attributes:
        keys: of all objects that fit, each once.
        fits: the key tuples that the header can hold.
        misfits: whether some object does not fit.
        alike: every object that fits has just `keys`.
        gain: characters that a header saves, about; 0 where that is too
            small a share of the keys to be worth reading columns for.
    """

    __slots__ = ("keys", "fits", "misfits", "alike", "gain")

    def __init__(self, objects: Sequence[Object]) -> None:
        shapes = Counter(map(_keys_of, objects))
        self.keys: list[str] = []
        self.fits: set[tuple[str, ...]] = set()
        known: Counter[str] = Counter()
        for shape, count in shapes.most_common():
            if len(set(shape)) < len(shape) or len(self.keys) > _KEYS_LIMIT:
                continue
            if self.fits and not _like(known, shape, count):
                continue
            if (merged := _merged(self.keys, shape)) is None:
                continue
            self.keys = merged
            self.fits.add(shape)
            for key in shape:
                known[key] += count
        self.misfits = len(self.fits) < len(shapes)
        self.alike = len(self.fits) == 1
        size = sum(shapes[shape] for shape in self.fits)
        total = sum(count * (len(key) + 3) for key, count in known.items())
        gain = sum(_key_gain(key, count, size) for key, count in known.items())
        self.gain = gain if gain * 3 >= total else 0


def _like(known: Counter[str], shape: tuple[str, ...], count: int) -> bool:
    """Whether rows of `shape` can stand under the keys that are `known`."""
    if known.keys().isdisjoint(shape):
        return False
    shared = sum(len(key) + 3 for key in shape if key in known)
    others = sum(len(key) + 3 for key in shape if key not in known)
    empty = len(known) - sum(key in known for key in shape)
    return shared > others and shared > empty * 2


def _key_gain(key: str, count: int, size: int) -> int:
    """Characters saved by one key that `count` of `size` rows have."""
    if count == size:
        return (count - 1) * (len(key) + 3)
    if count * 2 >= size:
        return (count - 1) * (len(key) + 3) - (size - count) * 2
    return count * 2 - len(key) - 3


def _merged(keys: list[str], shape: tuple[str, ...]) -> list[str] | None:
    """Return `keys` with those of `shape` put in; None if the orders differ."""
    place = {key: at for at, key in enumerate(keys)}
    out: list[str] = []
    done = 0
    for key in shape:
        at = place.get(key)
        if at is None:
            out.append(key)
            continue
        if at < done:
            return None
        out += keys[done : at + 1]
        done = at + 1
    return out + keys[done:]


def _columns(objects: Sequence[Object], shape: _Shape) -> list[Sequence[Json]]:
    if shape.alike:
        return list(zip(*map(_values_of, objects), strict=True))
    rows = [dict(zip(*item, strict=True)) for item in objects]
    return [[row.get(key, _MISSING) for row in rows] for key in shape.keys]


def _usual(column: Sequence[Json], key: str) -> int:
    """Return where the value stands that nearly all rows share, or -1.

    -1 too where naming the others costs more than it saves.
    """
    size = len(column)
    if size < 5:
        return -1
    for at in (0, size // 2, size - 1):
        others = size - column.count(column[at])
        if others * 5 <= size and others * (len(key) + 2) < (size - others) * 2:
            return at
    return -1


def _bare(column: Sequence[str]) -> list[str]:
    """Return cells of strings without odd characters, bare but for the odd one."""
    cells = list(column)
    for at, text in enumerate(column):
        if (text[:1] in _ODD_FIRST or text[-1:].isspace()) and not _BARE.fullmatch(
            text
        ):
            cells[at] = f'"{text}"'
    return cells


def _nameable(key: str) -> bool:
    """Whether a row can name `key`, alone and behind those of outer objects."""
    return "." not in key and _BARE_KEY.fullmatch(key) is not None


def _own_line(text: str) -> str:
    """Drop the brackets of a row that can be told without them."""
    inner = text[1:-1]
    return text if text[0] == "{" or inner[:1] in ("", "(", "{") else inner


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else f'"{key}"'
