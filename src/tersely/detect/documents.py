"""Files and pages that were printed: Markdown, markup, config, code, prose."""

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

_HEADING = re.compile(r"#{1,6} \S")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})$")
_LIST = re.compile(r"\s{0,12}(?:[-*+] |\d{1,3}[.)] )\S")
_LINK = re.compile(
    r"\[[^\[\]\n]{1,200}\]\((?!\s)[^)\n]{1,300}\)|^\[[^\]\n]{1,100}\]: \S|!\["
)
_INLINE = re.compile(r"`[^`\n]{1,100}`|\*\*[^*\n]{1,200}\*\*")
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")

_YAML_KEY = re.compile(
    r"\s*(?:- ){0,3}(?:[\w.$/@<*~{}()+-]{1,100}|[\w.$-]{1,40}(?: [\w.$-]{1,40}){1,2}"
    r"|\"[^\"\n]{1,100}\"|'[^'\n]{1,100}'):(?: \S|\s*$)"
)
_YAML_OTHER = re.compile(r"\s*- \S|---(?:\s|$)|\.\.\.$|\s*#|\s*[}\]]|\s*-$")
_YAML_BLOCK = re.compile(r".{0,200}(?::|-) [|>][-+\d]{0,2}\s*(?:#.*)?$")
_INI = re.compile(r"\[{1,2}[\w.\"'@ :/*-]{1,120}\]{1,2}\s*(?:[#;].*)?$")
_ASSIGN = re.compile(
    r"\s*(?:export )?[A-Za-z_][\w.\"'-]{0,100}\s*=(?!=|>)|\s*\"[^\"\n]{1,100}\" *= "
)
_VALUES = re.compile(
    r"\s*(?:[\"'\d\[{].*,|\]|\}|\"\"\"|''').{0,3}$|\s*[#;]|\s+[\"'{].*[\"'},\]]$"
)
_ENV = re.compile(
    r"(?:export )?[A-Za-z_][\w.-]{0,100}=(?! )\S*|[A-Za-z_][\w.-]{0,100}=\S.*$|[#!;]"
)
_DOCKER = re.compile(
    r"(?:FROM|RUN|COPY|ADD|WORKDIR|ENV|EXPOSE|CMD|ENTRYPOINT|ARG|LABEL|USER|VOLUME|"
    r"HEALTHCHECK|SHELL|ONBUILD|STOPSIGNAL)\s+\S|#|\s+\S|&& "
)
_HCL = re.compile(
    r"(?:resource|data|module|variable|output|provider|terraform|locals|moved"
    r"|import)\b.*\{\s*$"
)
_NGINX = re.compile(
    r"\s*(?:server|location|upstream|http|events|listen|proxy_pass|root)\b.*[{;]\s*$"
)
_RECORD = re.compile(r"[A-Z][A-Za-z0-9-]{1,40}: \S")

