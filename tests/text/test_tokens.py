"""Exact counts, the estimate and the proven bounds."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tersely.text import tokens
from tersely.text.tokens import Tokens

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "corpus"


EXACT = [tokens.counter("o200k"), tokens.counter("cl100k")]

#: What pre-tokenizers treat apart, and runs that have tokens of their own.
ATOMS = [
    *"abqzABZ019 \t\n\r\v\f.,:;/\\'\"-=_*#()[]{}<>?\0\x1b\x1c",
    *"éßſ中文。٣४Ⅷ́\u200d\u3000\u2028\x85\xa0🚀",
    *("'s 'll 'LL 've 'Re don't the output lines more const Foo fooBar HTTP".split()),
    *(" the", " output", " lines", " more", " expand", "\udc80", "\udcff\udcfe"),
    *("  ", " " * 9, " " * 17, " " * 70, " " * 129, "\n\n", "\r\n", "\n  \n", "\t\t"),
    *("-" * 5, "-" * 40, "=" * 33, "_" * 20, "." * 30, "*" * 9, "a" * 30, "─" * 20),
    *("12", "123", "12345678", "a1b2", "0x7f", "//", "\n/", ".\n/(", "deadbeef"),
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(ATOMS), max_size=25).map("".join),
    st.text(st.characters(codec=None), max_size=60),
    st.binary(max_size=80).map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.tuples(st.sampled_from(ATOMS), st.integers(1, 300)).map(lambda t: t[0] * t[1]),
)


def _vocabulary(name: str) -> set[bytes]:
    return set(tokens._encoding(name)._mergeable_ranks)


@given(TEXTS)
def test_bounds_hold_for_both_encodings(text: str) -> None:
    least, most = tokens.least(text), tokens.most(text)

    for counter in EXACT:
        assert least <= counter.count(text) <= most, counter.name


def test_facts_about_the_vocabularies_that_the_bounds_rest_on() -> None:
    for name in ("o200k", "cl100k"):
        vocabulary = _vocabulary(name)

        assert max(map(len, vocabulary)) == 128
        pairs = [a + b for a in " " + tokens.PAIRING for b in tokens.PAIRING]
        assert [pair for pair in pairs if pair.encode() not in vocabulary] == []
        words = [f" {word}" for word in tokens.WHOLE_WORDS]
        assert [word for word in words if word.encode() not in vocabulary] == []
        runs = [c * n for c, top in tokens.RUNS.items() for n in range(1, top + 1)]
        assert [run for run in runs if run.encode() not in vocabulary] == []
        numbers = [f"{n:0{width}}" for width in (1, 2, 3) for n in range(10**width)]
        assert [number for number in numbers if number.encode() not in vocabulary] == []


@given(TEXTS)
def test_exact_counts_are_those_of_an_independent_bpe(text: str) -> None:
    bindings = pytest.importorskip("bpe_openai._bindings")
    shown = text.encode("utf-8", "replace").decode()

    for counter in EXACT:
        oracle = bindings.tokenizer_for_encoding(f"{counter.name}_base")
        assert oracle.count(shown) == counter.count(text)


@pytest.mark.parametrize("name", ["o200k", "cl100k"])
def test_ranks_are_those_that_tiktoken_uses(name: str) -> None:
    import pack_ranks

    packed = Path(tokens.__file__).parent / "data" / f"{name}_base.zst"

    ranks = pack_ranks.unpack(packed.read_bytes())

    assert pack_ranks.digest(ranks) == pack_ranks.SHA256[f"{name}_base"]


def test_special_tokens_are_ordinary_text() -> None:
    for counter in EXACT:
        assert counter.count("<|endoftext|>") > 1


def test_undecodable_bytes_count_as_question_marks() -> None:
    raw = b"abc \xff\xfe\x80 def".decode("utf-8", "surrogateescape")

    for counter in (*EXACT, tokens.counter("estimate")):
        assert counter.count("abc ??? def") == counter.count(raw)


@given(st.lists(st.sampled_from(ATOMS), max_size=40).map("".join))
def test_pieces_do_not_change_a_count(text: str) -> None:
    encode = {c.name: tokens._encoding(c.name).encode_ordinary for c in EXACT}
    text = text.encode("utf-8", "replace").decode()

    for at in [found.end() for found in tokens._LINE_CUT.finditer(text)] + [
        found.end() for found in tokens._WORD_CUT.finditer(text)
    ]:
        for name, of in encode.items():
            assert of(text[:at]) + of(text[at:]) == of(text), (name, at)


def test_pieces_are_short_and_are_the_text() -> None:
    dice = random.Random(5)
    text = "".join(dice.choices(ATOMS, k=60_000)) + "x" * 250_000

    pieces = list(tokens._pieces(text))

    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= tokens._PIECE


@pytest.mark.parametrize("char", ["a", " ", "-", "\n", "中", "é", "7", "\x00"])
def test_ten_megabytes_of_one_character_are_counted(char: str) -> None:
    text = char * (10_000_000 // len(char.encode()))
    least, most = tokens.least(text), tokens.most(text)

    for counter in EXACT:
        assert least <= counter.count(text) <= most
    assert 1 <= tokens.estimate(text) <= len(text.encode())


def test_importing_the_module_loads_no_tokenizer() -> None:
    code = (
        "import sys; from tersely.text import tokens; tokens.estimate('x y');"
        "sys.exit(bool({'tiktoken', 'zstandard', 'regex'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], check=False)

    assert done.returncode == 0


def test_the_loader_of_tiktoken_is_never_used(monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken.load

    def refuse(*_: object) -> bytes:
        raise AssertionError("a download was tried")

    monkeypatch.setattr(tiktoken.load, "read_file", refuse)
    tokens._encoding.cache_clear()

    assert tokens.counter("o200k").count("hello world") == 2


@given(TEXTS)
def test_an_estimate_is_at_least_one_and_at_most_the_bytes(text: str) -> None:
    estimate = tokens.estimate(text)

    assert bool(text) <= estimate <= len(text.encode("utf-8", "replace"))


def test_the_estimate_grows_with_the_text() -> None:
    text = Path(tokens.__file__).read_text("utf-8")
    sizes = [tokens.estimate(text[:at]) for at in range(0, len(text), 500)]

    assert sorted(sizes) == sizes
    assert sizes[0] == 0


@cache
def _payloads() -> list[str]:
    """600 payloads of 2 KB and more: our sources, and made-up text over them."""
    from payloads import Synthesis

    sources = [
        path.read_text("utf-8")
        for folder in ("src", "tests", "benchmarks")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ]
    whole = "\n".join(sources)
    words, names = (
        whole.split()[:20_000],
        [w for w in whole.split() if w.isidentifier()],
    )
    made = Synthesis(random.Random(11), [w for w in words if w.isalpha()], names[:9000])
    texts = [whole[at : at + 4096] for at in range(0, len(whole) - 4096, 4096)][:100]
    texts += [made.lines() for _ in range(400)]
    texts += [made.records()[:6000] for _ in range(100)]
    texts += [made.ci(text) for text in texts[:50]]
    texts += [made.ansi(text) for text in texts[50:100]]
    texts += [made.job(text) for text in texts[200:250]]
    return [text for text in texts if len(text.encode()) >= 2048]


def _outside(texts: list[str]) -> list[tuple[int, int, int, str]]:
    """Those whose exact count is not where `between` says."""
    count = tokens.counter("o200k").count
    found = [(*tokens.between(text), count(text), text[:60]) for text in texts]
    return [
        (low, high, n, text) for low, high, n, text in found if not low <= n <= high
    ]


def test_counts_lie_where_the_estimate_says_on_500_payloads() -> None:
    payloads = _payloads()

    assert len(payloads) >= 500
    assert _outside(payloads) == []


def test_counts_lie_where_the_estimate_says_on_the_corpus() -> None:
    if not SHARED.is_dir():
        pytest.skip("../shared/corpus is not there")
    files = [path for path in sorted(SHARED.glob("*/*")) if path.is_file()]
    texts = [path.read_bytes().decode("utf-8", "surrogateescape") for path in files]
    slices = [
        text[at : at + 4096] for text in texts for at in range(0, len(text), 65_536)
    ]

    large = [
        text for text in texts + slices if len(text.encode("utf-8", "replace")) >= 2048
    ]

    assert len(large) >= 200
    assert _outside(large) == []


def test_small_texts_lie_between_the_proven_bounds() -> None:
    text = "short text, 12 words"

    assert (tokens.least(text), tokens.most(text)) == tokens.between(text)


def test_a_large_text_is_bounded_closer_than_by_proof() -> None:
    text = Path(tokens.__file__).read_text("utf-8")

    low, high = tokens.between(text)

    assert tokens.least(text) <= low < tokens.estimate(text) < high < tokens.most(text)


def test_costs_of_lines_add_up_to_about_the_estimate() -> None:
    for text in _payloads()[::7]:
        lines = text.splitlines()

        costs = tokens.cost(lines)

        assert len(lines) == len(costs)
        assert min(costs) >= 1
        whole = tokens.estimate("\n".join(lines) + "\n")
        assert whole - len(lines) <= sum(costs) <= max(whole, len(lines)) + len(lines)


def test_cost_of_no_lines_of_empty_and_of_one_huge_line() -> None:
    assert tokens.cost([]) == []
    assert tokens.cost(["", ""]) == [1, 1]
    (huge,) = tokens.cost(["word " * 400_000])
    assert 0.5 < huge / tokens.estimate("word " * 400_000) < 2


def test_a_small_text_is_tallied_whole() -> None:
    text = "def name(x):\n    return x\n" * 2000

    for name in tokens.COUNTERS:
        counter = tokens.counter(name)
        assert tokens.tally(text, counter) == (counter.count(text), 0.0)


def test_a_large_text_is_tallied_within_the_error_it_states() -> None:
    counter = tokens.counter("o200k")
    payloads = _payloads()
    texts = ["\n".join(payloads[at::40]) for at in range(0, 40, 4)]
    texts += ["\n".join(payloads[at : at + 15]) for at in range(0, 450, 45)]

    for text in [text for text in texts if len(text) > tokens.WHOLE]:
        count, error = tokens.tally(text, counter)

        assert abs(count / counter.count(text) - 1) <= error
        assert (count, error) == tokens.tally(text, counter)


def test_one_giant_line_is_tallied() -> None:
    counter = tokens.counter("cl100k")
    text = '{"id": 12345, "name": "value"},' * 20_000

    count, error = tokens.tally(text, counter)

    assert abs(count / counter.count(text) - 1) <= error < 0.05


def test_unknown_counter_is_named_with_the_choices() -> None:
    with pytest.raises(ValueError, match=r"'gpt2'.*estimate, o200k, cl100k"):
        tokens.counter("gpt2")


def test_numbers_of_different_counters_are_never_added() -> None:
    assert Tokens("o200k", 2) + Tokens("o200k", 3) == Tokens("o200k", 5)
    with pytest.raises(ValueError, match="o200k and estimate do not add up"):
        Tokens("o200k", 2) + Tokens("estimate", 3)
