"""What a text is, from structural signals over the whole of it.

Order of `ROWS`: what can be parsed decides before what can only be recognised.
Each family claims types with a confidence (the share of lines that carry its
signal); the highest claim wins, the earlier family on a tie. Below `FLOOR`
nothing is claimed: prose and notes are PLAIN_TEXT, the rest is UNKNOWN, both
with the signal ``none``. Passing a text through is better than a misroute.

Decisions that another reading would allow: what a version control command did
(clone, push, merge, `git apply`) and a plan (terraform) is BUILD_OUTPUT, what it
lists (status, log, branches, a diffstat) is LISTING, what it shows as a patch is
DIFF; `find` and `grep -l` list, they do not search; XML, HCL and Dockerfiles are
CONFIG, JUnit XML is BUILD_OUTPUT; a stack trace alone is LOG; JSON: see `data`.

To add a family: one module here with ``evidence(view)``, one row below, labelled
inputs under tests/detect/labelled/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, TypeVar

from ..model import ContentType, Detection, Segment, Text
from .view import Evidence, View

_T = TypeVar("_T")

#: Module names of the families, in the order in which they are asked.
ROWS: tuple[str, ...] = (
    "binary",
    "data",
    "diffs",
    "search",
    "reports",
    "tables",
    "logs",
    "listings",
    "documents",
    "configs",
    "source",
)

#: A claim below this is none; chosen on our own labelled inputs.
FLOOR = 0.55
#: A claim this sure ends the asking.
_SURE = 0.95
#: A claim this sure was parsed whole: there are no islands.
_PARSED = 0.985

#: Types inside which JSON and patches may stand as islands. Documents and code
#: quote them; there they belong to the document.
_DIVISIBLE = frozenset(
    {
        ContentType.UNKNOWN,
        ContentType.PLAIN_TEXT,
        ContentType.LOG,
        ContentType.BUILD_OUTPUT,
        ContentType.LISTING,
        ContentType.TABLE,
        ContentType.DIFF,
        ContentType.CONFIG,
        ContentType.JSON,
    }
)


def detect_content_type(content: str | bytes) -> Detection:
    """Return what `content` is; never raises.

    The convenience for callers with raw content: decodes, takes off colours,
    redraws and runner prefixes, then asks `detect_text`.
    """
    return detect_text(_canonical(content))


def detect_text(text: Text) -> Detection:
    """Return what `text`, in canonical form, is; never raises."""
    lines = text.lines
    if not lines:
        return Detection(ContentType.UNKNOWN, "none")
    body = _guarded(lambda: _module("segments").http_headers(lines), 0)
    if body and body < len(lines):
        rest = detect_text(text.part(body, len(lines)))
        head = Segment(0, body, ContentType.UNKNOWN, "http_headers")
        return _joined(lines, [head, *_moved(rest.segments, body)], rest.confidence)
    view = _view(lines)
    whole = _asked(view)
    if (
        whole.content_type not in _DIVISIBLE
        or whole.confidence >= _PARSED
        or view.prefix
    ):
        return whole
    none: list[tuple[int, int, ContentType]] = []
    found = _guarded(lambda: _module("segments").islands(view), none)
    if not found or found == [(0, len(lines), whole.content_type)]:
        return whole
    return _divided(text, whole, found)


def _divided(
    text: Text, whole: Detection, found: list[tuple[int, int, ContentType]]
) -> Detection:
    """Islands as segments of their own, and what stands between them."""
    lines = text.lines
    parts: list[Segment] = []
    at = 0
    for start, stop, content_type in [*found, (len(lines), len(lines), None)]:
        if any(line.strip() for line in lines[at:start]):
            rest = _whole(lines[at:start])
            parts.append(Segment(at, start, rest.content_type, rest.signal))
        elif at < start and parts:
            last = parts[-1]
            parts[-1] = Segment(last.start, start, last.content_type, last.signal)
        elif at < start:
            start = at
        if content_type is not None:
            island = _whole(lines[start:stop])
            known = island.content_type in (content_type, ContentType.JSON_ARRAY)
            signal = island.signal if known else "island"
            kind = island.content_type if known else content_type
            parts.append(Segment(start, stop, kind, signal))
        at = stop
    if len(parts) < 2:
        return whole
    return _joined(lines, parts, whole.confidence)


def _joined(
    lines: tuple[str, ...], parts: list[Segment], confidence: float
) -> Detection:
    main = _module("segments").largest(lines, parts)
    return Detection(main.content_type, main.signal, confidence, tuple(parts))


def _moved(parts: Iterable[Segment], by: int) -> list[Segment]:
    return [
        Segment(part.start + by, part.stop + by, part.content_type, part.signal)
        for part in parts
    ]


def _whole(lines: tuple[str, ...]) -> Detection:
    """The type of `lines` as one segment."""
    return _asked(_view(lines))


def _view(lines: tuple[str, ...]) -> View:
    name, body = _guarded(lambda: _module("prefixes").strip(lines), ("", lines))
    return View(body, name)


def _asked(view: View) -> Detection:
    best_type, signal, confidence = ContentType.UNKNOWN, "none", 0.0
    for row in ROWS:
        for claim in _claims(row, view):
            if claim.confidence > confidence:
                best_type, signal = claim.content_type, claim.signal
                confidence = claim.confidence
        if confidence >= _SURE:
            break
    if confidence < FLOOR:
        best_type, signal = _fallback(view), "none"
    segment = Segment(0, len(view.lines), best_type, signal)
    return Detection(best_type, signal, round(min(confidence, 1.0), 3), (segment,))


def _claims(row: str, view: View) -> list[Evidence]:
    """A broken family is one that has nothing to say: the next is asked."""
    none: list[Evidence] = []
    return _guarded(lambda: list(_module(row).evidence(view)), none)


def _fallback(view: View) -> ContentType:
    prose = _guarded(lambda: _module("documents").is_prose(view), False)
    return ContentType.PLAIN_TEXT if prose else ContentType.UNKNOWN


def _module(name: str) -> Any:
    """A module of this package, imported on first use."""
    return import_module(f".{name}", __name__)


def _guarded(ask: Callable[[], _T], otherwise: _T) -> _T:
    try:
        return ask()
    except Exception:
        return otherwise


def _canonical(content: str | bytes) -> Text:
    from ..text import canonical, decode, lines

    if isinstance(content, bytes):
        content, _ = decode.decode(content)
    return lines.split(canonical.canonical(content).text)
