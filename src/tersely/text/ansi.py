"""Take terminal control sequences out of a text.

Two classes. Noise says nothing about where text stands (colour, charset,
title, hyperlink, erase to the end of the line) and is removed. A move puts
later text over earlier text (cursor up, column 1, erase the whole line);
`canonical` reads moves as the ends of redrawn states.

ECMA-48 and xterm's ctlseqs are the grammar. Every pattern is linear: a run of
ESC counts as one, quantifiers are possessive. They start with a literal where
they can: the engine then searches for it and looks at nothing else.
"""

from __future__ import annotations

import re

#: What follows ESC in a move: cursor, absolute position, erase line, restore.
MOVE = r"(?:\[(?:\d*+(?:;\d*+)?[A-Hdfsu`]|2K)|[78])"

_NOISE = re.compile(
    r"\x1b(?<!\x1b\x1b)\x1b*+(?!" + MOVE + r")"
    r"(?:\[[0-?]*+[ -/]*+(?:[@-~]|\Z)"  # CSI, also one cut off by the end
    r"|[\]P_X^k][^\x07\x1b\x9c\n]*+(?:\x07|\x9c|\x1b\\)"  # OSC, DCS, APC, title
    r"|[ -/]++[0-~]"  # charset selects and the like
    r"|[=>cDEM\\])?"
)

# Only colour and erase forms: other caret text may well be content.
_CARET = re.compile(r"\^\[(?=\[(?:[0-9;]*m|[0-3]?[JK]|\?\d+[hl]|\d*[A-G])|\(B)")
_CARET_QUOTED = re.compile(r"([\"'`])\^\[\[[0-9;]*[mJK]\1")
_CARET_SIGN = re.compile(r"\^\[\[(?:[0-9;]*m|[0-3]?[JK])")

#: More than one code in so many between quotes: the text is about codes.
_QUOTED_ONE_IN = 20

_LEADING = re.compile(r"(?<![^\r\n])\x08+")
_STRUCK = re.compile(r"(?:[^\x08\r\n]\x08)+(?=[^\x08\s_])")
_PIECE = re.compile(r"\x08+|[^\x08]+")
_STATE_END = re.compile(r"(\r|\n|\x1b" + MOVE + r")")


def strip(text: str) -> str:
    """Remove what is noise; moves stay."""
    return _NOISE.sub("", text)


def from_caret(text: str) -> str:
    """Turn colour and erase codes written as caret text (``^[[31m``) into ESC.

    `gh run view --log` prints them so. A text that holds only one, or has some
    right between quotes, talks about them: it comes back as it is.
    """
    signs = len(_CARET_SIGN.findall(text))
    if signs < 2 or _QUOTED_ONE_IN * len(_CARET_QUOTED.findall(text)) > signs:
        return text
    return _CARET.sub("\x1b", text)


def overstrike(text: str) -> str:
    r"""Resolve backspaces: ``x\bx`` and ``_\bx`` are x, else the last one wins."""
    if "\x1b" not in text:  # a move is no cell that could be struck over
        text = _STRUCK.sub("", _LEADING.sub("", text))
        if "\b" not in text:
            return text
    parts = _STATE_END.split(text)
    return "".join([_struck(part) if "\b" in part else part for part in parts])


def _struck(line: str) -> str:
    cells: list[str] = []
    at = 0
    for piece in _PIECE.findall(line):
        if piece[0] == "\b":
            at = max(0, at - len(piece))
            continue
        under = cells[at : at + len(piece)]
        if piece.isspace() or "_" in piece:
            pairs = zip(under, piece, strict=False)
            over = [u if p == "_" and u > " " else p for u, p in pairs]
            cells[at : at + len(piece)] = over + list(piece[len(under) :])
        else:
            cells[at : at + len(piece)] = piece
        at += len(piece)
    return "".join(cells)
