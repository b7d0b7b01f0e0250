"""Count tokens: exactly and offline, by a cheap estimate, and by proven bounds.

Four grades, cheapest first (MB/s and errors: docs/estimator.md):

- `least` and `most` hold for every text and both encodings. They are proved
  from the shape of the two pre-tokenizers and a few facts about the
  vocabularies, which tests check against the ranks.
- `estimate` is linear in counts of class n-grams; its error is measured, not
  proved. `between` says how far to trust it.
- `tally` samples large texts.
- `counter("o200k").count` is the real BPE. The ranks are packed in `data/`
  (benchmarks/pack_ranks.py) and are loaded once per process: about 0.2 s.

A surrogate (an undecodable byte) counts as the ``?`` that
``text.encode("utf-8", "replace")`` makes of it, everywhere. Special tokens
such as ``<|endoftext|>`` are ordinary text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding


#: Texts up to this size are counted whole by `tally`, in characters.
WHOLE = 65_536

#: Neighbours in the sample of `cost`: more than the period of any report.
_RUN = 16

#: From this size on, in bytes, the estimate's errors are bounded as below.
STEADY = 2_048

#: ``estimate / OVER <= o200k <= estimate * UNDER + bytes that are not ASCII / 2``.
#: Measured, with a margin, not proved: docs/estimator.md. The last term is for
#: tables of rare ideographs, which are 2 to 4 tokens each, prose 0.7.
UNDER = 1.7
OVER = 1.7

#: Names that `counter` knows.
COUNTERS = ("estimate", "o200k", "cl100k")

_SLICES = 64  # of a sample, 1,024 characters each
#: Characters fed to the BPE at once. Divisible by 3 and by powers of 2, so that
#: blind cuts in long runs fall between tokens.
_PIECE = 98_304
_SHORT = 4096  # bytes; `most` looks for whole words in texts up to this


def _table(classes: Callable[[int], str]) -> bytes:
    """A table for `bytes.translate` that maps each byte to its class."""
    return "".join(map(classes, range(256))).encode("latin-1")


def _shape(byte: int) -> str:
    """Lower, Upper, Digit, Newline, Space, Punctuation, or X: not ASCII."""
    char = chr(byte)
    if byte > 127:
        return "X"
    if char.isalpha():
        return "l" if char.islower() else "U"
    if char.isdigit():
        return "D"
    return "N" if char in "\r\n" else "S" if char in " \t\v\f" else "P"


_ENDS = "\t\r\n"


def _merged(byte: int) -> str:
    """As `_shape`, both cases of letters as one."""
    return "a" if _shape(byte) in "lU" else _shape(byte)


def _sound(byte: int) -> str:
    """Vowels, rare and other letters: words differ from codes by them.

    Backslashes and control characters, too, which make text dear.
    """
    char = chr(byte)
    if _merged(byte) != "a":
        return "b" if char == "\\" else "c" if byte < 32 and char not in _ENDS else "-"
    if char in "aeiou":
        return "v"
    return "r" if char in "jqxzkwvyJQXZKWVY" else "l"


def _script(byte: int) -> str:
    """Lead bytes by script: Latin, Greek, Cyrillic, ... CJK, Hangul, emoji."""
    for last, script in _SCRIPTS:
        if byte <= last:
            return script
    return "-"


_SCRIPTS = (
    (0x7F, "-"),
    (0xBF, "."),
    (0xC3, "a"),
    (0xCA, "b"),
    (0xCF, "c"),
    (0xD3, "d"),
    (0xDF, "e"),
    (0xE0, "f"),
    (0xE1, "g"),
    (0xE2, "h"),
    (0xE3, "i"),
    (0xE9, "j"),
    (0xED, "k"),
    (0xEF, "m"),
    (0xF4, "n"),
)
_ALPHABETS = (_table(_shape), _table(_merged), _table(_sound))
_SCRIPT = _table(_script)
_ASCII = bytes(range(128))

#: Alphabet, gram and tokens per occurrence, by ``benchmarks/estimator.py --fit``.
#: Fitted 2026-11-30 on 6,700 texts (26 MB); grams overlap, so single weights
#: mean little.
_WEIGHTS: tuple[tuple[int, bytes, float], ...] = (
    (0, b"D", 1.2218),
    (0, b"SP", 1.1692),
    (0, b"llllll", -0.7676),
    (0, b"DD", -0.4009),
    (0, b"NP", 0.6289),
    (0, b"UlU", 2.1253),
    (0, b"DP", 1.4664),
    (0, b"UDU", 0.8357),
    (0, b"UUUUUU", -0.4875),
    (1, b"aa", 1.0223),
    (1, b"DDD", -1.5917),
    (1, b"SSD", 0.7778),
    (1, b"aN", 1.3082),
    (1, b"aP", 0.9217),
    (1, b"aaPaa", -0.6195),
    (1, b"aSS", 1.1833),
    (1, b"NSS", 0.6834),
    (1, b"PPPPPPPPPPPPPPPP", -2.3706),
    (1, b"PPPP", 0.6337),
    (1, b"aaaa", -0.7408),
    (1, b"SDN", 2.2055),
    (1, b"PDa", 1.4370),
    (1, b"SaP", 0.4965),
    (1, b"aDS", 2.6264),
    (1, b"PaP", 1.1865),
    (1, b"DNa", 1.7759),
    (1, b"DDP", -1.1639),
    (1, b"PNP", -0.0228),
    (1, b"DPa", -0.8352),
    (1, b"NPD", 1.4611),
    (1, b"SSP", 0.1141),
    (1, b"PDP", -1.0033),
    (1, b"PSS", 1.0744),
    (2, b"r", 0.1000),
    (2, b"vl", -0.1272),
    (2, b"lv", -0.1338),
    (2, b"rr", 1.0987),
    (2, b"b", 0.5851),
    (2, b"c", 0.8156),
)
#: The same for what is not ASCII; alphabets as `_classes` returns them.
_SCRIPT_WEIGHTS: tuple[tuple[int, bytes, float], ...] = (
    (1, b"SX", 0.2841),
    (1, b"XSS", 0.2732),
    (1, b"XSX", -0.4910),
    (1, b"XN", 2.1464),
    (1, b"Xa", 0.0016),
    (1, b"aX", 1.0160),
    (3, b"a", 0.4125),
    (3, b"b", 0.3808),
    (3, b"c", 0.4286),
    (3, b"d", 0.3254),
    (3, b"e", 0.4142),
    (3, b"f", 0.4227),
    (3, b"g", -0.5572),
    (3, b"h", 0.3491),
    (3, b"h..h..", 0.3259),
    (3, b"i", 0.6214),
    (3, b"j", 0.7713),
    (3, b"k", 0.7822),
    (3, b"m", 1.1771),
    (3, b"n", 1.1031),
    (3, b"h..h..h..h..h..h..h..h..", 0.2581),
    (4, b" \xe2\x94", 2.3331),
    (4, b"\xe2\x94\x80\xe2\x94\x80", -0.2728),
    (4, b"\xe2\x80", -0.1488),
    (4, b"\xe2\x94", -0.3112),
    (4, b"\xe2\x95", -0.3525),
    (4, b"\xe2\x96", 0.1351),
)


def _mark(ones: Callable[[int], bool], zeros: Callable[[int], bool]) -> bytes:
    """A table: 1 for bytes in `ones`, 0 for those in `zeros`, 2 for others."""
    return bytes([1 if ones(b) else 0 if zeros(b) else 2 for b in range(256)])


def _letter(byte: int) -> bool:
    return _merged(byte) == "a"


def _digit(byte: int) -> bool:
    return 48 <= byte <= 57


def _newline(byte: int) -> bool:
    return byte in b"\r\n"


def _blank(byte: int) -> bool:
    return byte in b" \t\v\f"


def _punctuation(byte: int) -> bool:
    """As the pre-tokenizers see it: all other ASCII, controls among it."""
    return _shape(byte) == "P"


def _visible_lead(byte: int) -> bool:
    """First bytes of UTF-8 sequences that are never white space."""
    return byte >= 0xC3 and byte not in (0xE1, 0xE2, 0xE3)


_LETTER_THEN_OTHER = _mark(
    _letter,
    lambda b: b < 128 and not _letter(b) and not _digit(b) and b != 0x27,
)
_DIGIT = _mark(_digit, lambda b: b < 128)
_NEWLINE_THEN_VISIBLE = _mark(
    _newline,
    lambda b: _letter(b) or (_punctuation(b) and b != 0x2F) or _visible_lead(b),
)
_PUNCTUATION_THEN_BLANK = _mark(_punctuation, _blank)
_BLANK_THEN_VISIBLE = _mark(
    _blank,
    lambda b: _letter(b) or _digit(b) or _punctuation(b) or _visible_lead(b),
)

#: Any two of these letters are a token of both encodings, and so is a blank
#: before any of them.
PAIRING = "abcdehiklmnoprstuwy"

#: A blank and one of these is a token of both encodings.
WHOLE_WORDS = (
    "alike and as before by characters columns constants entries exceptions "
    "expand file files full heading headings hits is it items keys last line "
    "lines more not of original output read records rows same sentences shown "
    "since the then to unchanged values you"
).split()

#: Every run of the character up to this length is a token of both encodings.
RUNS = {" ": 79, "-": 16, "=": 16}

#: Classes in a row and how many tokens less than bytes they certainly are.
#: The order matters: what a longer block took is gone for the shorter ones.
_BLOCKS = (
    (b" " * 64, 60),
    (b" " * 16, 12),
    (b" " * 8, 4),
    (b"-" * 16, 13),
    (b"=" * 16, 13),
    (b"ddd", 2),
    (b"dd", 1),
)


def _merging(byte: int) -> str:
    """Classes of `most`: good and other letters, digits, X, and as they are."""
    if byte > 127:
        return "X"
    if _letter(byte):
        return "g" if chr(byte) in PAIRING else "G"
    return "d" if _digit(byte) else chr(byte)


_MERGING = _table(_merging)
_WORDS = re.compile(
    rf" (?:{'|'.join(WHOLE_WORDS)})(?![A-Za-z'\x80-\xff])".encode("latin-1")
)


@dataclass(frozen=True, slots=True)
class Counter:
    """A way to count tokens; its name goes wherever its numbers go."""

    name: str
    count: Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Tokens:
    """A number of tokens that remembers who counted it."""

    counter: str
    n: int

    def __add__(self, other: Tokens) -> Tokens:
        """Add two numbers of the same counter.

        Raises:
            ValueError: they are of different counters, so a sum means nothing.
        """
        if self.counter != other.counter:
            raise ValueError(
                f"tokens of {self.counter} and {other.counter} do not add up"
            )
        return Tokens(self.counter, self.n + other.n)


def counter(name: str) -> Counter:
    """Return the counter called `name`; ranks are loaded at its first count.

    Raises:
        ValueError: there is no such counter.
    """
    if name == "estimate":
        return Counter(name, estimate)
    if name in COUNTERS:
        return Counter(name, partial(_exact, name))
    raise ValueError(f"unknown counter: {name!r} (choose from {', '.join(COUNTERS)})")


def tally(text: str, counter: Counter) -> tuple[int, float]:
    """Count a text of any size by `counter`, and say how far off that may be.

    Up to `WHOLE` characters the number is `counter.count(text)` and the error 0.
    Beyond, 64 slices of whole lines at fixed places are counted and scaled up by
    length; the error is relative, three standard errors of the slices plus 1 %,
    which no text of the benchmark exceeds (docs/estimator.md).
    """
    if len(text) <= WHOLE:
        return counter.count(text), 0.0
    sample = [(len(part), counter.count(part)) for part in _slices(text)]
    size = sum(length for length, _ in sample)
    total = sum(count for _, count in sample)
    ratio = total / size
    spread = sum((count - ratio * length) ** 2 for length, count in sample)
    spread *= len(sample) / (len(sample) - 1)
    return round(ratio * len(text)), 0.01 + 3 * spread**0.5 / total


def estimate(text: str) -> int:
    """Estimate the o200k tokens of `text`: 0 for none, else at least 1.

    Good to a few percent from some hundred bytes on; for what happens below,
    and per content class, see docs/estimator.md.
    """
    if not text:
        return 0
    data = text.encode("utf-8", "replace")
    total = 0.0
    classes = _classes(data)
    for alphabet, gram, weight in _WEIGHTS:
        total += weight * classes[alphabet].count(gram)
    if not data.isascii():
        for alphabet, gram, weight in _SCRIPT_WEIGHTS:
            total += weight * classes[alphabet].count(gram)
    return min(len(data), max(1, -(-len(data) // 128), round(total)))


def between(text: str) -> tuple[int, int]:
    """Return between what numbers, both possible, the o200k tokens lie.

    Below `STEADY` bytes these are `least` and `most`; beyond, the measured
    factors of the estimate narrow them down.
    """
    low, high = least(text), most(text)
    data = text.encode("utf-8", "replace")
    if len(data) < STEADY:
        return low, high
    guess = estimate(text)
    other = 0 if data.isascii() else len(data.translate(None, _ASCII))
    return (
        max(low, int(guess / OVER)),
        min(high, int(guess * UNDER) + 1 + other // 2),
    )


def _classes(data: bytes) -> list[bytes]:
    """`data` in the alphabets that weights refer to; its lead bytes; itself."""
    classes = [data.translate(table) for table in _ALPHABETS]
    if not data.isascii():
        classes += [data.translate(_SCRIPT, _ASCII), data]
    return classes


def cost(lines: Sequence[str]) -> list[int]:
    """Estimate the tokens of each line, its line end included; each at least 1.

    For choosing lines under a budget. The blend of length and blanks is
    scaled so that the whole is about `estimate` of the joined lines, over a
    sample of at most 64 KB. Under 1 us a line beyond that sample.
    """
    if not lines:
        return []
    step = 1 + sum(map(len, lines)) // WHOLE
    # runs of lines: every n-th alone may all be the blank ones of a report
    starts = range(0, len(lines), _RUN * step)
    sample = [line for at in starts for line in lines[at : at + _RUN]]
    text = "\n".join([line[: WHOLE // 8] for line in sample]) + "\n"
    flat = len(text) - len(sample)  # line ends are the 1 of each line
    density = max(0, estimate(text) - len(sample)) / max(1, flat)
    return [1 + int(density * len(line) + 0.5) for line in lines]


def least(text: str) -> int:
    """Return a number of tokens that neither encoding goes below.

    Counts places where both pre-tokenizers certainly part the text, whatever
    stands around them; every piece is at least one token. No token is longer
    than 128 bytes. White space that is not ASCII, marks, contractions and
    ``.\\n/`` are why some pairs are left out.
    """
    if not text:
        return 0
    data = text.encode("utf-8", "replace")
    words = data.translate(_LETTER_THEN_OTHER)
    numbers = data.translate(_DIGIT)
    parts = (
        words.count(b"\1\0")
        + numbers.count(b"\1\0")
        + numbers.count(b"\0\1")
        # n digits in a row are parted (n - 1) // 3 times, at least n // 4.
        + numbers.count(b"\1\1\1\1")
        + data.translate(_NEWLINE_THEN_VISIBLE).count(b"\1\0")
        + data.translate(_PUNCTUATION_THEN_BLANK).count(b"\1\0")
        # Of several blanks the last is parted off, to the word that follows.
        + data.translate(_BLANK_THEN_VISIBLE).count(b"\1\1\0")
    )
    return max(1 + parts, -(-len(data) // 128))


def most(text: str) -> int:
    """Return a number of tokens that neither encoding goes above.

    Bytes, minus what is certain to be merged. Two facts carry it: a piece
    that is in the vocabulary is one token, and after merging no two
    neighbours in a piece make a token together. Hence, within a piece:

    - digits go by three from the left;
    - where all pairs of a set of letters are tokens no two neighbours are
      single letters, so of any four letters two hang together;
    - where all runs up to n of one character are tokens, any block of n has at
      most one token wholly inside, so at most two cuts (and one more before
      the last blank, which goes to the word behind it).
    """
    data = text.encode("utf-8", "replace")
    size = len(data)
    if size <= _SHORT:
        data = _WORDS.sub(b"\0", data)
    saved = size - len(data)
    classes = data.translate(_MERGING)
    if not data.isascii():
        # Digits next to one of another script share a group with it.
        for old, new in (
            (b"Xdd", b"XXX"),
            (b"Xd", b"XX"),
            (b"ddX", b"XXX"),
            (b"dX", b"XX"),
        ):
            classes = classes.replace(old, new)
    if b"'" in classes:
        # Letters behind an apostrophe may be a contraction, parted from the rest.
        for old, new in ((b"'gg", b"'XX"), (b"'Gg", b"'XX"), (b"'g", b"'X")):
            classes = classes.replace(old, new)
    for block, gain in _BLOCKS:
        saved += gain * classes.count(block)
        classes = classes.replace(block, b"X")
    # A blank goes with the word behind it and makes a token with any letter.
    classes = classes.replace(b" g", b"Xgg")
    saved += classes.count(b"gggg")
    return size - saved


def _exact(name: str, text: str) -> int:
    encode = _encoding(name).encode_ordinary
    text = text.encode("utf-8", "replace").decode("utf-8")
    total, last, count = 0, "", 0
    for piece in _pieces(text):
        if piece != last:  # long words are dear: 10 MB of one character take 10 s
            last, count = piece, len(encode(piece))
        total += count
    return total


#: A line end before which and after which no token can differ.
_LINE_CUT = re.compile(r"\n(?=[^\s/])")
#: The same inside a line: the end of a word or number, but for contractions.
_WORD_CUT = re.compile(r"[^\W_](?=[ -&(-/:-@\[-`{-~，。、；：！？])")


def _pieces(text: str) -> Iterator[str]:
    """`text` in pieces of at most `_PIECE` characters.

    The BPE is handed no more at once, since it takes a run of one character
    as one word and neither its regex nor its merging is made for long words.

    Exactness: both pre-tokenizers look ahead only from white space and never
    look back. So a cut is exact where a word certainly ends, with no white
    space before it: `_WORD_CUT`; and after a line end, which always closes its
    run of white space, unless white space or a slash goes on with it:
    `_LINE_CUT`. Only where half a piece holds no such place the cut is
    made blindly; it then shifts the count by a token or two.
    """
    at = 0
    while len(text) - at > _PIECE:
        half, end = at + _PIECE // 2, at + _PIECE
        found = _LINE_CUT.search(text, half, end) or _WORD_CUT.search(text, half, end)
        cut = found.end() if found else end
        yield text[at:cut]
        at = cut
    yield text[at:]


@cache
def _encoding(name: str) -> Encoding:
    """Build an encoding from the ranks in this package; nothing is downloaded."""
    from importlib.resources import files

    import zstandard
    from tiktoken import Encoding

    packed = files(__package__).joinpath("data", f"{name}_base.zst").read_bytes()
    data = zstandard.ZstdDecompressor().decompress(packed)
    # 256 single bytes, then the others in order of rank, parted by a byte that
    # UTF-8 does not have.
    tokens = [data[at : at + 1] for at in range(256)]
    tokens += data[256:].split(b"\xff")
    return Encoding(
        f"{name}_base",
        pat_str=_PATTERNS[name],
        mergeable_ranks=dict(zip(tokens, range(len(tokens)), strict=True)),
        special_tokens={},
    )


def _slices(text: str) -> Iterator[str]:
    """The fixed sample of a large text: slices at even distances.

    Each starts after a line end where there is one within reach, and ends
    after one.
    """
    size = WHOLE // _SLICES
    gap = (len(text) - size) / (_SLICES - 1)
    for k in range(_SLICES):
        start = int(k * gap)
        if k:
            start = text.find("\n", start, start + size // 2) + 1 or start
        stop = text.find("\n", start + size - 1, start + 2 * size) + 1 or start + size
        yield text[start:stop]


_PATTERNS = {
    # From tiktoken's openai_public.py, as they are.
    "o200k": "|".join(
        [
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*"
            r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"
            r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    ),
    "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
}
