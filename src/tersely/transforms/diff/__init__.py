"""Take out of a diff what neither a reader nor `git apply` needs.

Input:  unified diffs: git (diff, show, log -p, format-patch), svn, hg, diff -ru.
Output: the same lines without some; applied by `git apply` it gives the same tree
        but for the files that left whole. Marker and footer do not disturb it.
Keeps:  every ``+``, ``-`` and context line, hunk header, name, mode, rename,
        ``Binary`` and ``\\ No newline`` line of each file that is kept; all lines
        outside of patches (commits, authors, subjects, stat); index lines that
        binary patches, modes other than plain files and incomplete hunks need.
Drops:  ``index abc..def`` lines of text patches (`git apply -3` needs them: it
        takes the original); the rule under svn's ``Index:``. Whole, but for
        their ``---`` and ``+++`` lines: lock files and generated files from
        `lock_lines` lines on, and above `budget_tokens` the least important
        files, written by tools, vendored, data, then the largest.
Params: budget_tokens; lock_lines, the size from which a file written by a tool
        leaves; lock_keep_lines, how many changed lines of it may stay.
Cost:   one pass over the lines, searches in lock files only.
Source: DESIGN 13.6; git's apply.c, which skips what no header opens.

The lines of a lock file that say what changed (name, version, and while they
are few every changed line that holds no hash) stay in its place, below its two
names, not behind the last patch: kept lines never move. There `git apply` reads
them as it reads a mail's text: the names are followed by no ``@@``, and nothing
that could open a patch is kept. A file cut for the budget is never cut in part.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ...model import Change, Cut, Facts, Params, Proof, Text, Tier, Transform
from . import lockfiles
from .parse import Section, sections

_INDEX = re.compile(r"index [0-9a-f,]+\.\.[0-9a-f]+(?: 100644| 100755)?$")

#: Less than this is not worth a footer, in characters (chosen by hand: a footer
#: and a marker are about 90).
_MIN_CHARS = 150

#: What a rule of 67 ``=`` is worth beside hashes: two tokens.
_RULE_CHARS = 5

#: A file leaves only when this share of its lines goes.
_MIN_SHARE = 0.5


def apply(text: Text, params: Params, facts: Facts) -> Change | None:
    """Cut header noise, lock files and what a budget asks for."""
    if params.get("lossless"):
        return None
    lines, starts = _as_written(text)
    parts = sections(lines)
    if not parts:
        return None
    pins = frozenset(bisect_right(starts, pin) - 1 for pin in params.get("pins", ()))
    why: dict[int, str] = {}
    for part in parts:
        _cut_header(part, lines, why)
    movable = [part for part in parts if _may_leave(part, pins)]
    for part in movable:
        if part.stop - part.start >= params["lock_lines"]:
            _cut_written_by_tool(part, lines, params["lock_keep_lines"], why)
    _cut_to_budget(movable, lines, params["budget_tokens"], why)
    _bring_back(parts, why)
    for pin in pins:
        why.pop(pin, None)
    if not _is_worth(lines, why):
        return None
    short = [part for part in parts if not part.whole and part.path]
    return Change(
        Proof.CUT,
        cuts=_cuts(why, starts),
        seamless=True,
        tier=Tier.DEGRADED if short else Tier.FULL,
        warnings=tuple(f"{part.path}: hunks are not complete" for part in short[:5]),
    )


def _as_written(text: Text) -> tuple[Sequence[str], Sequence[int]]:
    """Lines as the tool counted them, and where each starts in `text`.

    A lone CR is part of a line for whoever wrote the patch.
    """
    if "\r" not in text.ends:
        return text.lines, range(len(text.lines) + 1)
    lines: list[str] = []
    starts: list[int] = []
    parts: list[str] = []
    for at, (line, end) in enumerate(zip(text.lines, text.ends, strict=True)):
        if not parts:
            starts.append(at)
        parts.append(line)
        if end == "\r":
            parts.append(end)
        else:
            lines.append("".join(parts))
            parts = []
    if parts:
        lines.append("".join(parts))
    return lines, [*starts, len(text.lines)]


def _is_worth(lines: Sequence[str], gone: Iterable[int]) -> bool:
    chars = 0
    for at in gone:
        chars += _RULE_CHARS if lines[at].startswith("=====") else len(lines[at])
        if chars >= _MIN_CHARS:
            return True
    return False


def _cut_header(part: Section, lines: Sequence[str], why: dict[int, str]) -> None:
    if part.binary or not part.whole or not part.hunks:
        return
    for at in part.header:
        if _INDEX.match(lines[at]):
            why[at] = "index line"
        elif lines[at].startswith("====="):
            why[at] = "rule below a name"


def _may_leave(part: Section, pins: frozenset[int]) -> bool:
    """Whether nothing in the part must stay, and its names can."""
    if not part.whole or not (part.names or part.binary):
        return False
    return not pins or pins.isdisjoint(range(part.start, part.stop))


def _cut_written_by_tool(
    part: Section, lines: Sequence[str], keep_lines: int, why: dict[int, str]
) -> None:
    if part.names is None:
        return
    if lockfiles.is_lock(part.path):
        keep = lockfiles.telling(part, lines, keep_lines)
        if len(keep) <= (1 - _MIN_SHARE) * (part.stop - part.start):
            _leave(part, "lock file", keep, why)
    elif lockfiles.is_generated(part, lines):
        _leave(part, "generated file", (), why)


def _leave(
    part: Section, reason: str, keep: Sequence[int], why: dict[int, str]
) -> None:
    """Cut a file but for its names and `keep`."""
    if part.names is None:
        # Header lines alone would go on with the names of the next file.
        stay = {part.start, min(part.start + 1 + len(part.header), part.stop - 1)}
    else:
        stay = {part.names, part.names + 1}
    stay.update(keep)
    for at in range(part.start, part.stop):
        if at not in stay:
            why[at] = reason


def _bring_back(parts: Sequence[Section], why: dict[int, str]) -> None:
    """Keep a file whose names would be read as those of the file before it.

    A rename, a mode and an empty file are a header that nothing ends but the
    next ``diff --git``.
    """
    for before, part in pairwise(parts):
        open_end = before.names is None and not before.binary and not before.hunks
        if open_end and before.stop == part.start and part.start in why:
            for at in range(part.start, part.stop):
                why.pop(at, None)


def _cut_to_budget(
    parts: Sequence[Section],
    lines: Sequence[str],
    budget_tokens: int,
    why: dict[int, str],
) -> None:
    """Let whole files leave, least important and then largest first."""
    left = sum(len(line) + 1 for at, line in enumerate(lines) if at not in why)
    if left <= budget_tokens:
        return
    from ...text import tokens

    kept = "\n".join([line for at, line in enumerate(lines) if at not in why])
    limit = int(left * budget_tokens / max(1, tokens.estimate(kept)))
    if left <= limit:
        return
    order = []
    for part in parts:
        size = sum(
            len(lines[at]) + 1 for at in range(part.start, part.stop) if at not in why
        )
        order.append((lockfiles.rank(part, lines), -size, part.start, part))
    for _, size, _, part in sorted(order, key=lambda entry: entry[:3]):
        if left <= limit:
            return
        if part.start in why and part.start != part.names:
            continue  # has left already: what stayed of it says what changed
        before = len(why)
        _leave(part, "above the budget", (), why)
        if len(why) > before:
            left += size + sum(len(lines[at]) + 1 for at in _stayed(part, why))


def _stayed(part: Section, why: dict[int, str]) -> list[int]:
    return [at for at in range(part.start, part.stop) if at not in why]


def _cuts(why: dict[int, str], starts: Sequence[int]) -> tuple[Cut, ...]:
    cuts: list[Cut] = []
    start, stop = -1, -2
    reason = ""
    for at in (*sorted(why), -1):
        if at != stop or why[at] != reason:
            if start >= 0:
                cuts.append(Cut(starts[start], starts[stop] - starts[start], reason))
            start, reason = at, why.get(at, "")
        stop = at + 1
    return tuple(cuts)


TRANSFORM = Transform(
    id="diff",
    version=2,
    apply=apply,
    defaults={"budget_tokens": 20_000, "lock_lines": 40, "lock_keep_lines": 400},
)
