"""JSON in its forms: one document, records, one value a line, cut off.

Uniform records, also one a line and also when an application logged them, are
JSON_ARRAY: columns with constants hoisted suit them better than line templates.
Streams of a known runner are what the runner's text would be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..model import ContentType
from .view import WIDTH, Evidence, View

#: Larger documents are judged by their brackets and a sample: the transform
#: parses them anyway, and answers that it cannot when they are broken.
_PARSED_CHARS = 32_000
_STREAM_LINES = 40
_JSON_LINE = re.compile(
    r"\s*(?:[{}\[\]]+,?\s*$"
    r'|"(?:[^"\\]|\\.){0,300}"\s*(?::|,?\s*$)'
    r"|-?\d[\d.eE+-]{0,40},?\s*$|(?:true|false|null),?\s*$|\{\s*\"|\[\s*[\[{\"\d-])"
)
_KEY = re.compile(r'\{\s*"(?:[^"\\]|\\.){0,300}"\s*:')
#: What a line inside a JSON document begins with, when its head was cut off.
_INSIDE = frozenset('"}]')
_COMMENT = re.compile(r"\s*//")


def evidence(view: View) -> Iterator[Evidence]:
    """Claim JSON, JSON_ARRAY, or the type a runner's JSON stream stands for."""
    first = view.first.lstrip(" \t\ufeff")[:1]
    if first not in ("{", "["):
        found = _like_json(view) if first in _INSIDE else None
    elif len(view.lines) > 1 and _is_value(view.first):
        found = _stream(view)
    else:
        found = _document(view)
    if found is None:
        found = _mostly_lines(view)
    if found is not None:
        yield found


def _document(view: View) -> Evidence | None:
    text = view.text.strip(" \t\r\n\ufeff")
    opening, closing = text[0], text[-1]
    if (opening, closing) in (("{", "}"), ("[", "]")):
        if len(text) > _PARSED_CHARS and (found := _large(view, opening, text)):
            return found
        value, end = _decode(text)
        if end == len(text):
            return _typed(value)
        if end and _decode_all(text, end):
            return Evidence(ContentType.JSON, "json_stream", 0.99)
    return _like_json(view)


def _typed(value: Any) -> Evidence:
    if isinstance(value, list) and len(value) >= 2:
        records = sum(1 for row in value if isinstance(row, dict))
        if records >= 0.8 * len(value):
            return Evidence(ContentType.JSON_ARRAY, "record_brackets", 1.0)
    return Evidence(ContentType.JSON, "json_brackets", 1.0)


def _large(view: View, opening: str, text: str) -> Evidence | None:
    """Judge without parsing all: brackets outside, JSON lines or a value inside."""
    start = len(text) - len(text[1:].lstrip())
    if opening == "[":
        value, end = _decode(text, start)
        if not end:
            return None
        more = text[end : end + 200].lstrip()[:1] == ","
        if isinstance(value, dict) and more:
            return Evidence(ContentType.JSON_ARRAY, "record_brackets", 0.99)
        return Evidence(ContentType.JSON, "json_brackets", 0.99)
    if not _KEY.match(text[:WIDTH]):
        return None
    few = len(view.sample) <= 3
    if few or view.share(_JSON_LINE, 0.8) >= 0.8:
        return Evidence(ContentType.JSON, "json_brackets", 0.99)
    return None


def _like_json(view: View) -> Evidence | None:
    """JSON that does not parse: cut off, with comments, or several values."""
    lines = [line for line in view.sample if not _COMMENT.match(line)]
    if not lines:
        return None
    share = sum(1 for line in lines if _JSON_LINE.match(line)) / len(lines)
    head = view.first.lstrip(" \t\ufeff")
    first = head[:1]
    last = view.sample[-1].strip()[-1:]
    closes = len(lines) > 2 and share >= 0.9 and (last in "}]," or first in "}],")
    opens = closes or re.match(r'[{\[]\s*(?:$|[{\["}\]\d-])|//|/\*', head) is not None
    if share < 0.8 or not opens or '"' not in view.text[:20_000]:
        return None
    if len(lines) == 1 and not re.match(
        r'[{\[]+\s*"(?:[^"\\]|\\.){0,200}"\s*[:,]', head
    ):
        return None
    return Evidence(ContentType.JSON, "json_broken", 0.9 * share)


def _stream(view: View) -> Evidence | None:
    """One JSON value a line."""
    rows = view.sample
    values = [line.strip() for line in rows]
    share = sum(1 for value in values if _is_value(value)) / len(values)
    if share < 0.9:
        return _document(view) if share < 0.5 else None
    parsed = _parse_lines(view.lines)
    records = [value for value in parsed if isinstance(value, dict)]
    if not parsed or len(records) < 0.8 * len(parsed):
        return Evidence(ContentType.JSON, "json_lines", 0.9) if parsed else None
    if len(parsed) < 2 and len(values) < 2:
        return Evidence(ContentType.JSON, "json_brackets", 0.9)
    return _runner(records) or Evidence(ContentType.JSON_ARRAY, "record_lines", 0.98)


def _runner(records: Sequence[dict[str, Any]]) -> Evidence | None:
    """The type of a stream whose tool is known by its keys."""
    keys = [set(record) for record in records]
    few = 0.8 * len(keys)
    if (
        sum(1 for key in keys if "Action" in key and key & {"Package", "ImportPath"})
        >= few
    ):
        return Evidence(ContentType.BUILD_OUTPUT, "go_test_json", 1.0)
    reasons = {str(r.get("reason", "")) for r in records}
    if any(reason.startswith(("compiler-", "build-")) for reason in reasons):
        return Evidence(ContentType.BUILD_OUTPUT, "cargo_json", 1.0)
    kinds = {str(r.get("type", "")) for r in records}
    shaped = sum(1 for key in keys if key == {"type", "data"}) >= few
    if shaped and kinds <= {"begin", "match", "context", "end", "summary"}:
        return Evidence(ContentType.SEARCH_RESULTS, "rg_json", 1.0)
    if shaped and kinds & {"test:pass", "test:fail", "test:start"}:
        return Evidence(ContentType.BUILD_OUTPUT, "node_test_json", 1.0)
    return None


