"""Parse JSON so that every lexeme can be written back as it stood.

A parsed document is a tree of

    str                 a string, as it stands between its quotes
    NUMBER + lexeme     a number, NaN or an infinity: ``NUMBER + "1.10"``
    True, False, None   the literals
    list                an array
    (keys, values)      an object: two tuples of one length, duplicates kept

so equal values are equal lexemes. Backslash escapes are stood in for by one
control character each (`guard` and `unguard`): such characters cannot stand in
valid JSON, and without backslashes a string ends at its next quote. The
scanner itself is the standard library's, in C.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

#: First character of a number lexeme in a parsed tree.
NUMBER = "\x04"

#: How `repr` writes it.
_NUMBER_REPR = repr(NUMBER)[1:-1]

#: Deepest nesting that is parsed; real documents stay under 40. The scanner
#: recurses, and how deep it may depends on who called us.
DEPTH_LIMIT = 120

_SPACE = re.compile(r"[ \t\r\n]*")
#: For `str.translate`: leaves brackets.
_BRACKETS = {code: None for code in range(128) if chr(code) not in "[]{}"}
_COORDINATES = re.compile(r"[\[\],0-9.eE+-]+")
#: Raw control characters: never valid, in a string or outside.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
#: What a backslash may not precede, once pairs and quotes are stood in for; at
#: the end of a text that is cut off it may precede half an escape.
_BAD_ESCAPE = re.compile(r"\\(?![/bfnrt]|u[0-9a-fA-F]{4}|(?:u[0-9a-fA-F]{0,3})?\Z)")
#: Starts of values, where one is expected and the text is cut off.
_STARTS = frozenset(
    word[:size]
    for word in ("true", "false", "null", "NaN", "-Infinity", "Infinity")
    for size in range(len(word))
)
#: Ends of half a number, where a comma is expected and the text is cut off.
_HALF_NUMBER = re.compile(r"(?:\.|[eE][+-]?)?")

Object: TypeAlias = tuple[tuple[str, ...], tuple["Json", ...]]
Json: TypeAlias = "str | bool | None | list[Json] | Object"

_EMPTY: Object = ((), ())


@dataclass(frozen=True, slots=True)
class Parsed:
    """The documents of one text.

    Attributes:
        docs: one tree each: one for plain JSON, many for JSON lines or for
            documents that stand back to back; none of a text that is cut off.
        canon: the text without white space outside strings, one document a
            line; ends in a line end where the text did.
        depth: how deep the brackets nest.
        cut_off: the text stops inside its only document.
    """

    docs: list[Json]
    canon: str
    depth: int
    cut_off: bool = False


def parse(text: str) -> Parsed | None:
    """Parse arrays and objects that stand one behind the other, or None.

    None for anything else, for a bare scalar and for nesting deeper than
    `DEPTH_LIMIT`. A byte order mark in front is dropped.
    """
    text = text.removeprefix("\ufeff")
    start = _space(text, 0)
    if text[start : start + 1] not in ("{", "["):
        return None
    safe = guard(text)
    if safe is None:
        return None
    parts = safe.split('"')
    inside = '"'.join(parts[1::2])
    if "\n" in inside or "\t" in inside or "\r" in inside:
        return None
    depth = _depth(parts)
    if depth > DEPTH_LIMIT:
        return None
    docs, cut_off = _scan(safe, start, closed=len(parts) % 2 == 1)
    if not docs and not cut_off:
        return None
    return Parsed(docs, _minified(safe, parts), depth, cut_off)


def canon(text: str) -> str:
    """Return JSON without white space outside strings, one document a line.

    What is no JSON comes back as something else that is none. Not one token
    is read: two documents meet where a closing bracket meets an opening one.
    """
    safe = guard(text.removeprefix("\ufeff"))
    return text if safe is None else _minified(safe, safe.split('"'))


def guard(text: str) -> str | None:
    """Stand a control character in for each escape; None if `text` holds one.

    ``\\\\`` becomes 1, ``\\"`` becomes 2 and any other backslash 3.
    """
    if _CONTROL.search(text):
        return None
    if "\\" not in text:
        return text
    safe = text.replace("\\\\", "\x01").replace('\\"', "\x02")
    if _BAD_ESCAPE.search(safe):
        return None
    return safe.replace("\\", "\x03")


def unguard(safe: str) -> str:
    """Undo `guard`."""
    if "\x03" in safe:
        safe = safe.replace("\x03", "\\")
    if "\x02" in safe:
        safe = safe.replace("\x02", '\\"')
    if "\x01" in safe:
        safe = safe.replace("\x01", "\\\\")
    return safe


def dumps(value: Json) -> str:
    """Write a tree as minified JSON, guarded like the tree."""
    out: list[str] = []
    _dump(value, out.append)
    return "".join(out)


def scalar(value: Json) -> str:
    """Write a string, number or literal as JSON."""
    if type(value) is str:
        return value[1:] if value[:1] == NUMBER else f'"{value}"'
    if value is None:
        return "null"
    return "true" if value else "false"


def scalars(values: list[Json]) -> str | None:
    """Write an array of scalars, or of numbers some levels down; else None.

    The quick way: rows and coordinates are most of some documents.
    """
    if not values:
        return "[]"
    if type(values[0]) is list:
        return _coordinates(values)
    kinds = set(map(type, values))
    if list in kinds or tuple in kinds:
        return None
    if kinds == {str}:
        joined = ",".join(values)  # type: ignore[arg-type]
        if joined.count(NUMBER) == len(values):
            return "[" + joined.replace(NUMBER, "") + "]"
    return "[" + ",".join([scalar(value) for value in values]) + "]"


def _coordinates(values: list[Json]) -> str | None:
    inner: Json = values
    # Few levels: where it fails, each level below is tried again.
    for _ in range(3):
        if type(inner) is list and inner and type(inner[0]) is list:
            inner = inner[0]
    if type(inner) is not list or not all(map(_is_number, inner)):
        return None
    text = repr(values)
    if text.count("'") != 2 * text.count("'" + _NUMBER_REPR):
        return None
    text = text.replace("'" + _NUMBER_REPR, "").replace("'", "").replace(" ", "")
    return text if _COORDINATES.fullmatch(text) else None


def _is_number(value: Json) -> bool:
    return type(value) is str and value[:1] == NUMBER


def _space(text: str, at: int) -> int:
    """Return where white space at `at` ends."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _depth(parts: list[str]) -> int:
    """How deep the text outside strings nests; stops behind `DEPTH_LIMIT`."""
    brackets = "".join(parts[::2]).translate(_BRACKETS)
    for depth in range(DEPTH_LIMIT + 1):
        shorter = brackets.replace("[]", "").replace("{}", "")
        if len(shorter) == len(brackets):
            # nothing closes: what is left is open, or it is not JSON
            return depth + len(shorter)
        brackets = shorter
    return DEPTH_LIMIT + 1


