"""Hypothesis strategies for JSON texts as programs of all kinds write them.

A text is drawn, not dumped: white space, number lexemes, escapes, key order
and duplicate keys are those that a serialiser would never choose.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

SPACE = st.sampled_from(["", "", " ", "\n", "\r\n", "\t", "\n    "])
NUMBERS = st.sampled_from(
    "0 -0 1 -1 7919 1.10 1E5 1e400 -2.5e-3 0.1 18446744073709551617 NaN Infinity "
    "-Infinity 123456789012345678901234567890 1714550400123456789".split()
)
#: Between the quotes, as written.
STRING_LEXEMES = st.one_of(
    st.sampled_from(
        [
            "",
            "ok",
            "a,b",
            "1",
            "-0",
            "1e5",
            "001",
            "true",
            "null",
            "NaN",
            "?",
            "? maybe",
            " padded ",
            "a b",
            "a:b",
            "a.b",
            "(x)",
            "[1]",
            "{",
            "}",
            "]",
            ")",
            "=",
            "%s",
            "100%",
            "\\\\",
            '\\"',
            "\\n",
            "\\/",
            "\\u00e9",
            "\\ud800",
            "\\u0004",
            "C:\\\\data\\\\0",
            "[3 more lines]",
            "[full output: ctx expand 000000000000]",
            "\u2028",
            "\x7f",
            "\u00a0",
            "日本語",
            "\udcff",
            "key:value",
            "k?",
        ]
    ),
    st.text("ab,:(){}[]? .%-'1", max_size=6),
)
STRINGS = STRING_LEXEMES.map(lambda lexeme: f'"{lexeme}"')
SCALARS = st.one_of(NUMBERS, STRINGS, st.sampled_from(["true", "false", "null"]))
KEYS = st.one_of(
    st.sampled_from(["id", "name", "status", "a", "b", "c", "a.b", "x y", "", "k:v"]),
    STRING_LEXEMES,
)
_Draw = Callable[[st.SearchStrategy[str]], str]


@st.composite
def _objects(draw: st.DrawFn, below: st.SearchStrategy[str]) -> str:
    pairs = draw(st.lists(st.tuples(KEYS, below), max_size=5))
    return _object(draw, pairs)


@st.composite
def _arrays(draw: st.DrawFn, below: st.SearchStrategy[str]) -> str:
    return _array(draw, draw(st.lists(below, max_size=5)))


@st.composite
def _records(draw: st.DrawFn, below: st.SearchStrategy[str]) -> list[str]:
    """Objects that mostly agree on keys and often on values."""
    keys = draw(st.lists(KEYS, min_size=1, max_size=6))
    usual = [draw(below) for _ in keys]
    few = [draw(st.lists(below, min_size=1, max_size=3)) for _ in keys]
    out = []
    for _ in range(draw(st.integers(2, 12))):
        pairs = []
        for key, value, others in zip(keys, usual, few, strict=True):
            kind = draw(st.integers(0, 9))
            if kind == 0:
                continue
            other = draw(st.sampled_from(others))
            pairs.append((key, other if kind < 4 else value))
        if draw(st.integers(0, 7)) == 0:
            pairs = draw(st.permutations(pairs))
        if draw(st.integers(0, 9)) == 0:
            pairs.append((draw(KEYS), draw(below)))
        out.append(_object(draw, pairs))
    return out


@st.composite
def _like(draw: st.DrawFn, below: st.SearchStrategy[str]) -> str:
    """An array or an object of records."""
    records = draw(_records(below))
    if draw(st.booleans()):
        return _array(draw, records)
    return _object(draw, [(draw(KEYS), record) for record in records])


def _object(draw: st.DrawFn, pairs: list[tuple[str, str]]) -> str:
    space = draw(SPACE)
    body = f",{space}".join([f'"{key}"{space}:{space}{item}' for key, item in pairs])
    return f"{{{space}{body}{draw(SPACE)}}}"


def _array(draw: st.DrawFn, items: list[str]) -> str:
    space = draw(SPACE)
    return f"[{space}" + f"{draw(SPACE)},{space}".join(items) + f"{space}]"


VALUES: st.SearchStrategy[str] = st.recursive(
    SCALARS,
    lambda below: st.one_of(_objects(below), _arrays(below), _like(below)),
    max_leaves=12,
)
#: One array or object.
DOCUMENTS = st.one_of(_objects(VALUES), _arrays(VALUES), _like(VALUES))


@st.composite
def texts(draw: st.DrawFn) -> str:
    """One document, JSON lines, or documents back to back."""
    if draw(st.booleans()):
        docs = [draw(DOCUMENTS)]
    elif draw(st.booleans()):
        docs = draw(_records(VALUES))
    else:
        docs = draw(st.lists(DOCUMENTS, min_size=1, max_size=3))
    mark = draw(st.sampled_from(["", "", "\ufeff"]))
    between = draw(st.sampled_from(["\n", "", "\r\n", "\n\n", " "]))
    return mark + draw(SPACE) + between.join(docs) + draw(SPACE)
