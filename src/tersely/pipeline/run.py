"""The engine: the order of the stages, and all that touches store and clock.

    ingest classify policy transform guard archive emit ledger

Each stage runs once per observation. Whatever raises on the way, the reader
gets the untouched text and the ledger an event that says why.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

from .. import transforms
from ..config import Config
from ..config import load as load_config
from ..errors import HandleUnknown, StoreError
from ..model import (
    Block,
    ContentType,
    Detection,
    Envelope,
    Facts,
    Observation,
    Proof,
    Text,
    Tier,
    Transform,
)
from ..store import Event, Note, Store, content_key, open_store
from ..text import canonical, decode, lines, tokens
from . import deadline, emit, guard, policy
from .cache import Results
from .classify import classify

STAGES = (
    "ingest",
    "classify",
    "policy",
    "transform",
    "guard",
    "archive",
    "emit",
    "ledger",
)

#: Proofs from the strongest to the weakest: an envelope reports its weakest.
_ORDER = (
    Proof.RAW,
    Proof.EXACT,
    Proof.CANONICAL,
    Proof.CUT,
    Proof.EDIT,
    Proof.DIGEST,
)


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage as it ran.

    Attributes:
        ms: wall time.
        facts: what it found or decided, for ``--explain``.
    """

    name: str
    ms: float
    facts: dict[str, Any]


@dataclass(slots=True)
class Trace:
    """Every stage of one observation, in order, each once."""

    stages: list[Stage] = field(default_factory=list)

    def add(
        self, name: str, start: float, clock: Callable[[], float], **facts: Any
    ) -> float:
        """Note that `name` ran from `start` until now; returns now."""
        now = clock()
        self.stages.append(Stage(name, (now - start) * 1e3, facts))
        return now


