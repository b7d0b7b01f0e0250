"""JSON texts as programs of all kinds write them, for property tests.

A text is written, not dumped: white space, number lexemes, escapes, key order
and duplicate keys are those that no serialiser would choose. Hypothesis draws
a seed and a size; drawing every choice is a hundred times slower.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

_SPACE = ("", "", "", " ", "\n", "\r\n", "\t", "\n    ")
_NUMBERS = (
    "0 -0 1 -1 7919 1.10 1E5 1e400 -2.5e-3 0.1 18446744073709551617 NaN Infinity "
    "-Infinity 123456789012345678901234567890 1714550400123456789"
).split()
#: Between the quotes, as written.
_STRINGS = (
    "|ok|ok|web-1|a,b|1|-0|1e5|001|true|null|NaN|?|? maybe| padded |a b|a:b|a.b|(x)|[1]"
    '|{|}|]|)|=|%s|100%|\\\\|\\"|\\n|\\/|\\u00e9|\\ud800|\\u0004|C:\\\\data\\\\0'
    "|[3 more lines]|[full output: ctx expand 000000000000]|\u2028|\x7f|\u00a0|日本語"
    "|\udcff|key:value|k?|it's"
).split("|")
_KEYS = ("id", "name", "status", "a", "b", "c", "a.b", "x y", "", "k:v", *_STRINGS)
_ALPHABET = "ab,:(){}[]? .%-'1"


class Writer:
    """Writes JSON by chance."""

    def __init__(self, seed: int) -> None:
        self._by = Random(seed)

    def text(self) -> str:
        """One document, JSON lines, or documents back to back."""
        kind = self._by.randrange(4)
        if kind < 2:
            docs = [self.document()]
        elif kind == 2:
            docs = self._records(2)
        else:
            docs = [self.document() for _ in range(self._by.randrange(1, 4))]
        between = self._by.choice(("\n", "", "\r\n", "\n\n", " "))
        mark = self._by.choice(("", "", "\ufeff"))
        return mark + self._space() + between.join(docs) + self._space()

    def document(self) -> str:
        """One array or object."""
        depth = self._by.choice((0, 1, 1, 2, 2, 3))
        return self._by.choice((self._some_object, self._some_array, self._like))(depth)

    def _value(self, depth: int) -> str:
        if depth < 1 or self._by.random() < 0.65:
            return self._scalar()
        make = (self._some_object, self._some_array, self._like, self._like)
        return self._by.choice(make)(depth - 1)

    def _scalar(self) -> str:
        kind = self._by.randrange(6)
        if kind < 2:
            return self._by.choice(_NUMBERS)
        if kind < 5:
            return f'"{self._string()}"'
        return self._by.choice(("true", "false", "null"))

    def _string(self) -> str:
        if self._by.random() < 0.8:
            return self._by.choice(_STRINGS)
        return "".join(self._by.choices(_ALPHABET, k=self._by.randrange(7)))

    def _key(self) -> str:
        return self._by.choice(_KEYS) if self._by.random() < 0.9 else self._string()

    def _some_object(self, depth: int) -> str:
        size = self._by.randrange(5)
        return self._object([(self._key(), self._value(depth)) for _ in range(size)])

    def _some_array(self, depth: int) -> str:
        return self._array([self._value(depth) for _ in range(self._by.randrange(5))])

    def _like(self, depth: int) -> str:
        """An array or an object of records."""
        records = self._records(depth)
        if self._by.random() < 0.6:
            return self._array(records)
        return self._object([(self._key(), record) for record in records])

    def _records(self, depth: int) -> list[str]:
        """Objects that mostly agree on keys and often on values."""
        by = self._by
        keys = [self._key() for _ in range(by.randrange(1, 7))]
        usual = [[self._value(depth) for _ in range(by.choice((1, 3)))] for _ in keys]
        rare = [by.choice((0.0, 0.0, 0.05, 0.3, 0.8)) for _ in keys]
        out = []
        for _ in range(by.choice((2, 3, 4, 6, 9))):
            pairs = [
                (key, self._value(depth) if by.random() < 0.1 else by.choice(values))
                for key, values, gone in zip(keys, usual, rare, strict=True)
                if by.random() >= gone
            ]
            if by.random() < 0.05:
                by.shuffle(pairs)
            if by.random() < 0.05:
                pairs.append((self._key(), self._value(depth)))
            out.append(self._object(pairs))
        return out

    def _object(self, pairs: list[tuple[str, str]]) -> str:
        space = self._space()
        items = [f'"{key}"{space}:{space}{value}' for key, value in pairs]
        return f"{{{space}{f',{space}'.join(items)}{self._space()}}}"

    def _array(self, items: list[str]) -> str:
        space = self._space()
        return f"[{space}{f'{self._space()},{space}'.join(items)}{space}]"

    def _space(self) -> str:
        return self._by.choice(_SPACE)


_SEEDS = st.integers(0, 2**40)
#: One array or object.
DOCUMENTS = _SEEDS.map(lambda seed: Writer(seed).document())
#: Whatever a program may print.
TEXTS = _SEEDS.map(lambda seed: Writer(seed).text())