def _pairs(pairs: list[tuple[str, Json]]) -> Object:
    """Return keys and values; runs once an object, so in as few steps as can be."""
    return (*zip(*pairs, strict=False),) or _EMPTY  # type: ignore[return-value]


def _scan(safe: str, start: int, *, closed: bool) -> tuple[list[Json], bool]:
    """Return the trees, or none and whether the only document is cut off."""
    decoder = json.JSONDecoder(
        object_pairs_hook=_pairs,
        parse_int=NUMBER.__add__,
        parse_float=NUMBER.__add__,
        parse_constant=NUMBER.__add__,
        strict=False,
    )
    docs: list[Json] = []
    at, size = start, len(safe)
    while at < size:
        if safe[at] not in "[{":
            return [], False
        try:
            value, stop = decoder.raw_decode(safe, at)
        except json.JSONDecodeError as exc:
            return [], not docs and _cut_off(safe, exc, closed=closed)
        except RecursionError:
            return [], False
        docs.append(value)
        at = _space(safe, stop)
    return docs, False


def _cut_off(safe: str, exc: json.JSONDecodeError, *, closed: bool) -> bool:
    """Whether the scanner ran out of text, and did not meet something else."""
    if not closed:
        return exc.msg.startswith("Unterminated string")
    rest = safe[exc.pos : exc.pos + 40].strip(" \t\r\n")
    if safe[exc.pos :].strip(" \t\r\n") != rest:
        return False
    if exc.msg.startswith("Expecting value"):
        return rest in _STARTS
    if exc.msg.startswith("Expecting ',' delimiter"):
        return _HALF_NUMBER.fullmatch(rest) is not None
    return not rest


def _minified(safe: str, parts: list[str]) -> str:
    """Join `parts`, cut at quotes, without white space outside strings."""
    outside = '"'.join(parts[::2])
    for space in " \n\r\t":
        outside = outside.replace(space, "")
    for closing in "]}":
        for opening in "[{":
            outside = outside.replace(closing + opening, closing + "\n" + opening)
    if len(parts) > 1:
        parts = parts.copy()
        parts[::2] = outside.split('"')
        outside = unguard('"'.join(parts))
    return outside + "\n" if safe.endswith(("\n", "\r")) else outside


def _dump(value: Json, put: Callable[[str], None]) -> None:
    if type(value) is tuple:
        mark = "{"
        for key, item in zip(*value, strict=True):
            put(mark + '"' + key + '":')
            _dump(item, put)
            mark = ","
        put("{}" if mark == "{" else "}")
    elif type(value) is list:
        if (flat := scalars(value)) is not None:
            put(flat)
            return
        mark = "["
        for item in value:
            put(mark)
            _dump(item, put)
            mark = ","
        put("]")
    else:
        put(scalar(value))
