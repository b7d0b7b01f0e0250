"""Values that flow through the pipeline. Pure data: no I/O, no clock.

The one thing to know: a `Change` says what a transform did, it never holds
markers. `pipeline/guard.py` proves it, `pipeline/emit.py` renders it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class ContentType(Enum):
    """The class of an observation."""

    JSON_ARRAY = "json_array"
    JSON = "json"
    SEARCH_RESULTS = "search_results"
    BUILD_OUTPUT = "build_output"
    LOG = "log"
    DIFF = "diff"
    LISTING = "listing"
    TABLE = "table"
    CONFIG = "config"
    SOURCE_CODE = "source_code"
    MARKDOWN = "markdown"
    HTML = "html"
    PLAIN_TEXT = "plain_text"
    BINARY = "binary"
    UNKNOWN = "unknown"


class Proof(Enum):
    """How it is known that nothing was lost or invented (DESIGN section 4)."""

    RAW = "raw"
    EXACT = "exact"
    CANONICAL = "canonical"
    CUT = "cut"
    EDIT = "edit"
    DIGEST = "digest"

    @property
    def lossy(self) -> bool:
        """Whether the emission must end in a footer."""
        return self in (Proof.CUT, Proof.EDIT, Proof.DIGEST)


class Tier(Enum):
    """How well the text was understood. A field of the envelope, never text."""

    FULL = "full"
    DEGRADED = "degraded"
    PASSTHROUGH = "passthrough"


@dataclass(frozen=True, slots=True)
class Scope:
    """Who reads: one conversation and, below it, one task."""

    conversation: str
    task: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """One text on its way to a model, with where it came from.

    Attributes:
        data: the bytes, exactly as they came.
        command: the command line (one string, as typed) or argv.
        exit_code: of that command; None means unknown, never success.
        stream: ``stdout`` or ``stderr`` where they were kept apart.
        path, tool, url, media_type: where it came from, where that is known.
        task: what the reader is after, in words.
        scope: who reads; None means unknown: repeats are never claimed.
        content_type: set by a caller who knows; detection is skipped.
        raw: the reader asked for the untouched text.
    """

    data: bytes
    command: str | tuple[str, ...] | None = None
    exit_code: int | None = None
    stream: str | None = None
    path: str | None = None
    tool: str | None = None
    url: str | None = None
    media_type: str | None = None
    task: str | None = None
    scope: Scope | None = None
    content_type: ContentType | None = None
    raw: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Decoded lines and their own line ends.

    Attributes:
        lines: without line ends; a line may hold a lone CR only before the
            canonical step.
        ends: as many as lines: ``\\n``, ``\\r\\n`` or ``\\r``; the last may be
            empty.
    """

    lines: tuple[str, ...]
    ends: tuple[str, ...]

    def join(self) -> str:
        """Return the text again, to the character."""
        ends = self.ends
        if not ends:
            return ""
        if ends.count("\n") + (ends[-1] == "") == len(ends):
            return "\n".join(self.lines) + ends[-1]
        pairs = zip(self.lines, ends, strict=True)
        return "".join([part for pair in pairs for part in pair])

    def part(self, start: int, stop: int) -> Text:
        """Lines `start` to `stop`, 0-based, half-open."""
        return Text(self.lines[start:stop], self.ends[start:stop])


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of lines of one content type inside an observation.

    Attributes:
        start, stop: lines, 0-based, half-open. Segments tile the text.
        signal: short name of the evidence.
    """

    start: int
    stop: int
    content_type: ContentType
    signal: str


@dataclass(frozen=True, slots=True)
class Detection:
    """What a text is, and why we think so.

    Attributes:
        content_type: of the whole; of several segments, of the largest.
        signal: short name of the evidence, ``none`` for a fallback.
        confidence: 0 to 1, from the share of lines that carry the signal.
        segments: at least one where there is text; they tile the lines.
    """

    content_type: ContentType
    signal: str
    confidence: float = 0.0
    segments: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """A run of input lines that the output does not contain.

    Attributes:
        start: 0-based index of the first cut line in the input.
        count: how many lines, at least 1.
        why: few words for the manifest, e.g. ``passing tests``.
    """

    start: int
    count: int
    why: str


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines shown once, by the first of them, with their number behind it.

    Attributes:
        at: the line that is shown.
        others: the lines folded into it, ascending, none before `at`.
        same: True, equal to the character: `` [×N]``; False, equal after
            masking: `` [~N alike]``, which counts as a loss.
    """

    at: int
    others: tuple[int, ...]
    same: bool = True


@dataclass(frozen=True, slots=True)
class Edit:
    """A line altered in place.

    Attributes:
        at: the line.
        line: what stands in its place: pieces of the original in their
            order, joined by `model.ELISION`.
        why: few words for the manifest.
    """

    at: int
    line: str
    why: str


