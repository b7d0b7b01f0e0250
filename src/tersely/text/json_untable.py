"""Take text with tables back to minified JSON: the inverse of `json_tables`.

Strings are masked first, so that every bracket, comma and quote that is left
is structure, and a string ends at its next quote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .json_lexer import guard, unguard
from .json_tables import LITERAL

_OPEN = re.compile(r"[\[{]\(")
_ROUND = re.compile(r"[()]")
_BRACKET = re.compile(r"[()\[\]{}]")
_IS_LITERAL = re.compile(LITERAL)
_KEY = re.compile(r'"[^"]*"|[^\s,:?(){}\[\]"\x00-\x0d]+')

#: Structure inside strings -> control characters that no valid text holds.
_MASKS = tuple((char, chr(0x10 + at)) for at, char in enumerate(",:()[]{}"))
#: A comma inside brackets, while the outer ones are looked for.
_INNER = "\x0f"


def untable(text: str) -> str:
    """Return minified JSON for a document that may hold tables.

    Raises:
        ValueError: `text` is not what `json_tables` writes.
    """
    return _restore(_document(_protect(text)))


def unrows(text: str) -> list[str]:
    """Return minified objects for a header line and rows without brackets.

    Raises:
        ValueError: `text` is not what `json_tables` writes.
    """
    safe = _protect(text)
    end = _closing(safe, 0, _ROUND)
    table = _Table(_fields(safe[1:end]))
    if safe[end + 1 : end + 2] != "\n":
        raise ValueError("a header line is missing")
    return [_restore(table.element(row)) for row in safe[end + 2 :].split("\n")]


def _protect(text: str) -> str:
    safe = guard(text)
    if safe is None:
        raise ValueError("raw control characters or a bad escape")
    parts = safe.split('"')
    if len(parts) % 2 == 0:
        raise ValueError("a string does not end")
    if len(parts) > 1:
        inside = '"'.join(parts[1::2])
        for char, code in _MASKS:
            inside = inside.replace(char, code)
        parts[1::2] = inside.split('"')
    return '"'.join(parts)


def _restore(safe: str) -> str:
    for char, code in _MASKS:
        safe = safe.replace(code, char)
    return unguard(safe)


def _document(safe: str) -> str:
    """Copy JSON, take back tables."""
    out: list[str] = []
    at = 0
    while found := _OPEN.search(safe, at):
        out.append(safe[at : found.start()])
        text, at = _table(safe, found.start())
        out.append(text)
    if not out:
        return safe
    out.append(safe[at:])
    return "".join(out)


def _table(safe: str, start: int) -> tuple[str, int]:
    """Return the JSON of the table at `start` and where the text goes on."""
    opening = safe[start]
    closing = "]" if opening == "[" else "}"
    header_end = _closing(safe, start + 1, _ROUND)
    table = _Table(_fields(safe[start + 2 : header_end]))
    after = safe[header_end + 1 : header_end + 2]
    if after == "\n":
        end = safe.find("\n" + closing, header_end + 1)
        if end < 0:
            raise ValueError("a table does not end")
        rows = safe[header_end + 2 : end].split("\n")
        end += 1
    elif after == ",":
        end = _closing(safe, start, _BRACKET)
        rows = _split(safe[header_end + 2 : end])
    else:
        raise ValueError("a table has no rows")
    if opening == "[":
        items = table.elements(rows)
    else:
        items = [table.entry(row) for row in rows]
    return opening + ",".join(items) + closing, end + 1


def _closing(safe: str, start: int, brackets: re.Pattern[str]) -> int:
    """Return where the bracket at `start` closes."""
    depth = 0
    for found in brackets.finditer(safe, start):
        depth += 1 if found.group() in "([{" else -1
        if depth == 0:
            return found.start()
    raise ValueError("a bracket does not close")


def _split(safe: str) -> list[str]:
    """Split at the commas outside brackets."""
    if not _BRACKET.search(safe):
        return safe.split(",")
    out: list[str] = []
    depth = start = 0
    for found in _BRACKET.finditer(safe):
        if found.group() in "([{":
            if depth == 0:
                out.append(safe[start : found.start()])
                start = found.start()
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                out.append(safe[start : found.end()].replace(",", _INNER))
                start = found.end()
    out.append(safe[start:])
    pieces = "".join(out).split(",")
    return [piece.replace(_INNER, ",") for piece in pieces]


@dataclass(frozen=True, slots=True)
class _Field:
    """One key of a header.

    Attributes:
        key: with its quotes and colon, as JSON.
        kind: ``cell``, ``constant``, ``absent``, ``object``, or the opening
            bracket of a cell with a header of its own: ``(`` or ``[``.
        optional: an empty cell means that the key is not there.
        text: JSON of a constant.
        below: fields of an object that stands in the row.
        table: reads a cell with a header of its own.
        path: names it among the exceptions of a row, empty if nothing can.
    """

    key: str
    kind: str
    optional: bool = False
    text: str = ""
    below: list[_Field] = field(default_factory=list)
    table: _Table | None = None
    path: str = ""


def _fields(header: str, path: str | None = "") -> list[_Field]:
    """Read a header without its brackets."""
    return [_field(text, path) for text in _split(header)]


def _field(text: str, path: str | None) -> _Field:
    found = _KEY.match(text)
    if not found:
        raise ValueError("a header has no key")
    name, rest = found.group(), text[found.end() :]
    key = name if name[0] == '"' else f'"{name}"'
    below = None if path is None or name[0] == '"' or "." in name else path + name
    key += ":"
    if rest == "":
        return _Field(key, "cell")
    if rest == "?":
        return _Field(key, "cell", optional=True)
    if rest == ":?":
        return _Field(key, "absent", path=below or "")
    if rest[0] == ":":
        return _Field(key, "constant", text=_value(rest[1:]), path=below or "")
    inner = rest[1:-1]
    if rest[0] == "{":
        prefix = None if below is None else below + "."
        return _Field(key, "object", below=_fields(inner, prefix))
    return _Field(key, rest[0], table=_Table(_fields(inner)))


def _value(cell: str) -> str:
    """Return the JSON of a cell without a header of its own."""
    first = cell[:1]
    if first == '"':
        return cell
    if first in "[{":
        return _document(cell)
    if _IS_LITERAL.fullmatch(cell):
        return cell
    return f'"{cell}"'


class _Memo(dict[str, str]):
    """JSON of the cells of one table; most values come more than once."""

    def __missing__(self, cell: str) -> str:
        self[cell] = value = _value(cell)
        return value


class _Table:
    """Reads rows under one header."""

    def __init__(self, fields: list[_Field]) -> None:
        self._fields = fields
        self._memo = _Memo()
        cells = list(_cells(fields))
        self._width = len(cells)
        self._optional = [
            at for at, item in enumerate(cells) if item.optional or item.table
        ]
        self._readers = [self._reader(item) for item in cells]
        #: One format for each set of cells that are empty.
        self._formats: dict[tuple[int, ...], str] = {}

    def _reader(self, item: _Field) -> Callable[[str], str]:
        if item.table is None:
            return self._memo.__getitem__
        return item.table.item if item.kind == "(" else item.table.array

    def elements(self, rows: list[str]) -> list[str]:
        return [self.element(row) for row in rows]

    def element(self, text: str) -> str:
        """Return the JSON of a row, with or without its brackets."""
        first = text[:1]
        if first == "{":
            return _document(text)
        if first == "(":
            text = text[1:-1]
        return self._object(text)

    def entry(self, text: str) -> str:
        """Return the JSON of ``key:row``."""
        found = _KEY.match(text)
        if not found or text[found.end() : found.end() + 1] != ":":
            raise ValueError("an entry has no key")
        key = found.group()
        if key[0] != '"':
            key = f'"{key}"'
        return f"{key}:{self.element(text[found.end() + 1 :])}"

    def item(self, cell: str) -> str:
        """Return the JSON of a cell under a header of its own."""
        if cell[:1] == "(":
            return self._object(cell[1:-1])
        return _value(cell)

    def array(self, cell: str) -> str:
        """Return the JSON of an array cell under a header of its own."""
        if cell[:1] != "[" or "(" not in cell:
            return _value(cell)
        return "[" + ",".join(map(self.item, _split(cell[1:-1]))) + "]"

    def _object(self, text: str) -> str:
        cells = _split(text) if text or self._width else []
        if len(cells) != self._width:
            return self._with_exceptions(cells)
        empty = tuple([at for at in self._optional if not cells[at]])
        form = self._formats.get(empty)
        if form is None:
            out: list[str] = []
            _form(self._fields, set(empty), 0, out)
            self._formats[empty] = form = "".join(out)
        readers = zip(self._readers, cells, strict=True)
        return form % tuple([read(cell) for read, cell in readers])

    def _with_exceptions(self, cells: list[str]) -> str:
        if len(cells) < self._width:
            raise ValueError("a row has too few cells")
        named: dict[str, str] = {}
        for cell in cells[self._width :]:
            path, colon, value = cell.partition(":")
            if not colon or not path:
                raise ValueError("a row has too many cells")
            named[path] = self._memo[value]
        return self._emit(self._fields, iter(cells), named)

    def _emit(
        self, fields: list[_Field], cells: Iterator[str], named: dict[str, str]
    ) -> str:
        out: list[str] = []
        for field_ in fields:
            kind = field_.kind
            if kind == "cell":
                cell = next(cells)
                if cell or not field_.optional:
                    out.append(field_.key + self._memo[cell])
            elif kind == "object":
                out.append(field_.key + self._emit(field_.below, cells, named))
            elif kind == "constant":
                out.append(field_.key + named.get(field_.path, field_.text))
            elif kind == "absent":
                if field_.path in named:
                    out.append(field_.key + named[field_.path])
            elif cell := next(cells):
                table = field_.table
                assert table is not None
                read = table.item if kind == "(" else table.array
                out.append(field_.key + read(cell))
        return "{" + ",".join(out) + "}"


def _cells(fields: list[_Field]) -> Iterator[_Field]:
    """Yield the fields that have a cell, in the order of the cells."""
    for item in fields:
        if item.kind == "object":
            yield from _cells(item.below)
        elif item.kind not in ("constant", "absent"):
            yield item


def _form(fields: list[_Field], empty: set[int], at: int, out: list[str]) -> int:
    """Write the format of rows without exceptions; return the next cell.

    A cell in `empty` is read and not written: ``%.0s``.
    """
    mark = "{"
    for item in fields:
        if item.kind == "absent":
            continue
        if at in empty and item.kind not in ("constant", "object"):
            out.append("%.0s")
            at += 1
            continue
        out.append(mark + item.key.replace("%", "%%"))
        mark = ","
        if item.kind == "constant":
            out.append(item.text.replace("%", "%%"))
        elif item.kind == "object":
            at = _form(item.below, empty, at, out)
        else:
            out.append("%s")
            at += 1
    out.append("{}" if mark == "{" else "}")
    return at
