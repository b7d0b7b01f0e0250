"""Whether a fact of an original can be read in its emission. Pure.

A fact is an exact string. It counts as kept when it stands there verbatim or
equal up to white space, or re-laid-out as our emissions do it: a search hit
``path:12:text`` as ``12:text`` below a heading with its path, a path as a name
below its folder, ``"text"`` without its quotes, ``"key": value`` pairs as values in
one row with their keys named, or beside their key.
"""

from __future__ import annotations

import re

_SPACE = re.compile(r"\s+")
_HIT = re.compile(r"([^:\n]+):(\d+):(?:\d+:)?(.*)", re.DOTALL)
_PAIR = re.compile(r'"((?:[^"\\]|\\.)+)"\s*:\s*("(?:[^"\\]|\\.)*"|[^,{}\[\]\s]+)')


def missing(wanted: list[str], text: str) -> list[str]:
    """Return those of `wanted` that cannot be read in `text`."""
    squeezed = _SPACE.sub("", text)
    return [fact for fact in wanted if not _kept(fact, text, squeezed)]


def _kept(fact: str, text: str, squeezed: str) -> bool:
    tight = _SPACE.sub("", fact)
    if fact in text or tight and tight in squeezed:
        return True
    if hit := _HIT.fullmatch(fact):
        path, number, rest = hit.groups()
        rest = rest.strip()
        return any(
            rest in line and re.search(rf"\b{number}\b", line)
            for line in _below(text, path)
        )
    if len(fact) > 2 and fact[0] == fact[-1] == '"' and fact[1:-1] in text:
        return True
    if pairs := _PAIR.findall(fact):
        return _row_kept(pairs, text)
    folder, slash, name = fact.rstrip("/").rpartition("/")
    if slash and folder and " " not in fact:
        return any(name in line for line in _below(text, folder))
    return False


def _row_kept(pairs: list[tuple[str, str]], text: str) -> bool:
    """Whether every key is named, and its value beside it or in one common row."""
    lines = text.splitlines()
    bare = [(key, value.strip('"')) for key, value in pairs]
    in_row = [
        value
        for key, value in bare
        if not any(key in line and value in line for line in lines)
    ]
    return all(key in text for key, _ in bare) and (
        not in_row or any(all(value in line for value in in_row) for line in lines)
    )


def _below(text: str, heading: str) -> list[str]:
    """The lines after the first that holds `heading`, with it."""
    at = text.find(heading)
    return [] if at < 0 else text[at:].splitlines()
