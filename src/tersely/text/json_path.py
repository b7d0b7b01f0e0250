"""Look up one place in JSON and return it as it is written in the source.

Paths: ``$.a.b[0]``, ``a.b[0]``, ``a["odd.key"]``, ``items[*].name``, ``$``.
An index may be negative; a key that is there twice is the last one, as
parsers read it. Of several documents ``[0]`` is the first.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from .json_lexer import NUMBER, Json, dumps, parse, unguard

_STEP = re.compile(
    r"\.?\[(?:(?P<all>\*)|(?P<index>-?[0-9]{1,9})"
    r"|(?P<quote>[\"'])(?P<quoted>(?:[^\"'\\]|\\.|(?!(?P=quote))[\"'])*)(?P=quote))\]"
    r"|\.?(?P<star>\*)(?=[.\[]|\Z)|\.?(?P<key>[^.\[\]\"'\s][^.\[\]]*)"
)
#: Keys that an error names.
_KEYS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class _All:
    """Step to every element or value."""


_Step = str | int | _All


def select(text: str, path: str) -> str:
    """Return what stands at `path` in `text`, minified, lexemes kept.

    Several matches of ``[*]`` stand one a line; elements that have no such
    key are passed over unless none has it.

    Raises:
        ValueError: no JSON, a bad path, or nothing there; one line that names
            the key and what keys there are instead.
    """
    steps = _steps(path)
    parsed = parse(text)
    if parsed is None:
        raise ValueError("not JSON: --json-path needs a JSON document")
    if parsed.cut_off:
        raise ValueError("JSON is cut off: nothing can be looked up in it")
    whole: Json = parsed.docs[0] if len(parsed.docs) == 1 else parsed.docs
    found = [("$", whole)]
    for step in steps:
        found = _walk(found, step)
    return "\n".join([unguard(dumps(value)) for _, value in found])


def _steps(path: str) -> list[_Step]:
    asked = path.strip()
    at = 1 if asked.startswith("$") else 0
    steps: list[_Step] = []
    while at < len(asked):
        found = _STEP.match(asked, at)
        first = at == 0
        if not found or (not first and found.group("key") and asked[at] != "."):
            raise ValueError(f"bad JSON path at character {at + 1}: {path!r}")
        if found.group("all") or found.group("star"):
            steps.append(_All())
        elif found.group("index"):
            steps.append(int(found.group("index")))
        elif found.group("quote"):
            steps.append(re.sub(r"\\(.)", r"\1", found.group("quoted")))
        else:
            steps.append(found.group("key"))
        at = found.end()
    return steps


def _walk(found: list[tuple[str, Json]], step: _Step) -> list[tuple[str, Json]]:
    """Take one step from every place; behind ``[*]`` some may have no such key."""
    out: list[tuple[str, Json]] = []
    missing: ValueError | None = None
    for at, value in found:
        try:
            out += _down(at, value, step)
        except ValueError as exc:
            missing = missing or exc
    if missing and not out:
        raise missing
    return out


def _down(at: str, value: Json, step: _Step) -> list[tuple[str, Json]]:
    """Return what `step` leads to from the value at path `at`."""
    if isinstance(step, _All):
        return _all(at, value)
    if isinstance(step, int):
        if type(value) is not list:
            raise ValueError(f"{at} is {_kind(value)}, so [{step}] is not there")
        if not -len(value) <= step < len(value):
            raise ValueError(f"{at}[{step}] is not there: {_size(value)}")
        return [(f"{at}[{step}]", value[step])]
    if type(value) is not tuple:
        raise ValueError(f"{at} is {_kind(value)}, so {step!r} is not there")
    for key, below in zip(reversed(value[0]), reversed(value[1]), strict=True):
        if _plain(key) == step:
            return [(f"{at}.{step}", below)]
    raise ValueError(f"{at} has no key {step!r}; {_keys(value[0])}")


def _all(at: str, value: Json) -> list[tuple[str, Json]]:
    if type(value) is list:
        return [(f"{at}[{index}]", item) for index, item in enumerate(value)]
    if type(value) is tuple:
        pairs = zip(*value, strict=True)
        return [(f"{at}.{_plain(key)}", item) for key, item in pairs]
    raise ValueError(f"{at} is {_kind(value)}, so [*] is not there")


def _plain(key: str) -> str:
    """Return a key without escapes."""
    if not any(char in key for char in "\x01\x02\x03"):
        return key
    plain = json.loads(f'"{unguard(key)}"')
    return plain if isinstance(plain, str) else key


def _kind(value: Json) -> str:
    if type(value) is list:
        return f"an array ({_size(value)})"
    if type(value) is tuple:
        return f"an object ({_keys(value[0])})"
    if type(value) is str:
        return "a number" if value[:1] == NUMBER else "a string"
    return "null" if value is None else "a boolean"


def _size(value: list[Json]) -> str:
    return f"{len(value)} element{'' if len(value) == 1 else 's'}"


def _keys(keys: tuple[str, ...]) -> str:
    if not keys:
        return "no keys"
    names = list(dict.fromkeys(map(_plain, keys)))
    shown = ", ".join(names[:_KEYS_SHOWN])
    more = len(names) - _KEYS_SHOWN
    line = f"keys: {shown}" + (f" and {more} more" if more > 0 else "")
    return line.replace("\n", " ").replace("\r", " ")
