"""Source code, by lines that programs have: statements, ends, rules, braces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model import ContentType
from .view import Evidence, View

_CODE = re.compile(
    r"\s*(?:"
    r"(?:async )?def \w.*[:(,]|def \w[\w.?!=]*$"
    r"|class \w+.*[:{(]|(?:class|module) \w+(?: < \S+)?$|require [\"']|attr_\w+ "
    r"|(?:from [\w.]+ )?import [\w{*\"'.]"
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
#: Last characters of a line of code, comment taken off.
_CODE_END = tuple(";{(),=\\")
_CODE_CALL = re.compile(
    r"\s*[\w.$>-]+(?:\[[^\]]{0,80}\])?(?:\(.*\)?|\s*[-+*|&]?=\s*\S.*|\+\+|--)[;,]?$"
)
#: Beginnings that statements have and other lines with brackets do not.
_STATEMENTS = tuple(
    "def |class |import |from |function |const |let |var |fn |pub |use |impl |#include|"
    "interface |declare |type |export |abstract |async |namespace |enum |trait |mod |"
    "package |func |public |private |static |struct |return |if (|for (|#!|CREATE |"
    "INSERT INTO |module |require |echo |if [|for |local |@media|SELECT |object |val |"
    "using |override |data class|sub |my ".split("|")
)
_TARGET = re.compile(r"[\w./%-]+ *:(?!=)")
_MAKE_RULE = re.compile(
    r"[\w./%$(){} -]{1,80}:(?:[^=/].*)?$|\t\S|[A-Z_]+ *[:?+]?= ?|\.PHONY|-?include "
    r"|ifeq|endif|else"
)

_COMMENT = ("//", "/*", "*", "--", '"""', "<!--")
_DIRECTIVE = re.compile(
    r"# *(?:define|include|if|ifdef|ifndef|endif|else|elif|undef|pragma|error)\b"
)
_STYLE_RULE = re.compile(
    r"\s*(?:--)?[\w-]{1,60}\s*:\s*[^;{}]{1,300};|[^;{}]{1,300}[{,]$|\s*\}"
)
_STYLE_VALUE = re.compile(r".*[\w-]\s*:\s*[^;{}]{1,300};")
_CLIP = 240


def evidence(view: View) -> Iterator[Evidence]:
    """Claim SOURCE_CODE when most lines that are no comment look like code."""
    rows = view.sample
    if not rows or len(view.text) < 20:
        return
    if _is_minified(view):
        yield Evidence(ContentType.SOURCE_CODE, "minified_code", 0.8)
    elif _is_makefile(view):
        yield Evidence(ContentType.SOURCE_CODE, "make_rules", 0.88)
    elif _is_style_sheet(view):
        yield Evidence(ContentType.SOURCE_CODE, "style_rules", 0.88)
    elif confidence := _program(view):
        yield Evidence(ContentType.SOURCE_CODE, "code_lines", confidence)


def _is_minified(view: View) -> bool:
    if len(view.sample) > 3 or len(view.text) <= 400:
        return False
    head = view.text[:4000]
    signs = sum(head.count(sign) for sign in "{}();=,")
    words = ("function", "var ", "return", "const ", "=>", "import ")
    used = sum(word in view.text[:20_000] for word in words)
    return signs >= 0.08 * len(head) and used >= 3


def _is_makefile(view: View) -> bool:
    rows = view.sample
    return (
        any(row[:1] == "\t" for row in rows)
        and any(_TARGET.match(row) for row in rows)
        and view.share(_MAKE_RULE, 0.9) >= 0.9
    )


def _is_style_sheet(view: View) -> bool:
    rows = view.sample
    if "{" not in view.text or view.share(_STYLE_VALUE, 0.3) < 0.3:
        return False
    plain = [row for row in rows if not row.lstrip().startswith(_COMMENT)]
    rules = sum(1 for row in plain if _STYLE_RULE.match(row.rstrip()))
    return len(plain) >= 3 and rules >= 0.85 * len(plain)


def _program(view: View) -> float:
    """Confidence from the share of code among lines that are no comment."""
    script = view.first.startswith(("#!/", "<?php"))
    if len(view.sample) == 1 and len(view.text) < 200 and not script:
        return 0.0
    if not script and not view.likely(_is_code, 0.5):
        return 0.0
    code = statements = size = 0
    for row in view.sample:
        bare = row.strip()
        if bare.startswith(_COMMENT):
            continue
        size += 1
        if _DIRECTIVE.match(bare):
            code += 1
            statements += 1
        elif bare[:1] != '"' and _is_code(row):
            code += 1
            statements += bare.startswith(_STATEMENTS)
    share = code / size if size else 0.0
    enough = share >= 0.5 and statements >= max(1, 0.04 * size)
    if not enough and not (script and share >= 0.3):
        return 0.0
    return min(0.9, 0.45 + 0.45 * share + 0.2 * min(0.5, statements / size))


def _is_code(row: str) -> bool:
    row = row[:_CLIP]
    return (
        _CODE.match(row) is not None
        or _CODE_CALL.match(row) is not None
        or row.partition(" //")[0].rstrip().endswith(_CODE_END)
    )