_CODE = re.compile(
    r"\s*(?:"
    r"(?:async )?def \w.*[:(,]|class \w+.*[:{(]|(?:from [\w.]+ )?import [\w{*\"'.]"
    r"|@\w[\w.]*(?:\(.*)?$|"
    r"(?:if|elif|while|for|with|except|else|try|finally|match|case)\b.*:$|"
    r"return\b.*[;)\w\"'\]}]$|raise \w|assert \S|yield\b|pass$|self\.\w|async |await |"
    r"(?:export |public |private |protected |static |final |abstract "
    r"|pub(?:\(\w+\))? |const |"
    r"inline |virtual |override |extern |unsafe )+\S.*[{;(),=:]?$|"
    r"(?:let|const|var|val|mut) \S+.*=|function\b.*[({]|fn \w|func [\w(]|impl\b"
    r"|use [\w:]+|"
    r"mod \w+|struct \w+|enum \w+|trait \w+|interface \w+|type \w+ |package [\w.]+;?$|"
    r"namespace \w|#include\b|#(?:define|ifn?def|endif|pragma|else|elif|if)\b|using \w|"
    r"(?:echo|printf|exec|exit|export|local|shift|cd|mkdir|rm|set|source|trap|test"
    r"|\[\[?) .*|[A-Z_]+=\S*$|case .* in$|.*;;$|.*; then$|.*; do$|"
    r"(?:module|require|describe|it|test|expect)\b.*[({]|end$|do$|then$|fi$|done$"
    r"|esac$|"
    r"(?:CREATE|INSERT INTO|SELECT|UPDATE|DELETE FROM|ALTER TABLE|DROP|BEGIN|COMMIT"
    r"|PRAGMA|SET)\b.*[;(,)]$|"
    r"/\*|\*/|\*(?: |$)|//|#!|<\?php|%%|--(?: |$)|\"\"\"|'''|"
    r"[})\]]+[;,)]*(?: else.*)?$|[{(\[]$"
    r")"
)
_CODE_END = re.compile(
    r"(?:[;{]|\)|=>|\):|\) \{|,|\(|=|\\|&&|\|\|)\s*(?://.*|/\*.*|#.*)?$"
)
_CODE_CALL = re.compile(
    r"\s*[\w.$>-]+(?:\[[^\]]{0,80}\])?(?:\(.*\)?|\s*[-+*|&]?=\s*\S.*|\+\+|--)[;,]?$"
)
_STATEMENT = re.compile(
    r"(?:def |class |import |from \w|function |const |let |var |fn |pub |use |impl "
    r"|#include|"
    r"interface |declare |type |export |abstract |async |namespace |enum |trait |mod |"
    r"package |func |public |private |static |struct |return |if \(|for \(|#!"
    r"|CREATE |INSERT INTO )"
)
_MAKE_RULE = re.compile(
    r"[\w./%$(){} -]{1,80}:(?:[^=/].*)?$|\t\S|[A-Z_]+ *[:?+]?= ?|\.PHONY|-?include "
    r"|ifeq|endif|else"
)

_WORD = re.compile(r"[^\W\d_]{2,}")
_MAN = re.compile(r"[\w.:+-]{1,60}\(\d\w{0,3}\) .{0,200} [\w.:+-]{1,60}\(\d\w{0,3}\)$")
_CLIP = 240


def evidence(view: View) -> Iterator[Evidence]:
    """Claim each kind of document by the share of lines that look like it."""
    if not view.sample:
        return
    yield from _markup(view)
    yield from _markdown(view)
    yield from _config(view)
    yield from _source(view)
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
        elif head.startswith("<?xml") or view.share(_XML_TAG) >= 0.5:
            yield Evidence(ContentType.CONFIG, "xml_root", 0.95)
        return
    if head.startswith(("<!doctype html", "<html", "<head", "<body")):
        yield Evidence(ContentType.HTML, "html_root", 0.98)
        return
    if head.startswith(("<testsuite", "<testsuites")):
        yield Evidence(ContentType.BUILD_OUTPUT, "junit_xml", 0.98)
        return
    if not head.startswith("<") and view.share(_XML_TAG) < 0.5:
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
            links += _LINK.search(row) is not None
            inline += _INLINE.search(row) is not None
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


