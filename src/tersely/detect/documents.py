"""Pages and texts that were printed: HTML, XML, Markdown, man pages, prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model import ContentType
from .view import Evidence, View

_HTML_TAG = re.compile(
    r"</?(?:html|head|body|div|p|span|a|table|tr|td|th|ul|ol|li|script|style|h[1-6]|"
    r"form|input|meta|link|br|img|section|nav|footer|header|main|button|pre|code|"
    r"title|article|label|strong|em|svg|tbody|thead|dl|dt|dd|hr|option|select)\b",
    re.IGNORECASE,
)
_XML_TAG = re.compile(r"\s*</?[A-Za-z_][\w:.-]{0,80}[\s/>]")

_HEADING = re.compile(
    r"#{1,6} (?!(?:define|include|if|ifdef|ifndef|endif|else|elif|undef|pragma)\b)\S"
)
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})$")
_LIST = re.compile(r"\s{0,12}(?:[-*+] |\d{1,3}[.)] )\S")
_LINK = re.compile(
    r"\[[^\[\]\n]{1,200}\]\((?!\s)[^)\n]{1,300}\)|^\[[^\]\n]{1,100}\]: \S|!\["
)
_INLINE = re.compile(r"`[^`\n]{1,100}`|\*\*[^*\n]{1,200}\*\*")
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")

_WORD = re.compile(r"[^\W\d_]{2,}")
_MAN = re.compile(r"[\w.:+-]{1,60}\(\d\w{0,3}\) .{0,200} [\w.:+-]{1,60}\(\d\w{0,3}\)$")
_CLIP = 240


def evidence(view: View) -> Iterator[Evidence]:
    """Claim each kind of document by the share of lines that look like it."""
    if not view.sample:
        return
    yield from _markup(view)
    yield from _markdown(view)
    if _MAN.match(view.first):
        yield Evidence(ContentType.PLAIN_TEXT, "man_page", 0.9)


def is_prose(view: View) -> bool:
    """Whether most lines read like sentences or notes: words, few signs."""
    rows = view.sample
    if not rows:
        return False
    wordy = 0
    for row in rows:
        row = row[:_CLIP].strip()
        words = row.split()
        plain = sum(1 for word in words if _WORD.match(word.lstrip("(\"'*-_“‘")))
        letters = sum(map(str.isalpha, row)) + row.count(" ")
        wide = letters >= 0.72 * len(row)
        wordy += (
            plain >= 2
            and plain >= 0.6 * len(words)
            and wide
            or (not row.isascii() and letters >= 0.7 * len(row))
        )
    return wordy >= 0.6 * len(rows)


def _markup(view: View) -> Iterator[Evidence]:
    head = view.first.lstrip(" \t\ufeff")[:200].lower()
    start = view.text[:4000].lower()
    if head.startswith("<?xml") or head.startswith("<!--"):
        if "<testsuite" in start:
            yield Evidence(ContentType.BUILD_OUTPUT, "junit_xml", 0.98)
        elif "<html" in start or "<!doctype html" in start:
            yield Evidence(ContentType.HTML, "html_root", 0.97)
        elif head.startswith("<?xml") or view.share(_XML_TAG, 0.5) >= 0.5:
            yield Evidence(ContentType.CONFIG, "xml_root", 0.95)
        return
    if head.startswith(("<!doctype html", "<html", "<head", "<body")):
        yield Evidence(ContentType.HTML, "html_root", 0.98)
        return
    if head.startswith(("<testsuite", "<testsuites")):
        yield Evidence(ContentType.BUILD_OUTPUT, "junit_xml", 0.98)
        return
    if not head.startswith("<") and view.share(_XML_TAG, 0.5) < 0.5:
        return
    tags = sum(1 for row in view.sample if _HTML_TAG.search(row[:_CLIP])) / len(
        view.sample
    )
    if tags >= 0.5:
        yield Evidence(ContentType.HTML, "html_tags", 0.5 + 0.45 * tags)
        return
    share = view.share(_XML_TAG)
    if share >= 0.6 and "</" in view.text[:200_000]:
        yield Evidence(ContentType.CONFIG, "xml_tags", 0.5 + 0.4 * share)


def _markdown(view: View) -> Iterator[Evidence]:
    """Different marks of Markdown count more than many of one."""
    text = "\n".join(view.sample)
    marks = ("\n#", "```", "~~~", "](", "\n---", "\n===")
    if not text.startswith("#") and not any(mark in text for mark in marks):
        return
    titled = view.first.startswith("#")
    if not titled and any(row.rstrip().endswith("*/") for row in view.sample):
        return  # a comment block of a program, whose stars are no list
    headings = fences = lists = links = inline = tables = quotes = 0
    inside = False
    rows = view.sample
    plain = 0
    for at, row in enumerate(rows):
        row = row[:_CLIP]
        if _FENCE.match(row):
            fences += 1
            inside = not inside
        elif inside:
            plain += 1
        elif _HEADING.match(row) or (
            _UNDERLINE.match(row)
            and at
            and rows[at - 1][:1].isalnum()
            and len(rows[at - 1]) < 80
        ):
            headings += 1
        elif _LIST.match(row):
            lists += 1
        elif row[:1] == ">":
            quotes += 1
        elif row[:1] == "|" and row.rstrip()[-1:] == "|":
            tables += 1
        if not inside:
            links += "[" in row and _LINK.search(row) is not None
            inline += ("`" in row or "**" in row) and _INLINE.search(row) is not None
    size = len(rows)
    kinds = sum(
        (
            headings > 0,
            fences >= 2,
            lists >= 2,
            links > 0,
            inline > 0,
            tables >= 2,
            quotes > 0,
        )
    )
    weight = (
        headings * 2
        + fences * 2
        + lists
        + links
        + inline
        + tables
        + quotes
        + (plain if fences >= 2 else 0)
    ) / size
    if (headings or links or fences >= 2) and kinds >= 3 and weight >= 0.25:
        yield Evidence(
            ContentType.MARKDOWN,
            "markdown_marks",
            min(0.93, 0.62 + 0.08 * (kinds - 2) + 0.15 * min(1.0, weight)),
        )
    elif headings and kinds >= 2 and weight >= 0.35:
        yield Evidence(
            ContentType.MARKDOWN,
            "markdown_marks",
            min(0.85, 0.55 + 0.2 * min(1.0, weight)),
        )
