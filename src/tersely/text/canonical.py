r"""Bring a text to its canonical form: what a terminal or a CI page would show.

Steps, each named in `Canonical.steps` when it changed something:

    ci_prefix    time stamps, jobs and steps that a CI runner puts before each
                 line; job and step stay on the first line of each step
    caret_ansi   ``^[[31m`` as text is what ESC would be
    ansi         control sequences go, visible text stays
    overstrike   ``x\bx`` and ``_\bx`` are x (man pages); spinners by backspace
    redraw       states of a line that ``\r``, cursor up or erase line drew over:
                 of states that say the same but for digits and bars the last
                 one stays; states that differ in words stay as lines

Laws (tests): a fixed point, total, linear in the length, never longer but for
a CR that becomes LF, and text no step concerns is untouched to the character.
Time stamps of application logs and names of containers are content and stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from . import ansi


@dataclass(frozen=True, slots=True)
class Canonical:
    """A canonical text and the names of the steps that made it.

    Attributes:
        text: the very object that came in where `steps` is empty.
    """

    text: str
    steps: tuple[str, ...]


#: A step may uncover work for another; real text settles in two rounds. What
#: has not settled by then was made to be hostile and stays as it came.
_ROUNDS = 4

# A line start is written as the LF before it, which is fast to search for.
_STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z(?: |(?=\r?\n))"
_RUNNER = re.compile(r"\n\ufeff?" + _STAMP)
_GH_VIEW = re.compile(r"\n([^\t\r\n]*+\t[^\t\r\n]*+\t)\ufeff?" + _STAMP)
_GITLAB = re.compile(
    r"\n\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z \d\d[OE](?:[ +]|(?=\r?\n))"
)
#: Share of the lines that must carry a prefix: a message may hold line ends.
_NEARLY_ALL = 0.9

_SECTION = re.compile(
    r"(?:section_(?:start|end):\d+:[\w.\-]+(?:\[[^\]\r\n]*\])?"
    r"|travis_(?:fold|time):[\w.:,=\-]+)\r\x1b\[0?K"
)

_CRS = re.compile(r"\r+")
_STATE_END = re.compile(r"\r+|\x1b+" + ansi.MOVE)
_GAP = re.compile(r"\x1b\x1b*\[(?:\d*C|(?:[2-9]|\d\d+)G)")
_SAVE = re.compile(r"\x1b\x1b*(?:\[s|7)")
_ROW_MOVE = re.compile(r"\x1b\[(?:\d*[AF]|\d*(?:;\d*)?[Hfd])")
_MOVE_PARTS = re.compile(r"\r+|\x1b+(?:\[(\d*)(?:;\d*)?([A-HKdfsu`])|([78]))")

# A number that stands alone, with its unit: not the digits of a word, of a
# version behind a name, or of a path.
_NUMBER = (
    r"(?<![\w.])(?<!\w[-/])\d+(?:[.,:/]\d+)*"
    r"(?: ?(?:[kKMGT]?i?[Bb](?:ytes?|its?)?(?:/s(?:ec)?|ps)?|bytes|it/s|s/it|[kKMGT]"
    r"|ms|s|secs?|min|h|d|m(?: ?\d+(?:\.\d+)?s)?))?(?!\w)"
)
_VARIABLE = re.compile(r"(?:" + _NUMBER + r"|(?<!\w)(?:it/s|s/it)(?!\w)|[^\w\r]+)+")
_PROGRESS = re.compile(
    r"\d ?%|\d/s|[kKMG]i?B\b|\d+/\d|\d:\d\d|-:--|[=#\-]{3}"
    r"|[\u2580-\u259f\u2800-\u28ff━╸]"
)


def canonical(text: str) -> Canonical:
    """Return the canonical form of `text`."""
    if _is_patch(text):
        return Canonical(text, ())
    out = text
    names: dict[str, None] = {}
    for _ in range(_ROUNDS):
        before = out
        for name, step in _STEPS:
            after = step(out)
            if after is not out and after != out:
                names[name] = None
                out = after
        if out is before:
            return Canonical(out, tuple(names))
    return Canonical(text, ())


def _is_patch(text: str) -> bool:
    """Whether an uncoloured patch: what controls it holds are a file's content.

    A coloured one begins with ESC, a log that shows patches with other lines.
    """
    if not text.startswith(_PATCH_STARTS):
        return False
    if text.startswith(" "):
        # A diffstat may stand before the patch.
        stat = text[: max(0, text.find("\n\ndiff --git "))]
        if " changed" not in stat or "\x1b" in stat:
            return False
    return "\n@@ -" in text


def _caret(text: str) -> str:
    return ansi.from_caret(text) if "^[[" in text else text


def _sections(text: str) -> str:
    if "\x1b" not in text or not ("section_" in text or "travis_" in text):
        return text
    return _SECTION.sub("", text)


def _ansi(text: str) -> str:
    return ansi.strip(text) if "\x1b" in text else text


def _overstrike(text: str) -> str:
    return ansi.overstrike(text) if "\b" in text else text


def _redraw(text: str) -> str:
    moves = "\x1b" in text
    if not moves and ("\r" not in text or text.count("\r") == text.count("\r\n")):
        return text
    if moves:
        text = _GAP.sub(" ", text)
        if _ROW_MOVE.search(text):
            return _Screen().draw(text)
        text = _SAVE.sub("", text)
    strict = not moves and text.find("\n", 0, -1) < 0
    if strict and "\n" not in text and not _is_progress(text):
        return text
    return "\n".join(
        [
            _redrawn(line, strict) if "\r" in line or "\x1b" in line else line
            for line in text.split("\n")
        ]
    )


def _is_progress(text: str) -> bool:
    """Whether a text without LF is one redrawn line, not lines that end in CR."""
    states = [state for state in _CRS.split(text) if state.strip()]
    signs = sum(1 for state in states if _PROGRESS.search(state))
    return len(states) > 1 and signs >= _NEARLY_ALL * len(states)


def _redrawn(line: str, strict: bool) -> str:
    """The states of one line that stay, each a line of its own.

    Args:
        line: without its LF; one CR at the end belongs to the line end.
        strict: numbers alone are data, not progress.
    """
    end = "\r" if line.endswith("\r") else ""
    body = line.rstrip("\r")
    if "\r" not in body and "\x1b" not in body:
        return body + end
    states = [state for state in _STATE_END.split(body) if state.strip()]
    if len(states) < 2:
        return (states[0] if states else "") + end
    masks = [mask.strip() for mask in _mask("\r".join(states)).split("\r")]
    kept = [
        state
        for state, after, mask, mask_after in zip(
            states, states[1:], masks, masks[1:], strict=False
        )
        if not _superseded(state, after, mask, mask_after, strict)
    ]
    return "\n".join((*kept, states[-1])) + end


def _mask(states: str) -> str:
    return _VARIABLE.sub(" ", states)


def _superseded(
    state: str, after: str, mask: str, mask_after: str, strict: bool
) -> bool:
    """Whether `after`, drawn over `state`, says all that `state` said."""
    if state == after:
        return True
    if mask:
        if mask != mask_after and not mask_after.startswith(mask + " "):
            return False
        return not strict or _PROGRESS.search(state) is not None
    return not mask_after and _PROGRESS.search(state + after) is not None


class _Screen:
    """Rows that the cursor goes back to, for frames of several lines.

    Lines stay in the order of time. A state goes when what is next drawn over
    its row supersedes it.
    """

    #: Absolute positions get rows of their own, far below the relative ones.
    ABSOLUTE = 1 << 40

    def __init__(self) -> None:
        self._out: list[str] = []
        self._at: dict[int, int] = {}
        self._row = self._saved = 0

    def draw(self, text: str) -> str:
        lines = text.split("\n")
        last = lines.pop()
        out, at = self._out, self._at
        for line in lines:
            if "\r" in line or "\x1b" in line or self._row in at:
                self._line(line)
            else:
                at[self._row] = len(out)
                out.append(line + "\n")
            self._row += 1
        if last:
            before = len(self._out)
            self._pieces(last)
            if len(self._out) > before:
                self._out[-1] = self._out[-1][:-1]
        return "".join(self._out)

    def _line(self, line: str) -> None:
        end = "\r\n" if line.endswith("\r") else "\n"
        body = line.rstrip("\r")
        if "\r" not in body and "\x1b" not in body:
            if body or self._row not in self._at:
                self._put(body, end)
            return
        before = len(self._out)
        self._pieces(body)
        if len(self._out) > before:
            self._out[-1] = self._out[-1][:-1] + end
        elif self._row not in self._at:
            self._put("", end)

    def _pieces(self, body: str) -> None:
        start = 0
        for found in _MOVE_PARTS.finditer(body):
            if state := body[start : found.start()]:
                if state.strip():
                    self._put(state, "\n")
            start = found.end()
            self._move(found)
        if (state := body[start:]).strip():
            self._put(state, "\n")

    def _move(self, found: re.Match[str]) -> None:
        count, final, single = found.groups()
        # six digits are more rows than any terminal has
        number = int(count[:6] or 1) if count is not None else 1
        if final in ("A", "F"):
            self._row -= number
        elif final in ("B", "E"):
            self._row += number
        elif final in ("H", "f", "d"):
            self._row = self.ABSOLUTE + number
        if final == "s" or single == "7":
            self._saved = self._row
        elif final == "u" or single == "8":
            self._row = self._saved

    def _put(self, state: str, end: str) -> None:
        old = self._at.get(self._row)
        if old is not None and (under := self._out[old].rstrip("\r\n")):
            mask, mask_after = _mask(under).strip(), _mask(state).strip()
            if _superseded(under, state, mask, mask_after, strict=False):
                self._out[old] = ""
        self._at[self._row] = len(self._out)
        self._out.append(state + end)


def _ci_prefix(text: str) -> str:
    # a greeting may stand before the log: its middle is asked too
    half = text.find("\n", len(text) // 2) + 1
    parts = (text[:4096], text[half : half + 4096])
    few = [line for part in parts for line in part.split("\n", 3)[:3]]
    if any(_GH_VIEW.match(f"\n{line}\n") for line in few):
        return _gh_view(text)
    if any(_RUNNER.match(f"\n{line}\n") for line in few):
        # .NET programs log with the same stamp: a runner's command must show
        if "##[" in text or "Z [command]" in text:
            return _without(_RUNNER, "\n", text)
    elif any(_GITLAB.match(f"\n{line}\n") for line in few):
        return _without(_GITLAB, "\n", text)
    return text


def _without(
    prefix: re.Pattern[str], instead: str | Callable[[re.Match[str]], str], text: str
) -> str:
    out, count = prefix.subn(instead, f"\n{text}\n")
    return out[1:-1] if count >= _NEARLY_ALL * _filled(text) else text


def _gh_view(text: str) -> str:
    step = ""

    def shorten(found: re.Match[str]) -> str:
        nonlocal step
        if found.group(1) == step:
            return "\n"
        step = found.group(1)
        return "\n" + step

    return _without(_GH_VIEW, shorten, text)


def _filled(text: str) -> int:
    """How many lines are not empty, near enough."""
    return text.count("\n") + 1 - text.count("\n\n") - text.endswith("\n")


_PATCH_STARTS = ("diff -", "--- ", "Index: ", "commit ", "From ", " ")

#: In this order: a prefix is no state of a redrawn line, and sections need the
#: CR and ESC that later steps take.
_STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("ci_prefix", _ci_prefix),
    ("caret_ansi", _caret),
    ("redraw", _sections),
    ("ansi", _ansi),
    ("overstrike", _overstrike),
    ("redraw", _redraw),
)