def _config(view: View) -> Iterator[Evidence]:
    rows = view.sample
    size = len(rows)
    if size < 2:
        return
    sections = view.share(_INI)
    assigned = view.share(_ASSIGN)
    if (
        sections
        and (sections + assigned + view.share(_VALUES)) >= 0.8
        and assigned + sections >= 0.35
        and not _code_ends(view)
    ):
        yield Evidence(ContentType.CONFIG, "ini_sections", 0.92)
    elif assigned >= 0.9 and size >= 3 and _distinct_names(view):
        yield Evidence(ContentType.CONFIG, "env_rows", 0.84)
    if view.first.startswith(("FROM ", "ARG ", "# syntax=")) or any(
        row.startswith("FROM ") for row in rows[:20]
    ):
        docker = view.share(_DOCKER)
        if docker >= 0.9 and any(
            row.startswith(("RUN ", "COPY ", "CMD", "ENTRYPOINT")) for row in rows
        ):
            yield Evidence(ContentType.CONFIG, "dockerfile", 0.93)
    if (
        view.share(_HCL) > 0
        and any(_HCL.match(row) for row in rows[:30])
        and assigned >= 0.3
    ):
        yield Evidence(ContentType.CONFIG, "hcl_blocks", 0.9)
    if sum(1 for row in rows if _NGINX.match(row)) >= 3 and any(
        row.lstrip().startswith(("server {", "location ", "upstream ", "http {"))
        for row in rows
    ):
        yield Evidence(ContentType.CONFIG, "nginx_blocks", 0.92)
    keys, yaml = _yaml(view)
    if keys >= 0.3 and yaml >= 0.85:
        nested = any(row[:1] in " -" for row in rows)
        names = [row.partition(":")[0] for row in rows if row[:1] not in " -#\t"]
        if not nested and len(set(names)) < len(names):
            return  # the same key twice at the top: messages, not a document
        flat = not nested and any(_RECORD.match(row) for row in rows)
        yield Evidence(
            ContentType.CONFIG, "yaml_keys", (0.5 if flat else 0.62) + 0.3 * yaml
        )


def _distinct_names(view: View) -> bool:
    """Whether rows are `NAME=value` or comments and hardly a name comes twice."""
    names = [row.partition("=")[0] for row in view.sample if row[:1] not in "#;!"]
    return view.share(_ENV) >= 0.9 and len(set(names)) >= 0.8 * len(names)


def _yaml(view: View) -> tuple[float, float]:
    """Shares of the sample that are keys, and that YAML explains at all.

    Lines of a block scalar (`run: |`) and of a folded value are deeper than
    their key, whatever they hold.
    """
    if view.first.lstrip()[:1] in ("{", "[", "<"):
        return 0.0, 0.0
    keys = other = 0
    block = -1
    for row in view.sample:
        indent = len(row) - len(row.lstrip())
        if block >= 0 and indent > block:
            other += 1
            continue
        block = -1
        if _YAML_KEY.match(row[:_CLIP]):
            keys += 1
            if _YAML_BLOCK.match(row[:_CLIP]):
                block = indent
        elif _YAML_OTHER.match(row):
            other += 1
            if _YAML_BLOCK.match(row[:_CLIP]):
                block = indent
    size = len(view.sample)
    # Blocks may be most of a workflow file; keys count among the rest.
    return keys / max(1, min(size, keys + size // 3)), (keys + other) / size


def _code_ends(view: View) -> bool:
    ends = sum(1 for row in view.sample if row.rstrip()[-1:] in ";{")
    return ends > 0.15 * len(view.sample)


def _source(view: View) -> Iterator[Evidence]:
    rows = view.sample
    size = len(rows)
    start = view.first.startswith(("#!/", "<?php"))
    if size == 1 and len(rows[0]) < 200 and not start:
        return
    if size <= 3 and len(view.text) > 400:
        signs = sum(view.text[:4000].count(sign) for sign in "{}();=,")
        words = ("function", "var ", "return", "const ", "=>", "import ")
        if (
            signs >= 0.08 * min(4000, len(view.text))
            and sum(word in view.text[:20_000] for word in words) >= 3
        ):
            yield Evidence(ContentType.SOURCE_CODE, "minified_code", 0.8)
            return
    code = statements = 0
    for row in rows:
        row = row[:_CLIP]
        if _CODE.match(row) or _CODE_END.search(row) or _CODE_CALL.match(row):
            code += 1
            statements += _STATEMENT.match(row.lstrip()) is not None
    share = code / size
    if (share >= 0.5 and statements >= max(1, 0.04 * size)) or (start and share >= 0.3):
        yield Evidence(
            ContentType.SOURCE_CODE,
            "code_lines",
            min(0.9, 0.45 + 0.45 * share + 0.2 * min(0.5, statements / size)),
        )
    if (
        any(row[:1] == "\t" for row in rows)
        and any(re.match(r"[\w./%-]+ *:(?!=)", row) for row in rows)
        and view.share(_MAKE_RULE) >= 0.9
    ):
        yield Evidence(ContentType.SOURCE_CODE, "make_rules", 0.88)