class _PassOn(Exception):
    """Send the untouched text; `reason` says why."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(detail or reason)
        self.reason = reason


@dataclass(slots=True)
class _Work:
    """What is known so far about one observation."""

    observation: Observation
    key: str
    raw: str = ""
    encoding: str = "utf-8"
    text: Text = Text((), ())
    steps: tuple[str, ...] = ()
    detection: Detection = Detection(ContentType.UNKNOWN, "none")
    tokens_raw: int = 0
    plan: policy.Plan = policy.Plan("")
    parts: list[tuple[emit.Part, Transform | None]] = field(default_factory=list)
    proof: Proof = Proof.RAW


class Engine:
    """Shorten observations and bring their originals back.

    One engine serves one process; it may be shared by threads. Open it with
    `Engine.open`, close it or use it as a context manager.
    """

    def __init__(
        self,
        store: Store,
        config: Config,
        *,
        clock: Callable[[], float],
        frontend: str,
        workspace: str,
    ) -> None:
        self.store = store
        self.config = config
        self._clock = clock
        self._frontend = frontend
        self._workspace = workspace
        self._fingerprint = config.fingerprint()
        self._results: Results[Envelope] = Results(
            config.cache_ttl_s, config.cache_bytes
        )
        self._skips: Results[Envelope] = Results(config.cache_ttl_s, config.cache_bytes)
        self._cache_lock = threading.Lock()

    @classmethod
    def open(
        cls,
        store: str | None = None,
        config: Config | None = None,
        *,
        clock: Callable[[], float] = time.time,
        frontend: str = "library",
        workspace: str = "",
    ) -> Engine:
        """Return an engine over `store` (a path, ``:memory:``; None: the user's).

        Args:
            config: None reads the layers of files and ``CTX_*`` variables.
            clock: seconds since the epoch, for TTLs and the ledger.
            frontend: who asks, for the ledger.
            workspace: where, for the archive's notes.

        Raises:
            ConfigError: a layer holds an unknown key or a wrong value.
        """
        config = config if config is not None else load_config()
        url = store if store is not None else config.store_url()
        opened = open_store(
            url,
            clock=clock,
            ttl_s=config.archive.ttl_s,
            cap_bytes=config.archive.cap_bytes,
            tombstone_s=config.archive.tombstone_s,
            busy_timeout_ms=config.archive.busy_timeout_ms,
        )
        return cls(opened, config, clock=clock, frontend=frontend, workspace=workspace)

    def observe(self, observation: Observation) -> Envelope:
        """Return the emission for `observation`. Never raises on its account."""
        return self.trace(observation)[0]

    def trace(self, observation: Observation) -> tuple[Envelope, Trace]:
        """Like `observe`, and say what each stage did and how long it took."""
        trace = Trace()
        work = _Work(observation, "")
        try:
            work.key = content_key(observation.data)
            envelope = self._cached(work, trace) or self._observe(work, trace)
        except _PassOn as stop:
            detail = "" if str(stop) == stop.reason else str(stop)
            envelope = _raw(work, stop.reason, self.config.counter, detail)
            self._remember(work, envelope)
            _skip_rest(trace, stop.reason)
        except Exception as exc:
            _warn("observation is sent raw: %s", _place(exc))
            envelope = _raw(work, "failed", self.config.counter, _place(exc))
            _skip_rest(trace, "failed")
        if self.config.mode == "measure" and envelope.proof is not Proof.RAW:
            would_be, envelope = envelope, _raw(work, "asked_raw", self.config.counter)
            self._book(work, would_be, trace, kind="measure")
        else:
            self._book(work, envelope, trace)
        return envelope, trace

    def restore(self, envelope: Envelope) -> bytes:
        """Return exactly the bytes that `envelope` was made from.

        Raises:
            HandleExpired, HandleUnknown: the archive no longer holds them.
        """
        if envelope.proof is Proof.RAW:
            return envelope.text.encode(envelope.encoding, "surrogateescape")
        if envelope.proof is Proof.EXACT:
            return _unfold(envelope).encode(envelope.encoding, "surrogateescape")
        return self.store.archive.get(envelope.handle or envelope.key)

    def expand(self, handle: str) -> bytes:
        """Return the original behind a handle, a prefix, a marker or a footer.

        Raises:
            HandleExpired: it was here and has been removed.
            HandleUnknown: it never was, or `handle` is none.
        """
        digits = emit.parse_handle(handle)
        if digits is None:
            asked = handle.strip().splitlines()[-1][:60] if handle.strip() else ""
            raise HandleUnknown(
                asked,
                f"not a handle: {asked!r}",
                "give the 12 hex digits of a line [full output: ctx expand ...]",
            )
        data = self.store.archive.get(digits)
        size = tokens.estimate(data.decode("utf-8", "replace"))
        self._add_event(
            Event(
                kind="expand",
                key=content_key(data),
                frontend=self._frontend,
                counter="estimate",
                tokens_out=size,
                config=self._fingerprint,
            )
        )
        return data

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _observe(self, work: _Work, trace: Trace) -> Envelope:
        try:
            emission = deadline.call(
                lambda: _work_out(work, self.config, trace),
                self.config.transform_timeout_s,
            )
        except deadline.Overdue:
            raise _PassOn("timeout") from None
        start = time.perf_counter()
        handle = self._archive(work)
        start = trace.add("archive", start, time.perf_counter, handle=handle)
        envelope = _emit(work, handle, emission, self.config)
        trace.add(
            "emit",
            start,
            time.perf_counter,
            tokens_raw=envelope.tokens_raw,
            tokens_out=envelope.tokens_out,
        )
        self._remember(work, envelope)
        return envelope

    def _archive(self, work: _Work) -> str | None:
        """Put the original; no archive, no loss."""
        if work.proof is Proof.EXACT:
            return None
        scope = work.observation.scope
        note = Note(
            workspace=self._workspace,
            scope=scope.conversation if scope else "",
            command=policy.command_name(work.observation.command),
        )
        try:
            return self.store.archive.put(work.observation.data, note, key=work.key)
        except StoreError as exc:
            raise _PassOn("no_archive", str(exc)) from exc

    def _cached(self, work: _Work, trace: Trace) -> Envelope | None:
        """A result of the same content, facts and config, not older than the TTL.

        A lossy one is used only while the archive still holds the original.
        """
        now = self._clock()
        name = self._cache_key(work)
        with self._cache_lock:
            found = self._skips.get(name, now)
            kept = None if found else self._results.get(name, now)
        if found is not None:
            work.detection = Detection(found.content_type, found.signal)
            data = work.observation.data
            text = data.decode(found.encoding, "surrogateescape")
            _skip_rest(trace, "cached")
            return replace(found, text=text)
        if kept is None:
            return None
        work.proof = kept.proof
        try:
            self._archive(work)
        except _PassOn:
            return None
        _skip_rest(trace, "cached")
        return kept

    def _remember(self, work: _Work, envelope: Envelope) -> None:
        if envelope.reason in ("no_archive", "timeout", "failed"):
            return
        now, name = self._clock(), self._cache_key(work)
        with self._cache_lock:
            if envelope.proof is Proof.RAW:
                self._skips.put(name, replace(envelope, text=""), 400, now)
            else:
                self._results.put(name, envelope, 4 * len(envelope.text), now)

    def _cache_key(self, work: _Work) -> str:
        o = work.observation
        facts = (
            o.command,
            o.exit_code,
            o.stream,
            o.path,
            o.tool,
            o.url,
            o.media_type,
            o.task,
            o.scope,
            o.content_type,
            o.raw,
        )
        return f"{work.key}:{self._fingerprint}:{facts!r}"

    def _book(
        self, work: _Work, envelope: Envelope, trace: Trace, kind: str = "emission"
    ) -> None:
        start = time.perf_counter()
        if envelope.reason in ("failed", "timeout", "unproved"):
            kind = "fault"
        try:
            event = _event(work, envelope, kind, self._frontend, self._fingerprint)
            self._add_event(event)
        except Exception:
            _warn("the ledger missed an event", exc_info=True)
        trace.add("ledger", start, time.perf_counter, kind=kind)

    def _add_event(self, event: Event) -> None:
        """Book `event`; the ledger never blocks or alters an emission."""
        try:
            self.store.ledger.add(event)
        except Exception:
            _warn("the ledger missed an event", exc_info=True)


def _work_out(work: _Work, config: Config, trace: Trace) -> str:
    """The pure stages, one after the other; returns the emission.

    They touch no store, so a deadline may stop them anywhere.
    """
    clock = time.perf_counter
    start = clock()
    _ingest(work, config)
    start = trace.add(
        "ingest",
        start,
        clock,
        encoding=work.encoding,
        canonical=work.steps,
        lines=len(work.text.lines),
    )
    _classify(work)
    found = work.detection
    start = trace.add(
        "classify",
        start,
        clock,
        content_type=found.content_type.name,
        signal=found.signal,
        segments=len(found.segments),
    )
    _policy(work, config)
    steps = work.plan.steps
    start = trace.add(
        "policy",
        start,
        clock,
        transforms=[step.transforms for step in steps],
        pins=sum(len(step.pins) for step in steps),
        density=work.plan.density,
    )
    _transform(work)
    start = trace.add(
        "transform",
        start,
        clock,
        transforms=[t.id if t else None for _, t in work.parts],
    )
    emission = _guard(work, config)
    trace.add("guard", start, clock, proof=work.proof.value)
    return emission


def _ingest(work: _Work, config: Config) -> None:
    """Bytes to text, reversibly, and to its canonical form."""
    data = work.observation.data
    work.raw, work.encoding = decode.decode(data)
    if reason := policy.early_reason(work.observation, config):
        raise _PassOn(reason)
    if not data:
        raise _PassOn("small")
    if decode.is_binary(data, work.raw):
        work.detection = Detection(ContentType.BINARY, "binary", 1.0)
        raise _PassOn("binary")
    form = canonical.canonical(work.raw)
    work.steps = form.steps
    work.text = lines.split(form.text)


def _classify(work: _Work) -> None:
    work.detection = classify(work.observation, work.text, binary=False)


def _policy(work: _Work, config: Config) -> None:
    size = len(work.raw)
    work.tokens_raw = (
        tokens.tally(work.raw, tokens.counter("estimate"))[0] if size else 0
    )
    work.plan = policy.plan(
        work.observation,
        work.raw,
        work.text,
        work.detection,
        config,
        work.tokens_raw,
        work.steps,
    )
    if work.plan.reason:
        raise _PassOn(work.plan.reason)


def _transform(work: _Work) -> None:
    """One transform a segment; where it has nothing to offer, `generic`."""
    for step in work.plan.steps:
        segment = step.segment
        part = work.text.part(segment.start, segment.stop)
        facts = _facts(work, segment.signal)
        params = {**step.params, "pins": step.pins}
        for name in step.transforms:
            transform = transforms.load(name)
            merged = {**transform.defaults, **params}
            if name != step.transforms[0]:
                merged["lossless"] |= step.fallback_lossless
            change = transform.apply(part, merged, facts)
            lossless = merged.get("lossless", False)
            if change is None or (lossless and change.proof.lossy):
                continue
            wrong = guard.problem(part, change, transform=transform, pins=step.pins)
            if wrong:
                raise _PassOn("unproved", f"{name}: {wrong}")
            work.parts.append((emit.Part(part, change), transform))
            break
        else:
            work.parts.append((emit.Part(part, None), None))


def _facts(work: _Work, signal: str) -> Facts:
    o = work.observation
    return Facts(
        exit_code=o.exit_code,
        command=policy.command_line(o.command),
        task=o.task or "",
        signal=signal,
        path=o.path or "",
    )


def _guard(work: _Work, config: Config) -> str:
    """Weigh the whole emission, footer included, against the raw text."""
    changed = [part.change for part, _ in work.parts if part.change]
    proofs = [change.proof for change in changed]
    if work.steps or (Proof.EXACT in proofs and len(work.parts) > 1):
        proofs.append(Proof.CANONICAL)
    if not proofs:
        raise _PassOn("no_gain")
    work.proof = max(proofs, key=_ORDER.index)
    parts = [part for part, _ in work.parts]
    emission = emit.render(parts, work.key[:12] if work.proof.lossy else None)
    canonical_text = work.text.join()
    reason = guard.gain(
        work.raw, canonical_text, parts, emission, config.min_gain_tokens
    )
    if reason and changed and work.steps:
        # Not worth it on top of the canonical step; that alone may be.
        work.parts = [(emit.Part(work.text, None), None)]
        work.proof = Proof.CANONICAL
        parts = [part for part, _ in work.parts]
        emission = canonical_text
        reason = guard.gain(
            work.raw, canonical_text, parts, emission, config.min_gain_tokens
        )
    if reason:
        raise _PassOn(reason)
    return emission


def _emit(work: _Work, handle: str | None, emission: str, config: Config) -> Envelope:
    if handle and work.proof.lossy:
        shown = f"ccr:{work.key}" if config.footer == "ccr" else handle
        if shown != work.key[:12]:
            emission = emit.render([part for part, _ in work.parts], shown)
    counter = tokens.counter(config.counter)
    tokens_out = counter.count(emission)
    tokens_raw = work.tokens_raw
    if counter.name != "estimate":
        tokens_raw = tokens.tally(work.raw, counter)[0]
    # The guard proved the emission smaller; an estimate of either may be off.
    tokens_raw = max(tokens_raw, tokens_out + 1)
    blocks = _blocks(work, tokens_raw, tokens_out)
    largest = max(blocks, key=lambda block: block.stop - block.start)
    changed = [block for block in blocks if block.transform]
    named = (
        largest
        if largest.transform or not changed
        else max(changed, key=lambda block: block.stop - block.start)
    )
    degraded = any(block.tier is Tier.DEGRADED for block in blocks)
    return Envelope(
        text=emission,
        encoding=work.encoding,
        content_type=work.detection.content_type,
        signal=work.detection.signal,
        transform=named.transform,
        tier=Tier.DEGRADED if degraded else Tier.FULL,
        proof=work.proof,
        handle=handle,
        tokens_raw=tokens_raw,
        tokens_out=tokens_out,
        counter=counter.name,
        blocks=blocks,
        reason="",
        warnings=tuple(w for block in blocks for w in block.warnings),
        key=work.key,
    )


def _blocks(work: _Work, tokens_raw: int, tokens_out: int) -> tuple[Block, ...]:
    """The manifest; token counts of the blocks add up to the envelope's."""
    blocks, start = [], 0
    segments = [step.segment for step in work.plan.steps]
    if len(segments) != len(work.parts):
        segments = list(work.detection.segments[:1])
    weights_raw, weights_out = [], []
    for (part, transform), segment in zip(work.parts, segments, strict=True):
        change, size = part.change, len(part.text.lines)
        cut = sum(c.count for c in change.cuts) if change else 0
        folded = sum(len(f.others) for f in change.folds) if change else 0
        reasons: dict[str, int] = {}
        for c in change.cuts if change else ():
            reasons[c.why] = reasons.get(c.why, 0) + c.count
        blocks.append(
            Block(
                start=start,
                stop=start + size,
                content_type=segment.content_type,
                signal=segment.signal,
                transform=transform.id if transform else None,
                version=transform.version if transform else 0,
                proof=change.proof if change else Proof.RAW,
                tier=change.tier if change else Tier.PASSTHROUGH,
                kept=size - cut - folded,
                folded=folded,
                cut=cut,
                edited=len(change.edits) if change else 0,
                reasons=tuple(sorted(reasons.items())),
                warnings=change.warnings if change else (),
            )
        )
        start += size
        weights_raw.append(sum(map(len, part.text.lines)) + size)
        weights_out.append(len(emit.render([part], None)))
    raws = _shares(tokens_raw, weights_raw)
    outs = _shares(tokens_out, weights_out)
    return tuple(
        replace(block, tokens_raw=raw, tokens_out=out)
        for block, raw, out in zip(blocks, raws, outs, strict=True)
    )


def _shares(total: int, weights: list[int]) -> list[int]:
    """`total` split by `weights`, to the unit; the last takes the rest."""
    whole = sum(weights) or 1
    shares = [total * weight // whole for weight in weights[:-1]]
    return [*shares, total - sum(shares)]


def _raw(work: _Work, reason: str, counter: str, warning: str = "") -> Envelope:
    """The untouched text in an envelope. Total: it is the way out of any fault."""
    data = work.observation.data
    text, encoding = work.raw, work.encoding
    if not text and data:
        text, encoding = data.decode("utf-8", "surrogateescape"), "utf-8"
    size = work.tokens_raw
    try:
        if not size or counter != "estimate":
            size = tokens.tally(text, tokens.counter(counter))[0]
    except Exception:
        size = -(-len(data) // 4)
    return Envelope(
        text=text,
        encoding=encoding,
        content_type=work.detection.content_type,
        signal=work.detection.signal,
        transform=None,
        tier=Tier.PASSTHROUGH,
        proof=Proof.RAW,
        handle=None,
        tokens_raw=size,
        tokens_out=size,
        counter=counter,
        blocks=(),
        reason=reason,
        warnings=(warning,) if warning else (),
        key=work.key,
    )


def _event(
    work: _Work, envelope: Envelope, kind: str, frontend: str, fingerprint: str
) -> Event:
    named = next(
        (b for b in envelope.blocks if b.transform == envelope.transform), None
    )
    overhead = 0
    if envelope.proof.lossy:
        overhead = tokens.estimate(
            "\n".join(envelope.text.rstrip("\n").split("\n")[-2:])
        )
    return Event(
        kind=kind,
        key=envelope.key,
        frontend=frontend,
        command=policy.command_name(work.observation.command),
        content_type=envelope.content_type.value,
        transform=envelope.transform or "",
        version=named.version if named else 0,
        proof=envelope.proof.value,
        tier=envelope.tier.value,
        reason=envelope.reason,
        counter=envelope.counter,
        tokens_raw=envelope.tokens_raw,
        tokens_out=envelope.tokens_out,
        overhead=overhead,
        blocks=envelope.blocks,
        config=fingerprint,
        exit_code=work.observation.exit_code,
        detail=envelope.warnings[0] if envelope.warnings else "",
    )


def _skip_rest(trace: Trace, reason: str) -> None:
    """Stages that did not run stand in the trace too, with the reason."""
    done = {stage.name for stage in trace.stages}
    for name in STAGES[:-1]:
        if name not in done:
            trace.stages.append(Stage(name, 0.0, {"skipped": reason}))


def _unfold(envelope: Envelope) -> str:
    """Take an exact emission back to the input, by the inverse of its transform."""
    transform = transforms.load(envelope.transform or "identity")
    first, rest = emit.split_legend(envelope.text)
    if first is not None and transform.inverse is not None:
        return transform.inverse(rest, first)
    return emit.unfold(envelope.text)


def _warn(message: str, *args: object, exc_info: bool = False) -> None:
    import logging  # only where something failed: it costs 5 ms

    logging.getLogger("tersely").warning(message, *args, exc_info=exc_info)


def _place(exc: Exception) -> str:
    """Class and place of an error: its message may quote the observation (P8)."""
    trace = exc.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return type(exc).__name__
    file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
    return f"{type(exc).__name__} in {file}:{trace.tb_lineno}"
