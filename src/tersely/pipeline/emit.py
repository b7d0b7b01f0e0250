"""Render proved changes as the text a reader sees, and recognise such texts.

The only module that writes or reads engine lines (DESIGN section 5):

    [412 more lines]                      end marker: once, last before the footer
    [last 40 lines]                       label before a tail section, at most once
    [full output: ctx expand 3f2a9c0b7d1e]    footer: last line of every lossy emission
    [full output: ctx expand <<ccr:24 hex>>]  the same with `footer = "ccr"`
    [same output as before: ctx expand H]     a whole emission
    [unchanged since you read it: PATH]       a whole emission
    [500 records: constants, then rows]   legend: first line of a re-laid-out text
    LINE [×380]  ·  LINE [~380 alike]     suffix of a folded line

They are recognised as whole lines only (suffixes at a line's end). Between
kept blocks that were not adjacent stands one empty line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..model import Change, Fold, Legend, Text

#: Units that an end marker counts.
UNITS = ("lines", "rows", "sentences", "files", "bytes")

#: How each re-laid-out text says it is to be read: WHAT -> HOWs. A transform
#: may use no other, so that every legend is recognised.
LEGENDS: dict[str, tuple[str, ...]] = {
    "records": ("constants, then rows", "JSON lines: constants, then rows"),
    "table": ("keys and constants, then rows",),
    "tables": ("keys and constants, then rows",),
    "hits": (
        "path, then line:text",
        "path:, then text",
        "path, then line@offset(matches):text",
        "a text behind =, then its path:line",
        "a text behind =, then its path:line under their folder",
    ),
    "commits": tuple(
        "an Author line holds for all commits below it, dates stand behind commits"
        + flush
        for flush in ("", ", messages are not indented")
    ),
    "entries": (
        "folder, then names",
        *(
            f"# and * are the words of a row{runs}{folders}{whole}"
            for runs in ("", ", ^ is the word above")
            for folders in ("", ", paths under their folder")
            for whole in ("", ", \\ is before a whole row")
        ),
        "a space a level, as tree",
        "a space a level, as npm",
        "a space a level, as cargo",
        "a space a level, as tree in ASCII",
        "a space a level, as npm in ASCII",
        "a space a level, as yarn",
        "a space a level, as gradle",
        "a space a level, as maven",
        "a space a level, as systemd",
    ),
}

_FOOTER = re.compile(
    r"\[full output: ctx expand "
    r"(?:([0-9a-f]{12}|[0-9a-f]{24})|<<ccr:([0-9a-f]{24})>>)\]"
)
_SAME = re.compile(r"\[same output as before: ctx expand ([0-9a-f]{12}|[0-9a-f]{24})\]")
_UNCHANGED = re.compile(r"\[unchanged since you read it: .+\]")
_LEGEND = re.compile(r"\[\d+ ([a-z]+): ([^\]\n]+)\]")
_RUN = re.compile(r" \[×\d+\]$")
_HANDLE = re.compile(r"(?:<<)?(?:ccr:)?([0-9a-f]{6,64})(?:>>)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """One segment and what was done to it; `change` None sends it as it is."""

    text: Text
    change: Change | None


def marker(count: int, unit: str = "lines") -> str:
    """The one line that says how many units are not shown."""
    return f"[{count} more {unit}]"


def tail_label(count: int) -> str:
    """The line before a tail section of `count` lines."""
    return f"[last {count} lines]"


def footer(handle: str) -> str:
    """The last line of a lossy emission; a 24-digit `handle` may carry ``ccr:``."""
    if handle.startswith("ccr:"):
        return f"[full output: ctx expand <<{handle}>>]"
    return f"[full output: ctx expand {handle}]"


def same_as_before(handle: str) -> str:
    """A whole emission: this reader was given the same text before."""
    return f"[same output as before: ctx expand {handle}]"


def legend(what: Legend) -> str:
    """First line of a re-laid-out text."""
    return f"[{what.what}: {what.how}]"


def suffix(fold: Fold) -> str:
    """What stands behind the first line of equal or alike lines."""
    count = 1 + len(fold.others)
    return f" [×{count}]" if fold.same else f" [~{count} alike]"


def known_legend(what: Legend) -> bool:
    """Whether `what` stands in `LEGENDS`, so that it will be recognised."""
    return _is_legend(legend(what))


def is_emission(text: str) -> bool:
    """Whether `text` was written by `render`: it is sent on as it is.

    Decided by grammar, from the last line (footer) or the first (legend), not
    by asking the archive.
    """
    stripped = text.rstrip("\r\n")
    last = stripped[stripped.rfind("\n") + 1 :]
    if _FOOTER.fullmatch(last):
        return True
    first = text[: text.find("\n")] if "\n" in text else text
    if _is_legend(first.rstrip("\r")):
        return True
    return "\n" not in stripped and bool(
        _SAME.fullmatch(stripped) or _UNCHANGED.fullmatch(stripped)
    )


def parse_handle(asked: str) -> str | None:
    """Return the hex digits in a bare hash, ``ccr:HASH``, marker or whole footer.

    A text of several lines is read from its end: the last engine line counts.
    """
    for line in reversed(asked.strip().splitlines()):
        line = line.strip()
        if found := _FOOTER.fullmatch(line) or _SAME.fullmatch(line):
            return next(group for group in found.groups() if group)
        if found := _HANDLE.fullmatch(line):
            return found.group(1).lower()
    return None


def render(parts: Sequence[Part], handle: str | None) -> str:
    """Return the emission of `parts`.

    Args:
        parts: the segments in order; their texts tile the canonical text.
        handle: set if and only if something was lost: then a footer follows.
    """
    out: list[str] = []
    for part in parts:
        _render_part(part, out)
    left_out, unit = count_left_out(parts)
    lines = []
    if left_out:
        lines.append(marker(left_out, unit))
    if handle:
        lines.append(footer(handle))
    if not lines:
        return "".join(out)
    if out and not out[-1].endswith(("\n", "\r")):
        out.append("\n")
    return "".join(out) + "\n".join(lines) + "\n"


def count_left_out(parts: Sequence[Part]) -> tuple[int, str]:
    """How many units the end marker counts; several units are counted as lines."""
    total, units = 0, []
    for part in parts:
        if part.change is None:
            continue
        count = sum(cut.count for cut in part.change.cuts) + part.change.left_out
        if count:
            total += count
            units.append(part.change.unit)
    return total, units[0] if len(set(units)) == 1 else "lines"


def shown(size: int, change: Change) -> list[int]:
    """Indices of the input lines that a line-wise `change` shows, ascending."""
    gone = bytearray(size)
    for cut in change.cuts:
        gone[cut.start : cut.start + cut.count] = b"\1" * cut.count
    for fold in change.folds:
        for at in fold.others:
            gone[at] = 1
    return [at for at in range(size) if not gone[at]]


def _is_legend(line: str) -> bool:
    found = _LEGEND.fullmatch(line)
    return bool(found and found.group(2) in LEGENDS.get(found.group(1), ()))


def _render_part(part: Part, out: list[str]) -> None:
    text, change = part.text, part.change
    if change is None:
        out.append(text.join())
        return
    if out and not out[-1].endswith(("\n", "\r")):
        out.append("\n")
    if change.legend:
        out.append(legend(change.legend) + "\n")
    if change.text is not None:
        out.append(change.text)
        return
    _render_lines(text, change, out)


def _render_lines(text: Text, change: Change, out: list[str]) -> None:
    kept = shown(len(text.lines), change)
    edits = {edit.at: edit.line for edit in change.edits}
    folds = {fold.at: suffix(fold) for fold in change.folds}
    gaps = _gaps(text, change, kept)
    for at in kept:
        if at in gaps:
            out.append("\n")
        if at == change.tail:
            out.append(tail_label(len(text.lines) - at) + "\n")
        line = edits.get(at) or text.lines[at]
        out.append(line + folds.get(at, "") + (text.ends[at] or "\n"))
    if kept and kept[-1] == len(text.lines) - 1 and not text.ends[-1]:
        out[-1] = out[-1][:-1]


def _gaps(text: Text, change: Change, kept: Sequence[int]) -> set[int]:
    """Lines before which an empty line stands.

    Two kept blocks that were not adjacent, at least one of them of several
    lines: without a mark they would read as one.
    """
    cut_starts = {cut.start for cut in change.cuts}
    if change.seamless or not cut_starts:
        return set()
    folded = {at for fold in change.folds for at in fold.others}
    blocks: list[list[int]] = []
    for at in kept:
        before = at - 1
        while before in folded:
            before -= 1
        if blocks and blocks[-1][1] == before:
            blocks[-1][1] = at
        else:
            blocks.append([at, at])
    gaps = set()
    for (start, stop), (start2, stop2) in pairwise(blocks):
        several = stop > start or stop2 > start2
        blank = not text.lines[stop].strip() or not text.lines[start2].strip()
        if several and not blank and start2 != change.tail:
            gaps.add(start2)
    return gaps


def split_legend(text: str) -> tuple[Legend | None, str]:
    """Take a legend off the top of an emission."""
    first, _, rest = text.partition("\n")
    found = _LEGEND.fullmatch(first)
    if found and found.group(2) in LEGENDS.get(found.group(1), ()):
        what, _, how = first[1:-1].partition(": ")
        return Legend(what, how), rest
    return None, text


def unfold(text: str) -> str:
    """Undo runs of equal lines in an exact emission: every suffix is a fold."""
    out = []
    for line in text.split("\n"):
        end = "\r" if line.endswith("\r") else ""
        bare = line[: len(line) - len(end)]
        found = _RUN.search(bare) if bare.endswith("]") else None
        if found:
            count = int(found.group(0)[3:-1])
            out += [bare[: found.start()] + end] * count
        else:
            out.append(line)
    return "\n".join(out)