#: Stands for what an `Edit` left out of one long line.
ELISION = " … "


@dataclass(frozen=True, slots=True)
class Legend:
    """First line of a re-laid-out text: ``[WHAT: HOW]``, rendered by emit."""

    what: str
    how: str


@dataclass(frozen=True, slots=True)
class Change:
    """What one transform did to one text, and the proof it offers.

    Two shapes. Line-wise (`text` is None): the output is the input lines that
    are neither cut nor folded, edits applied, so nothing can be altered or
    moved. Re-laid-out (`text` is set): new text for the whole input, which
    the guard takes back through the transform's `inverse` (exact, canonical)
    or checks literal by literal (digest).

    Attributes:
        proof: EXACT, CANONICAL, CUT, EDIT or DIGEST.
        cuts, folds, edits: line-wise parts; cuts ascending.
        text: the new text, without engine lines, with its line ends.
        legend: says how to read `text`.
        tail: index of the first line of a tail section that follows a gap;
            emit labels it ``[last K lines]``.
        unit: what `left_out` and the end marker count.
        left_out: units a digest leaves out (a cut's are counted from cuts).
        tier: FULL, or DEGRADED with `warnings` that say what was not parsed.
        pins: lines that a parser has read as failures: must be in the output.
        seamless: kept blocks join without an empty line, because one would
            change what the text means to the tool that reads it (patches).
    """

    proof: Proof
    cuts: tuple[Cut, ...] = ()
    folds: tuple[Fold, ...] = ()
    edits: tuple[Edit, ...] = ()
    text: str | None = None
    legend: Legend | None = None
    tail: int | None = None
    unit: str = "lines"
    left_out: int = 0
    tier: Tier = Tier.FULL
    warnings: tuple[str, ...] = ()
    pins: tuple[int, ...] = ()
    seamless: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """What a transform may know besides the text.

    Attributes:
        exit_code: None is unknown, which is never success.
        command: argv[0] and the words behind it, or empty.
        task: what the reader is after, or empty.
        signal: the detector's evidence.
        path: of the file, or empty.
    """

    exit_code: int | None = None
    command: str = ""
    task: str = ""
    signal: str = ""
    path: str = ""


Params = Mapping[str, Any]
Apply = Callable[[Text, Params, Facts], Change | None]
Inverse = Callable[[str, Legend | None], str]
Canon = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Transform:
    """A named pure function over a text.

    Attributes:
        id: module name, case folder and table row.
        version: goes up when its output for some input changes.
        apply: returns None when it has nothing to offer.
        defaults: params and their built-in values.
        inverse: takes `Change.text` and `Change.legend` back to the input
            (exact) or to its canonical form (canonical).
        canon: input -> the canonical form that `inverse` is held against.
        vocabulary: words of its own that a digest may use.
    """

    id: str
    version: int
    apply: Apply
    defaults: Params = field(default_factory=dict)
    inverse: Inverse | None = None
    canon: Canon | None = None
    vocabulary: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Block:
    """The manifest of one segment: what was done to it, in numbers.

    Attributes:
        start, stop: lines of the canonical text, 0-based, half-open.
        kept, folded, cut: lines; they add up to ``stop - start`` (a
            re-laid-out block counts all its lines as kept).
        edited: lines altered in place.
        tokens_raw, tokens_out: by the envelope's counter.
        reasons: why lines were cut, with how many: ``(("progress", 12),)``.
    """

    start: int
    stop: int
    content_type: ContentType
    signal: str
    transform: str | None
    version: int
    proof: Proof
    tier: Tier
    kept: int
    folded: int = 0
    cut: int = 0
    edited: int = 0
    tokens_raw: int = 0
    tokens_out: int = 0
    reasons: tuple[tuple[str, int], ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the engine returns: the emission and what it is.

    Attributes:
        text: the emission; undecodable bytes as surrogate escapes. For a raw
            envelope ``text.encode(encoding, "surrogateescape")`` is the data.
        handle: 12 hex digits (24 where another content holds that prefix)
            for canonical, cut, edit and digest; None for raw and exact.
        tokens_raw, tokens_out: by `counter`; numbers of two counters are
            never added.
        reason: empty, or why the text is raw: ``small verbatim asked_raw
            machine binary secret interactive no_gain below_gain no_archive
            unproved failed timeout repeat``.
        key: blake3 of the data, 24 hex digits.
    """

    text: str
    encoding: str
    content_type: ContentType
    signal: str
    transform: str | None
    tier: Tier
    proof: Proof
    handle: str | None
    tokens_raw: int
    tokens_out: int
    counter: str
    blocks: tuple[Block, ...]
    reason: str
    warnings: tuple[str, ...] = ()
    key: str = ""
