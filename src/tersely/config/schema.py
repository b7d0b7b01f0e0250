"""The settings, with the source of each number.

A field says with its default what type it has, and in its metadata what else
holds: `choices`, `minimum`, `maximum`, and `emission` (False: the setting
cannot change what a reader sees, so it is no part of the fingerprint).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

from .light import SMALL_BYTES, SMALL_LINES, user_dir

Value = bool | int | float | str
V = TypeVar("V", bool, int, float, str)

MODES = ("standard", "measure", "off", "lossless", "aggressive")
FOOTERS = ("short", "ccr")
COUNTERS = ("estimate", "o200k", "cl100k")


def _setting(
    default: V,
    *,
    emission: bool = True,
    choices: tuple[str, ...] = (),
    minimum: float | None = None,
    maximum: float | None = None,
) -> V:
    if minimum is None and not isinstance(default, (bool, str)):
        minimum = 0
    facts = {
        "emission": emission,
        "choices": choices,
        "minimum": minimum,
        "maximum": maximum,
    }
    # dataclasses.field is typed as the default it carries
    result: V = field(default=default, metadata=facts)
    return result


@dataclass(frozen=True, slots=True)
class Archive:
    """The store of originals. Changes how long a handle opens, never a text."""

    #: Seven days from the last use; a handle must outlive the conversation it
    #: stands in, so never below 30 min (requirement 71).
    ttl_s: int = _setting(7 * 86_400, emission=False, minimum=1_800)
    #: Least recently used originals go above this (DESIGN section 10).
    cap_bytes: int = _setting(1 << 30, emission=False, minimum=1 << 20)
    #: How long a removed handle answers "expired" and not "unknown".
    tombstone_s: int = _setting(90 * 86_400, emission=False)
    #: How long a writer waits for another before the text goes out raw. Chosen
    #: by hand: an agent notices more.
    busy_timeout_ms: int = _setting(2_000, emission=False)


@dataclass(frozen=True, slots=True)
class Budgets:
    """How long an emission may be, in tokens (DESIGN section 6).

    Start values of the design, from a prototype measured on real CI logs and
    command output: critical recall 0.94 at 0.9k tokens, 0.984 at 3k, flat
    after that.
    """

    #: Reports and logs: this share of the raw size, between the two bounds.
    report_share: float = _setting(0.15, maximum=1)
    report_min_tokens: int = _setting(3_000)
    report_max_tokens: int = _setting(8_000)
    #: CI job logs, whatever their size.
    ci_tokens: int = _setting(3_500)
    #: Search results, diffs and listings below this are never cut.
    lossless_below_tokens: int = _setting(20_000)
    records_tokens: int = _setting(8_000)
    table_tokens: int = _setting(8_000)
    page_tokens: int = _setting(8_000)
    #: Prose, Markdown and config are whole up to here: cut to 16,000 they
    #: lose arbitrary facts.
    document_tokens: int = _setting(32_000)
    #: Failures that a parser has read go first and may exceed the budget, up
    #: to here.
    must_keep_tokens: int = _setting(16_000)


@dataclass(frozen=True, slots=True)
class LineBudgets:
    """Lines of a text of no recognised type, by the tool it came from.

    Requirement 63. A `_head` and `_tail` pair says how a longer text is cut.
    """

    bash: int = _setting(80)
    bash_head: int = _setting(50)
    bash_tail: int = _setting(30)
    read: int = _setting(300)
    read_head: int = _setting(200)
    read_tail: int = _setting(100)
    grep: int = _setting(120)
    grep_head: int = _setting(80)
    grep_tail: int = _setting(40)
    #: find and ls.
    listing: int = _setting(60)
    fallback: int = _setting(150)


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a text is worth sampling at all (requirement 62).

    k = zlib bytes / bytes. It saves effort only: lossless transforms run
    whatever it says.
    """

    #: At or above this k nothing is sampled and no templates are searched.
    ratio: float = _setting(0.7, maximum=1)
    #: Shorter texts are not probed.
    min_bytes: int = _setting(512)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings.

    Attributes:
        mode: ``standard``; ``measure`` (raw goes out, what would have been
            saved is recorded); ``off`` (not even that); ``lossless`` (exact
            and canonical only); ``aggressive`` (half the budgets).
        disable: the master switch, ``CTX_DISABLE=1``.
        store: path or URL; empty means the user's own store.
        footer: ``short`` (12 hex digits) or ``ccr`` (``<<ccr:`` 24 ``>>``).
        counter: what tokens are counted with.
    """

    mode: str = _setting("standard", choices=MODES)
    disable: bool = _setting(False)
    store: str = _setting("", emission=False)
    footer: str = _setting("short", choices=FOOTERS)
    counter: str = _setting("estimate", choices=COUNTERS)
    #: Never touched is what has at most so many lines and bytes: see `light`.
    small_lines: int = _setting(SMALL_LINES)
    small_bytes: int = _setting(SMALL_BYTES)
    #: What must be saved beyond the footer. Chosen by hand: about half a
    #: footer, which is 20 tokens.
    min_gain_tokens: int = _setting(12)
    #: A transform that runs longer gives the raw text. Chosen by hand: 10 MB
    #: at the slowest speed we accept (3 MB/s) fit in it.
    transform_timeout_s: float = _setting(5.0, minimum=0.01)
    #: Result cache of a long-lived engine, from last use (requirement 26b).
    cache_ttl_s: int = _setting(1_800, emission=False)
    cache_bytes: int = _setting(16 << 20, emission=False)
    archive: Archive = field(default_factory=Archive)
    budgets: Budgets = field(default_factory=Budgets)
    line_budgets: LineBudgets = field(default_factory=LineBudgets)
    gate: Gate = field(default_factory=Gate)

    def store_url(self) -> str:
        """Return where the store is: `store`, or the user's own."""
        if self.store:
            return os.path.expanduser(self.store)
        return os.path.join(user_dir("data"), "store.db")

    def fingerprint(self) -> str:
        """Return 12 hex digits over every value that can change an emission."""
        from blake3 import blake3

        facts = [
            f"{name}={value!r}"
            for name, value, about in walk(self)
            if about.metadata["emission"]
        ]
        return blake3("\n".join(facts).encode()).hexdigest()[:12]


def walk(config: Config) -> Iterator[tuple[str, Value, Field[Any]]]:
    """Yield dotted name, value and field of every setting, in their order."""
    for about in fields(config):
        value = getattr(config, about.name)
        if not is_dataclass(value):
            yield about.name, value, about
            continue
        for inner in fields(value):
            yield f"{about.name}.{inner.name}", getattr(value, inner.name), inner


def refusal(about: Field[Any], value: object) -> str | None:
    """Say why `value` cannot be this setting, or None."""
    want = type(about.default)
    if want is float and type(value) is int:
        value = float(value)
    if type(value) is not want:
        return f"{_TYPES[want]} is needed, not {value!r}"
    facts = about.metadata
    if facts["choices"] and value not in facts["choices"]:
        return f"{value!r} is none of {', '.join(facts['choices'])}"
    if isinstance(value, (int, float)):
        if value != value or facts["minimum"] is not None and value < facts["minimum"]:
            return f"{value!r} is below {facts['minimum']}"
        if facts["maximum"] is not None and value > facts["maximum"]:
            return f"{value!r} is above {facts['maximum']}"
    return None


_TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
