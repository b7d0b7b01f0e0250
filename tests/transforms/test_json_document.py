"""JSON documents are minified, like objects in them become tables."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given

import json_texts
from tersely.model import Change, Facts, Proof
from tersely.pipeline import emit, guard
from tersely.text import lines
from tersely.transforms.json_document import TRANSFORM


def proved(raw: str) -> Change | None:
    """What the transform makes of `raw`, held against its proof."""
    text = lines.split(raw)
    change = TRANSFORM.apply(text, {}, Facts())
    if change is not None:
        assert change.proof is Proof.CANONICAL
        assert guard.problem(text, change, transform=TRANSFORM) is None
    return change


def laid_out(raw: str) -> str:
    change = proved(raw)
    assert change is not None and change.text is not None
    return change.text


@given(json_texts.DOCUMENTS)
def test_any_document_comes_back(raw: str) -> None:
    change = proved(raw)

    if change is not None:
        assert change.text is not None and len(change.text) < len(raw)


@given(json_texts.DOCUMENTS)
def test_without_a_legend_it_is_still_the_same_json(raw: str) -> None:
    """V9: shortened JSON is JSON, or a line outside it says that it is not."""
    change = proved(raw)

    if change is not None and change.legend is None:
        assert change.text is not None
        assert repr(json.loads(change.text)) == repr(json.loads(raw))


def test_an_array_of_like_objects_is_a_table_in_json() -> None:
    items = [{"id": n, "name": f"n-{n}", "kind": "disk"} for n in range(6)]
    raw = json.dumps({"count": 6, "items": items, "next": None}, indent=2)

    change = proved(raw)

    assert change is not None and change.legend is not None
    assert emit.legend(change.legend) == "[1 table: keys and constants, then rows]"
    assert change.text == (
        '{"count":6,"items":[(id,name,kind:disk)\n0,n-0\n1,n-1\n2,n-2\n3,n-3\n'
        '4,n-4\n5,n-5\n],"next":null}'
    )


def test_an_object_of_like_objects_is_a_table_by_key() -> None:
    packages = {
        f"node_modules/p{n}": {"version": f"{n}.0.1", "license": "MIT", "dev": n > 2}
        for n in range(5)
    }
    raw = json.dumps({"packages": packages})

    text = laid_out(raw)

    assert text.startswith('{"packages":{(version,license:MIT,dev)\n')
    assert "\nnode_modules/p3:3.0.1,true\n" in text


def test_objects_in_rows_share_a_header_too() -> None:
    pods = [
        {
            "name": f"pod-{n}",
            "owner": {"kind": "Job", "id": n},
            "ports": [{"port": 80 + p, "protocol": "TCP"} for p in range(n)],
        }
        for n in range(4)
    ]

    text = laid_out(json.dumps({"pods": pods}))

    assert "(name,owner{kind:Job,id},ports[port,protocol:TCP])\n" in text
    assert "\npod-0,0,[]\n" in text
    assert "\npod-3,3,[(80),(81),(82)]\n" in text


def test_unlike_objects_keep_their_keys_beside_their_values() -> None:
    raw = json.dumps(
        {"a": {"type": "string"}, "b": {"minimum": 1}, "c": {"items": [{"x": 1}]}}
    )

    assert laid_out(raw) == raw.replace(" ", "")


def test_numbers_escapes_and_duplicate_keys_stay_as_written() -> None:
    raw = (
        '{ "a": 1.10, "a": 1E5, "b": -0, "c": 18446744073709551617,\r\n'
        ' "d": "\\/\\u00e9\\ud800", "e": NaN, "f": 1e400 }'
    )

    assert laid_out(raw) == (
        '{"a":1.10,"a":1E5,"b":-0,"c":18446744073709551617,'
        '"d":"\\/\\u00e9\\ud800","e":NaN,"f":1e400}'
    )


@pytest.mark.parametrize("raw", ["", "null", "key: value", "{'a': 1}", "// x\n{}"])
def test_what_is_no_json_is_left_alone(raw: str) -> None:
    assert proved(raw) is None


@pytest.fixture
def score(shared: Path) -> ModuleType:
    """The scoreboard's own reading of facts and its token counter."""
    path = shared / "scoreboard" / "score.py"
    spec = importlib.util.spec_from_file_location("score", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    # Read, not imported: the folder cannot be written to.
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr("sys.dont_write_bytecode", True)
        patch.setitem(importlib.import_module("sys").modules, "score", module)
        spec.loader.exec_module(module)
    return module


def test_visible_json_gets_a_third_shorter_and_keeps_its_facts(
    shared: Path, score: ModuleType
) -> None:
    items = score.load_manifest(shared / "corpus", {"json"})
    counter, count = score.token_counter()
    raw_tokens = out_tokens = 0
    lost = []
    for item in items:
        raw = (shared / "corpus" / item["path"]).read_bytes().decode("utf-8")
        change = proved(raw)
        out = raw
        if change is not None:
            out = emit.render([emit.Part(lines.split(raw), change)], None)
        raw_tokens += count(raw)
        out_tokens += count(out)
        squeezed = score.SPACE.sub("", out)
        lost += [
            f"{item['path']}: {fact}"
            for fact in item["must_keep"]
            if not score.kept(fact, out, squeezed)
        ]

    assert [] == lost
    assert items and counter
    # 35 % on 2026-11-30, o200k: one file is a response with its HTTP headers,
    # which this transform alone does not take.
    assert 1 - out_tokens / raw_tokens >= 0.33
