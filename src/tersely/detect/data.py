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
from .view import Evidence, View

#: Larger documents are judged by their brackets and a sample: the transform
#: parses them anyway, and answers that it cannot when they are broken.
_PARSED_CHARS = 1_000_000
_STREAM_LINES = 40
_JSON_LINE = re.compile(
    r"\s*(?:[{}\[\]]+,?\s*$"
    r'|"(?:[^"\\]|\\.){0,300}"\s*(?::|,?\s*$)'
    r"|-?\d[\d.eE+-]{0,40},?\s*$|(?:true|false|null),?\s*$|\{\s*\"|\[\s*[\[{\"\d-])"
)
_COMMENT = re.compile(r"\s*//")


def evidence(view: View) -> Iterator[Evidence]:
    """Claim JSON, JSON_ARRAY, or the type a runner's JSON stream stands for."""
    first = view.first.lstrip(" \t\ufeff")[:1]
    if first not in ("{", "["):
        found = None
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
        if len(text) > _PARSED_CHARS:
            return _large(view, opening, text)
        value, end = _decode(text)
        if end == len(text):
            return _typed(value)
        if end and _decode_all(text, end):
            return Evidence(ContentType.JSON, "json_stream", 0.95)
    return _like_json(view)


def _typed(value: Any) -> Evidence:
    if isinstance(value, list) and len(value) >= 2:
        records = sum(1 for row in value if isinstance(row, dict))
        if records >= 0.8 * len(value):
            return Evidence(ContentType.JSON_ARRAY, "record_brackets", 1.0)
    return Evidence(ContentType.JSON, "json_brackets", 1.0)


def _large(view: View, opening: str, text: str) -> Evidence | None:
    """Judge without parsing: brackets outside, JSON lines inside."""
    inside = text[1:400].lstrip()
    if opening == "[" and inside[:1] == "{":
        return Evidence(ContentType.JSON_ARRAY, "record_brackets", 0.9)
    if inside[:1] in ('"', "[", "{", "-") or inside[:1].isdigit():
        return Evidence(ContentType.JSON, "json_brackets", 0.9)
    return None


def _like_json(view: View) -> Evidence | None:
    """JSON that does not parse: cut off, with comments, or several values."""
    lines = [line for line in view.sample if not _COMMENT.match(line)]
    if not lines:
        return None
    share = sum(1 for line in lines if _JSON_LINE.match(line)) / len(lines)
    head = view.first.lstrip(" \t\ufeff")
    opens = re.match(r'[{\[]\s*(?:$|[{\["}\]\d-])|//|/\*', head) is not None
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
    return line[-1] == ("}" if line[0] == "{" else "]") or len(line) >= 590


def _parse_lines(lines: Sequence[str]) -> list[Any]:
    """Values of up to `_STREAM_LINES` lines of head, middle and tail that parse."""
    from json import JSONDecodeError, loads

    step = max(1, len(lines) // _STREAM_LINES)
    values, wrong = [], 0
    for line in lines[::step]:
        if not line.strip():
            continue
        if len(line) > _PARSED_CHARS:
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


def islands(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Runs of whole lines, half-open, that hold one JSON value each.

    Brackets in strings do not count, a value that does not close is none. What
    failed attempts read is bounded, so a text of open brackets costs little.
    """
    from json import JSONDecodeError, JSONDecoder

    decoder = JSONDecoder(parse_int=str, parse_float=str, strict=False)
    text = "\n".join(lines)
    starts = _line_starts(lines)
    runs: list[tuple[int, int]] = []
    single = 0
    at, budget = 0, len(text) + 100_000
    while at < len(lines):
        indent = _opening(lines[at])
        if indent is None or budget < 0:
            at += 1
            continue
        offset = starts[at] + indent
        try:
            _, end = decoder.raw_decode(text, offset)
        except JSONDecodeError as exc:
            budget -= exc.pos - offset + 200
            at += 1
            continue
        except RecursionError:
            budget -= 20_000
            at += 1
            continue
        stop = _line_after(text, starts, at, end)
        if stop is None:
            budget -= end - offset
            at += 1
            continue
        if stop - at >= 3 or end - offset >= 400:
            runs.append((at, stop))
            single += stop - at == 1
        at = stop
    # Many values of one line each are a stream, which is one text.
    return runs if single <= 3 else [run for run in runs if run[1] - run[0] > 1]


_OPENING = re.compile(r'[ \t]*(?=\{\s*(?:$|"|\})|\[\s*(?:$|["{\[\]\d-]))')


def _opening(line: str) -> int | None:
    """Where a JSON object or array may begin on `line`: behind its indentation."""
    found = _OPENING.match(line[:400])
    return found.end() if found else None


def _line_starts(lines: Sequence[str]) -> list[int]:
    starts, offset = [], 0
    for line in lines:
        starts.append(offset)
        offset += len(line) + 1
    return starts


def _line_after(text: str, starts: list[int], at: int, end: int) -> int | None:
    """The line after the one that ends at `end`, if nothing else stands on it."""
    from bisect import bisect_right

    rest = text.find("\n", end)
    if text[end : len(text) if rest < 0 else rest].strip(" \t\r"):
        return None
    return bisect_right(starts, end - 1, at)