def _mostly_lines(view: View) -> Evidence | None:
    """JSON log lines among plain ones: a banner, a traceback, a shutdown note."""
    rows = [line for line in view.sample if _is_value(line.strip())]
    if len(rows) < 3 or len(rows) < 0.5 * len(view.sample):
        return None
    whole = [line for line in view.lines if _is_value(line)]
    records = [value for value in _parse_lines(whole) if isinstance(value, dict)]
    if records and (runner := _runner(records)):
        return runner
    keys = ('"level"', '"msg"', '"message"', '"time', '"ts"', '"severity"', '"@t')
    logged = sum(1 for row in rows if any(key in row for key in keys))
    if logged < 0.8 * len(rows):
        return None
    return Evidence(ContentType.LOG, "json_log_lines", 0.85)


def _is_value(line: str) -> bool:
    """Whether a clipped line could be one whole JSON object or array."""
    line = line.strip()
    if len(line) < 3 or line[0] not in "{[":
        return False
    if line[0] == "{" and line[1:].lstrip()[:1] not in ('"', "}"):
        return False
    if line[0] == "[" and line[1:].lstrip()[:1] not in '{["]-0123456789tfn':
        return False
    # A clipped line has lost its end.
    return line[-1] == ("}" if line[0] == "{" else "]") or len(line) >= WIDTH - 10


def _parse_lines(lines: Sequence[str]) -> list[Any]:
    """Values of up to `_STREAM_LINES` lines of head, middle and tail that parse."""
    from json import JSONDecodeError, loads

    step = max(1, len(lines) // _STREAM_LINES)
    values, wrong = [], 0
    for line in lines[::step]:
        if not line.strip():
            continue
        if len(line) > 10 * _PARSED_CHARS:
            wrong += 1
            continue
        try:
            values.append(loads(line, parse_int=str, parse_float=str))
        except (JSONDecodeError, RecursionError):
            wrong += 1
    return values if len(values) >= 4 * wrong else []


def _decode(text: str, at: int = 0) -> tuple[Any, int]:
    """The value at `at` and where it ends; end 0 when none is whole."""
    from json import JSONDecodeError, JSONDecoder

    decoder = JSONDecoder(parse_int=str, parse_float=str, strict=False)
    try:
        return decoder.raw_decode(text, at)
    except (JSONDecodeError, RecursionError):
        return None, 0


def _decode_all(text: str, at: int) -> bool:
    """Whether the rest of `text` is more values: what `jq` prints."""
    for _ in range(10_000):
        while text[at : at + 1].isspace():
            at += 1
        if at >= len(text):
            return True
        _, at = _decode(text, at)
        if not at:
            return False
    return True


def islands(text: str) -> list[tuple[int, int]]:
    """Runs of whole lines, half-open, that hold one JSON value each.

    A value begins at the beginning of a line. Brackets in strings do not count,
    a value that does not close is none. What failed attempts read is bounded, so
    a text of open brackets costs little.
    """
    runs: list[tuple[int, int]] = []
    single, line, at, budget = 0, 0, 0, len(text) + 100_000
    for offset in _openings(text):
        if offset < at or budget < 0:
            continue
        length, read = _value_length(text, offset)
        end = _line_end(text, offset + length) if length else 0
        if not end:
            budget -= read
            continue
        start = line + text.count("\n", at, offset)
        stop = start + text.count("\n", offset, end) + (end == len(text))
        if stop - start >= 3 or length >= 400:
            runs.append((start, stop))
            single += stop - start == 1
        line, at = stop, end
    # Many values of one line each are a stream, which is one text.
    return runs if single <= 3 else [run for run in runs if run[1] - run[0] > 1]


_OPENING = re.compile(r'\{\s*(?:$|"|\})|\[\s*(?:$|["{\[\]\d])', re.MULTILINE)
_MOST_OPENINGS = 5_000


def _openings(text: str) -> list[int]:
    """Where a line begins with an object or an array, ascending."""
    starts = [0] if text.startswith(("{", "[")) else []
    for mark in ("\n{", "\n["):
        at = text.find(mark)
        while at >= 0 and len(starts) < _MOST_OPENINGS:
            starts.append(at + 1)
            at = text.find(mark, at + 1)
    return sorted(start for start in starts if _OPENING.match(text, start))


def _line_end(text: str, end: int) -> int:
    """Where the next line begins, or 0 when more stands behind `end`."""
    rest = text.find("\n", end)
    rest = len(text) if rest < 0 else rest
    return 0 if text[end:rest].strip(" \t\r") else min(rest + 1, len(text))


def _value_length(text: str, offset: int) -> tuple[int, int]:
    """Characters of the JSON value at `offset` (0: none) and how many were read.

    Pieces of growing size are read, because an error costs the decoder a count
    of all line ends before it.
    """
    from json import JSONDecodeError, JSONDecoder

    decoder = JSONDecoder(parse_int=str, parse_float=str, strict=False)
    width, read = 2_000, 0
    while True:
        piece = text[offset : offset + width]
        read += len(piece)
        try:
            return decoder.raw_decode(piece)[1], read
        except JSONDecodeError as exc:
            cut = exc.pos >= len(piece) - 20 or exc.msg.startswith("Unterminated")
            if not cut or offset + width >= len(text):
                return 0, read
        except RecursionError:
            return 0, read + 20_000
        width *= 16
