"""Configuration: YAML, TOML and INI, environment files, Dockerfiles, HCL, nginx."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model import ContentType
from .view import Evidence, View

_YAML_KEY = re.compile(
    r"\s*(?:- ){0,3}(?:[\w.$/@<*~{}()+-]{1,100}|[\w.$-]{1,40}(?: [\w.$-]{1,40}){1,2}"
    r"|\"[^\"\n]{1,100}\"|'[^'\n]{1,100}'):(?: \S|\s*$)"
)
_YAML_OTHER = re.compile(r"\s*- \S|---(?:\s|$)|\.\.\.$|\s*#|\s*[}\]]|\s*-$")
_YAML_FLOW = re.compile(r"\s*[\"'\d].{0,200},$|\s*[\[\]{}],?$")
_COMMENT = re.compile(r"\s*[#;]")
_YAML_BLOCK = re.compile(r".{0,200}(?::|-) [|>][-+\d]{0,2}\s*(?:#.*)?$")
_INI = re.compile(r"\[{1,2}[\w.\"'@ :/*-]{1,120}\]{1,2}\s*(?:[#;].*)?$")
_ASSIGN = re.compile(
    r"\s*(?:[#;]?\s?(?:export )?)[A-Za-z_][\w.\"'-]{0,100}\s*=(?!=|>)"
    r"|\s*\"[^\"\n]{1,100}\" *= "
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

#: Prefixes of what was recorded line by line. Behind a stamp `INFO app: text`
#: looks like a key with its value.
_RECORDED = ("stamp", "ci", "container")

_CLIP = 240


def evidence(view: View) -> Iterator[Evidence]:
    """Claim CONFIG for each notation that explains most lines."""
    if len(view.sample) < 2 or view.prefix in _RECORDED:
        return
    for signal, confidence in (
        ("ini_sections", _sections(view)),
        ("env_rows", _assignments(view)),
        ("dockerfile", _dockerfile(view)),
        ("braced_blocks", _blocks(view)),
        ("yaml_keys", _yaml_document(view)),
    ):
        if confidence:
            yield Evidence(ContentType.CONFIG, signal, confidence)


def _sections(view: View) -> float:
    """INI and TOML: `[section]` lines and assignments."""
    if not any(row[:1] == "[" for row in view.sample):
        return 0.0
    sections, assigned = view.share(_INI), view.share(_ASSIGN)
    explained = sections + assigned + view.share(_VALUES)
    if not sections or explained < 0.8 or assigned + sections < 0.3:
        return 0.0
    return 0.0 if _code_ends(view) else 0.92


def _assignments(view: View) -> float:
    """`NAME=value` rows: hardly a name comes twice, nothing else but comments."""
    rows = view.sample
    assigned = view.share(_ASSIGN, 0.4)
    if assigned < 0.4 or len(rows) < 3 or _code_ends(view):
        return 0.0
    names = [row.partition("=")[0].strip() for row in rows if row[:1] not in "#;!"]
    if len(set(names)) < 0.8 * len(names):
        return 0.0
    if view.share(_ENV) >= 0.9:
        return 0.9
    spaced = [name for name in names if " " in name]
    explained = assigned + view.share(_COMMENT)
    return 0.8 if explained >= 0.95 and not spaced and len(rows) >= 5 else 0.0


def _dockerfile(view: View) -> float:
    rows = view.sample
    if not any(row.startswith(("FROM ", "ARG ", "# syntax=")) for row in rows[:20]):
        return 0.0
    steps = ("RUN ", "COPY ", "CMD", "ENTRYPOINT")
    if not any(row.startswith(steps) for row in rows):
        return 0.0
    return 0.93 if view.share(_DOCKER, 0.9) >= 0.9 else 0.0


def _blocks(view: View) -> float:
    """HCL and nginx: named blocks in braces with settings inside."""
    rows = view.sample
    if any(_HCL.match(row) for row in rows[:30]) and view.share(_ASSIGN) >= 0.3:
        return 0.9
    starts = ("server {", "location ", "upstream ", "http {")
    if sum(1 for row in rows if _NGINX.match(row)) >= 3:
        if any(row.lstrip().startswith(starts) for row in rows):
            return 0.92
    return 0.0


def _yaml_document(view: View) -> float:
    rows = view.sample
    keys, yaml = _yaml(view)
    if keys < 0.3 or yaml < 0.85:
        return 0.0
    if sum(1 for row in rows if row.rstrip()[-1:] in ",{}[") > 0.5 * len(rows):
        return 0.0  # a piece of JSON
    nested = any(row[:1] in " -" for row in rows)
    names = [row.partition(":")[0] for row in rows if row[:1] not in " -#\t"]
    if not nested and len(set(names)) < len(names):
        return 0.0  # the same key twice at the top: messages, not a document
    flat = not nested and any(_RECORD.match(row) for row in rows)
    return (0.5 if flat else 0.62) + 0.3 * yaml


def _yaml(view: View) -> tuple[float, float]:
    """Shares of the sample that are keys, and that YAML explains at all.

    Lines of a block scalar (`run: |`) and of a folded value are deeper than
    their key, whatever they hold.
    """
    if view.first.lstrip()[:1] in ("{", "[", "<"):
        return 0.0, 0.0
    if not view.likely(lambda row: _YAML_KEY.match(row[:_CLIP]) is not None, 0.2):
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
        elif _YAML_FLOW.match(row):
            other += 1
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
