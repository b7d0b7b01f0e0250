"""Write emissions, and say in JSON or words what was done."""

from __future__ import annotations

import os
import stat
import sys

from ...shell import runner

TYPE_CHECKING = False  # typing costs more than what a short text needs
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ...model import Block, Envelope
    from ...pipeline.run import Trace


def encoded(envelope: Envelope) -> bytes:
    """The emission as bytes, in the encoding that the observation came in."""
    try:
        return envelope.text.encode(envelope.encoding, "surrogateescape")
    except UnicodeEncodeError:
        return envelope.text.encode("utf-8", "surrogatepass")


def write(data: bytes, fd: int = 1) -> None:
    """Write bytes behind everything printed so far.

    Raises:
        BrokenPipeError: nobody reads any more.
    """
    (sys.stdout if fd == 1 else sys.stderr).flush()
    if not runner.write(fd, data):
        raise BrokenPipeError


def is_file(fd: int) -> bool:
    """Whether `fd` is a regular file: what is written there a program may read."""
    try:
        return stat.S_ISREG(os.fstat(fd).st_mode)
    except OSError:
        return False


def print_json(value: object) -> None:
    """Print one JSON object in ASCII; undecodable bytes stay ``\\udcXX`` escapes."""
    import json

    print(json.dumps(value, ensure_ascii=True))


def as_dict(envelope: Envelope) -> dict[str, Any]:
    """The fields of an envelope, ready for JSON."""
    return {
        "text": envelope.text,
        "encoding": envelope.encoding,
        "content_type": envelope.content_type.name,
        "signal": envelope.signal,
        "transform": envelope.transform,
        "tier": envelope.tier.value,
        "proof": envelope.proof.value,
        "handle": envelope.handle,
        "tokens_raw": envelope.tokens_raw,
        "tokens_out": envelope.tokens_out,
        "counter": envelope.counter,
        "blocks": [_block(block) for block in envelope.blocks],
        "reason": envelope.reason,
        "warnings": list(envelope.warnings),
        "key": envelope.key,
    }


def explain(envelope: Envelope, trace: Trace, name: str = "") -> None:
    """Print on stderr what each stage found and decided."""
    sys.stdout.flush()
    lines = _explanation(envelope, trace, name)
    # stdout may have had the reader's encoding; this is ours
    runner.write(2, "".join(f"{line}\n" for line in lines).encode())


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Align rows under a head; numbers to the right."""
    texts = [list(head), *[[_cell(value) for value in row] for row in rows]]
    widths = [max(len(line[at]) for line in texts) for at in range(len(head))]
    right = [
        all(isinstance(row[at], (int, float)) or row[at] == "-" for row in rows)
        for at in range(len(head))
    ]
    lines = []
    for line in texts:
        cells = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right, strict=True)
        ]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def _cell(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _block(block: Block) -> dict[str, Any]:
    return {
        "start": block.start,
        "stop": block.stop,
        "content_type": block.content_type.name,
        "signal": block.signal,
        "transform": block.transform,
        "version": block.version,
        "proof": block.proof.value,
        "tier": block.tier.value,
        "kept": block.kept,
        "folded": block.folded,
        "cut": block.cut,
        "edited": block.edited,
        "tokens_raw": block.tokens_raw,
        "tokens_out": block.tokens_out,
        "reasons": dict(block.reasons),
        "warnings": list(block.warnings),
    }


def _explanation(envelope: Envelope, trace: Trace, name: str) -> list[str]:
    what = f"raw, because {envelope.reason}"
    if not envelope.reason:
        what = f"{envelope.proof.value} by {envelope.transform or 'canonical form'}"
    lines = [
        f"explain {name}".rstrip(),
        f"  decision   {what}",
        f"  type       {envelope.content_type.name}, signal {envelope.signal}",
        f"  tier       {envelope.tier.value}",
        f"  tokens     {envelope.tokens_raw} -> {envelope.tokens_out}"
        f" ({envelope.counter})",
        f"  handle     {envelope.handle or 'none'}",
    ]
    for block in envelope.blocks:
        lines.append(_block_line(block))
    lines += [f"  warning    {warning}" for warning in envelope.warnings]
    for stage in trace.stages:
        facts = " ".join(f"{key}={_short(value)}" for key, value in stage.facts.items())
        ms = "" if stage.ms is None else f"{stage.ms:.1f} ms"
        lines.append(f"  {stage.name:<10} {ms:>9}  {facts}".rstrip())
    return lines


def _block_line(block: Block) -> str:
    done = f"{block.transform} {block.version}" if block.transform else "as it is"
    reasons = ", ".join(f"{why} {many}" for why, many in block.reasons)
    counts = f"kept {block.kept}, folded {block.folded}, left out {block.cut}"
    if block.edited:
        counts += f", edited {block.edited}"
    return (
        f"  block      lines {block.start + 1}-{block.stop}: "
        f"{block.content_type.name}, {done}, {counts}"
        + (f" ({reasons})" if reasons else "")
    )


def _short(value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."
