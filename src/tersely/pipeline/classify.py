"""Which content type a text has, and the one transform that serves it."""

from __future__ import annotations

from .. import detect, transforms
from ..model import ContentType, Detection, Observation, Segment, Text, Transform

#: Total over `ContentType`. Types whose transform does not exist yet go to
#: ``identity``: their text goes out as it came.
ROUTES: dict[ContentType, str] = {
    ContentType.JSON_ARRAY: "records",
    ContentType.JSON: "json_document",
    ContentType.SEARCH_RESULTS: "search_hits",
    ContentType.BUILD_OUTPUT: "build_run",
    ContentType.LOG: "log_lines",
    ContentType.DIFF: "diff",
    ContentType.LISTING: "listing",
    ContentType.TABLE: "identity",
    ContentType.CONFIG: "identity",
    ContentType.SOURCE_CODE: "identity",
    ContentType.MARKDOWN: "identity",
    ContentType.HTML: "identity",
    ContentType.PLAIN_TEXT: "identity",
    ContentType.BINARY: "identity",
    ContentType.UNKNOWN: "generic",
}


def route(content_type: ContentType) -> Transform:
    """Return the one transform for `content_type`."""
    return transforms.load(ROUTES[content_type])


def classify(observation: Observation, text: Text, *, binary: bool) -> Detection:
    """Say what `text`, in canonical form, is.

    A caller who knows the type is believed; no command rule overrides what
    the text itself shows.
    """
    known = ContentType.BINARY if binary else observation.content_type
    if known is None:
        return detect.detect_text(text)
    whole = Segment(0, len(text.lines), known, "binary" if binary else "given")
    return Detection(known, whole.signal, 1.0, (whole,) if text.lines else ())
