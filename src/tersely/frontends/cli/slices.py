"""Take a part of an original: line ranges, matches, head, tail, a JSON value.

Pure. Lines are the engine's (LF, CR LF and lone CR end one) and keep their
ends, so that what comes out stands in the original byte for byte; numbers are
those of the original, from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import TerselyError, UsageError
from ...text import decode, lines


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines are asked for, in the order in which it is applied.

    Attributes:
        ranges: first and last line, 1-based, inclusive; empty means all.
        grep: a regular expression that a line must contain.
        context: lines around each match.
        head, tail: so many of what is left.
        numbers: put its number before each line.
    """

    ranges: tuple[tuple[int, int], ...] = ()
    grep: str | None = None
    context: int = 0
    head: int | None = None
    tail: int | None = None
    numbers: bool = False

    @property
    def everything(self) -> bool:
        """Whether the original is wanted as it is."""
        return self == Wanted()


def ranges(text: str) -> tuple[tuple[int, int], ...]:
    """Read ``10-20,31,40-``; an open end is the last line.

    Raises:
        ValueError: it is no list of ranges.
    """
    found = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        start = int(first or 1)
        stop = int(last or 1 << 62) if dash else start
        if start < 1 or stop < start or not (first or last):
            raise ValueError(part)
        found.append((start, stop))
    return tuple(found)


def cut(data: bytes, wanted: Wanted) -> bytes:
    """Return the wanted lines of `data`.

    Raises:
        UsageError: the pattern is none, or a range begins behind the last line.
        TerselyError: no line matches.
    """
    if wanted.everything:
        return data
    text, encoding = decode.decode(data)
    split = lines.split(text)
    size = len(split.lines)
    chosen = _in_ranges(size, wanted.ranges)
    hits: set[int] = set()
    if wanted.grep is not None:
        hits = _matches(split.lines, chosen, wanted.grep)
        if not hits:
            raise TerselyError(f"no line of {len(chosen)} matches {wanted.grep!r}")
        chosen = _around(chosen, hits, wanted.context)
    if wanted.head is not None:
        chosen = chosen[: wanted.head]
    if wanted.tail is not None:
        chosen = chosen[-wanted.tail :] if wanted.tail else []
    out = []
    before = None
    for at in chosen:
        if wanted.grep is not None and before is not None and at > before + 1:
            out.append("--\n")
        line = split.lines[at] + split.ends[at]
        if wanted.numbers or wanted.grep is not None:
            line = f"{at + 1}{':' if not hits or at in hits else '-'}{line}"
        out.append(line)
        before = at
    return "".join(out).encode(encoding, "surrogateescape")


def json_value(data: bytes, path: str) -> bytes:
    """Return the value at `path`, as it is written in the document.

    A path is ``$.a.b[0]``, ``a["odd.key"]``, ``[-1]`` or, for every one of a
    list or an object, ``[*]``: then one value a line. A text of one document
    a line (NDJSON) counts as a list of them.

    Raises:
        UsageError: `path` is no path.
        TerselyError: there is no such value, or `data` is no JSON.
    """
    steps = _steps(path)
    values = [_document(data)]
    many = False
    done = "$"
    for step in steps:
        if step == "*":
            many = True
            values = [item for value in values for item in _all(value, done)]
        else:
            values = [_one(value, step, done) for value in values]
        done += f"[{step}]" if isinstance(step, int) or step == "*" else f".{step}"
    return b"".join([value + b"\n" for value in values]) if many else values[0] + b"\n"


_STEP = re.compile(
    r"""\.?([A-Za-z_$][\w$-]*)      # .name
    | \[(-?\d+)\]                   # [0]
    | \[(\*)\] | \.(\*)             # [*]
    | \[("(?:[^"\\]|\\.)*")\]       # ["name"]
    | \['([^']*)'\]                 # ['name']
    """,
    re.VERBOSE,
)


def _steps(path: str) -> list[str | int]:
    rest = path.strip()
    rest = rest[1:] if rest.startswith("$") else rest
    steps: list[str | int] = []
    at = 0
    while at < len(rest):
        found = _STEP.match(rest, at)
        if not found:
            raise UsageError(
                f"json path: cannot read {rest[at:]!r}", "like $.items[0].name"
            )
        name, index, star, dot_star, quoted, single = found.groups()
        if index is not None:
            steps.append(int(index))
        elif star or dot_star:
            steps.append("*")
        elif quoted is not None:
            import json

            steps.append(str(json.loads(quoted)))
        else:
            steps.append(name if name is not None else single)
        at = found.end()
    return steps


def _document(data: bytes) -> bytes:
    """The JSON of `data`; of several documents a line, a list of them."""
    import msgspec

    text = data.strip().removeprefix(b"\xef\xbb\xbf")
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
        return text
    except msgspec.DecodeError as exc:
        rows = [row for row in text.splitlines() if row.strip()]
        try:
            for row in rows:
                msgspec.json.decode(row, type=msgspec.Raw)
        except msgspec.DecodeError:
            rows = []
        if len(rows) < 2:
            raise TerselyError(f"json path: the original is no JSON: {exc}") from None
    return b"[" + b",".join(rows) + b"]"


def _parts(value: bytes) -> list[bytes] | dict[str, bytes] | None:
    """The parts of a list or object, as they are written; None of a scalar."""
    import msgspec

    kind: Any = {b"[": list[msgspec.Raw], b"{": dict[str, msgspec.Raw]}.get(value[:1])
    if kind is None:
        return None
    parts = msgspec.json.decode(value, type=kind)
    if isinstance(parts, list):
        return [bytes(part) for part in parts]
    return {key: bytes(part) for key, part in parts.items()}


def _all(value: bytes, done: str) -> Iterable[bytes]:
    parts = _parts(value)
    if parts is None:
        raise TerselyError(f"json path: {done} is neither list nor object")
    return parts if isinstance(parts, list) else parts.values()


def _one(value: bytes, step: str | int, done: str) -> bytes:
    parts = _parts(value)
    if isinstance(parts, list) and isinstance(step, int):
        if -len(parts) <= step < len(parts):
            return parts[step]
        raise TerselyError(f"json path: {done} has {len(parts)} items, not [{step}]")
    if isinstance(parts, dict):
        if (found := parts.get(str(step))) is not None:
            return found
        names = ", ".join(list(parts)[:12])
        raise TerselyError(f"json path: {done} has no {step!r}", f"it has {names}")
    what = "a list" if isinstance(parts, list) else "a single value"
    raise TerselyError(f"json path: {done} is {what}, there is no {step!r}")


def _in_ranges(size: int, wanted: Sequence[tuple[int, int]]) -> list[int]:
    if not wanted:
        return list(range(size))
    chosen: set[int] = set()
    for start, stop in wanted:
        if start > size:
            raise UsageError(f"line {start} is behind the last, {size}")
        chosen.update(range(start - 1, min(stop, size)))
    return sorted(chosen)


def _matches(split: Sequence[str], chosen: Sequence[int], pattern: str) -> set[int]:
    try:
        search = re.compile(pattern).search
    except re.error as exc:
        raise UsageError(f"bad pattern {pattern!r}: {exc}") from None
    return {at for at in chosen if search(split[at])}


def _around(chosen: Sequence[int], hits: set[int], context: int) -> list[int]:
    shown = set(hits)
    for at in hits:
        shown.update(range(at - context, at + context + 1))
    return [at for at in chosen if at in shown]
