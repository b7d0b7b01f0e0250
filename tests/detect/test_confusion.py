"""One confusion table over all labelled inputs, and what each class must reach.

Floors are recall: of the inputs of a class the share that is recognised. They only
ever rise.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from detect import inputs
from tersely.detect import detect_content_type
from tersely.model import ContentType

C = ContentType
CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"

#: Whole captures and hand-written texts.
FLOOR = 0.97
#: A head or a tail may have lost what tells a class: a diff without its hunk header.
VARIANT_FLOORS = {
    "crlf": 0.97,
    "colour": 0.97,
    "compose": 0.95,
    "github": 0.98,
    "head": 0.93,
    "tail": 0.9,
}

#: Corpus classes say what a command was for, not what it printed. `git` and
#: `mixed` have no one type and are only shown. Logs of one JSON record a line are
#: records (see detect/data.py). A diff's class holds reports of `git apply` and
#: `patch` (no hunk in them) and a diffstat, hence its floor.
CORPUS_TYPES: dict[str, tuple[frozenset[ContentType], float]] = {
    "app_log": (frozenset({C.LOG, C.JSON_ARRAY}), 1.0),
    "build_log": (frozenset({C.BUILD_OUTPUT}), 0.95),
    "test_log": (frozenset({C.BUILD_OUTPUT}), 0.95),
    "diff": (frozenset({C.DIFF}), 0.66),
    "json": (frozenset({C.JSON, C.JSON_ARRAY}), 1.0),
    "search": (frozenset({C.SEARCH_RESULTS}), 1.0),
    "listing": (frozenset({C.LISTING}), 1.0),
    "markdown": (frozenset({C.MARKDOWN}), 1.0),
    "html": (frozenset({C.HTML}), 1.0),
    "yaml_toml": (frozenset({C.CONFIG}), 1.0),
    "code": (frozenset({C.SOURCE_CODE}), 1.0),
    "prose": (frozenset({C.PLAIN_TEXT}), 1.0),
    "tabular": (frozenset({C.TABLE}), 0.9),
}


def test_each_class_of_labelled_inputs_reaches_its_floor() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    wrong = []
    for name, kind, data in inputs.labelled():
        got = detect_content_type(data)
        seen[kind.name, got.content_type.name] += 1
        if got.content_type is not kind:
            wrong.append(f"{name}: {got.content_type.name} {got.signal}")

    print(_table(seen))
    print(*wrong, sep="\n")
    assert sum(seen.values()) >= 200
    assert {row for row, _ in seen} == {kind.name for kind in ContentType}
    assert {} == {row: share for row, share in _recall(seen) if share < FLOOR}


@pytest.mark.parametrize("variant", sorted(VARIANT_FLOORS))
def test_variants_of_labelled_inputs_reach_their_floor(variant: str) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    wrong = []
    for name, kind, data in inputs.labelled():
        for which, text in inputs.variants(kind, data):
            if which != variant:
                continue
            got = detect_content_type(text)
            want, found = kind, got.content_type
            if which in ("head", "tail"):
                want, found = _part(want), _part(found)
            seen[want.name, found.name] += 1
            if found is not want:
                wrong.append(f"{name}: {found.name} {got.signal}")

    total = sum(seen.values())
    right = sum(count for (row, column), count in seen.items() if row == column)
    print(_table(seen))
    print(*wrong, sep="\n")
    assert total >= 30
    assert right >= VARIANT_FLOORS[variant] * total


def test_corpus_classes_reach_their_floor() -> None:
    if not (CORPUS / "MANIFEST.jsonl").is_file():
        pytest.skip("../shared/corpus is not here: only our own inputs are checked")
    seen: Counter[tuple[str, str]] = Counter()
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for line in (CORPUS / "MANIFEST.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        kind = entry["class"]
        data = (CORPUS / entry["path"]).read_bytes() if kind != "traces" else b""
        if not data:
            continue
        got = detect_content_type(data).content_type
        seen[kind, got.name] += 1
        if kind in CORPUS_TYPES:
            total[kind] += 1
            right[kind] += got in _expected(kind, entry)

    print(_table(seen))
    missed = {
        kind: f"{right[kind]} of {total[kind]}"
        for kind, (_, floor) in CORPUS_TYPES.items()
        if right[kind] < floor * total[kind]
    }
    assert {} == missed


def _part(kind: ContentType) -> ContentType:
    """A part of an array is no array any more."""
    return C.JSON if kind is C.JSON_ARRAY else kind


def _expected(kind: str, entry: dict[str, str]) -> frozenset[ContentType]:
    """What the command printed where its class says something else."""
    if kind == "search" and (entry.get("command") or "").startswith("find "):
        return frozenset({C.LISTING})
    if entry["path"].endswith(".ipynb"):
        return frozenset({C.JSON})
    return CORPUS_TYPES[kind][0]


def _recall(seen: Counter[tuple[str, str]]) -> Iterable[tuple[str, float]]:
    for row in sorted({row for row, _ in seen}):
        total = sum(count for (kind, _), count in seen.items() if kind == row)
        yield row, seen[row, row] / total


def _table(seen: Counter[tuple[str, str]]) -> str:
    rows = sorted({row for row, _ in seen})
    columns = sorted({column for _, column in seen})
    width = max(map(len, rows)) + 1
    head = " " * width + " ".join(f"{column[:9]:>9}" for column in columns)
    body = [
        f"{row:<{width}}"
        + " ".join(f"{seen[row, column] or '.':>9}" for column in columns)
        for row in rows
    ]
    return "\n".join(["", head, *body])
