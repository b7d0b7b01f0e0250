"""Lay JSON out shorter, and take it back: rows, tables or just minified.

Three layouts, shortest first where it pays:

    rows      a header line, then a line for each object of one array or of
              JSON lines: `json_tables` without the brackets of the array
    tables    JSON in which arrays of like objects are tables
    minified  JSON without white space, one document a line; still JSON

The first two need a legend to be read; the third has none.
"""

from __future__ import annotations

from ..model import Change, Legend, Proof, Tier
from .json_lexer import Json, Parsed, parse, unguard
from .json_tables import Tables
from .json_untable import unrows, untable

#: How a legend says that rows are the elements of one array.
ARRAY_ROWS = "constants, then rows"
#: How a legend says that each row was a line, or one of several documents.
LINE_ROWS = "JSON lines: constants, then rows"
#: How a legend says that tables stand in JSON.
TABLES = "keys and constants, then rows"

#: Share of the minified text that tables must save: under it JSON that is
#: still JSON is worth more. Chosen by hand.
LEAST_SAVED = 0.08


#: Deepest nesting that is searched for tables: writing them recurses.
TABLE_DEPTH = 48


def shorten(text: str) -> Change | None:
    """Return the shortest layout; None for what is no JSON or gains nothing."""
    parsed = parse(text)
    if parsed is None:
        return None
    change = None if parsed.cut_off else _laid_out(parsed)
    if change is not None:
        return change
    if len(parsed.canon) >= len(text):
        return None
    if parsed.cut_off:
        warning = "JSON is cut off: only white space was removed"
        return Change(
            Proof.CANONICAL,
            text=parsed.canon,
            tier=Tier.DEGRADED,
            warnings=(warning,),
        )
    return Change(Proof.CANONICAL, text=parsed.canon)


def take_back(text: str, legend: Legend | None) -> str:
    """Return the canonical text of a layout; without a legend it is that.

    Raises:
        ValueError: `text` was not written by `shorten`.
    """
    if legend is None:
        return text
    body = text.removesuffix("\n")
    end = text[len(body) :]
    if legend.how == TABLES:
        return untable(body) + end
    rows = unrows(body)
    if legend.how == ARRAY_ROWS:
        return "[" + ",".join(rows) + "]" + end
    return "\n".join(rows) + end


def _laid_out(parsed: Parsed) -> Change | None:
    """Return rows or tables, None where they are not worth their legend."""
    if parsed.depth > TABLE_DEPTH:
        return None
    body, legend = _rows(parsed.docs) or _tables(parsed.docs)
    body = unguard(body)
    size = len(body) + len(legend.what) + len(legend.how)
    if size > len(parsed.canon) * (1 - LEAST_SAVED):
        return None
    end = "\n" if parsed.canon.endswith("\n") else ""
    return Change(Proof.CANONICAL, text=body + end, legend=legend)


def _rows(docs: list[Json]) -> tuple[str, Legend] | None:
    items, how = docs, LINE_ROWS
    if len(docs) == 1:
        if type(docs[0]) is not list:
            return None
        items, how = docs[0], ARRAY_ROWS
    rows = Tables().rows(items)
    return (rows, Legend(f"{len(items)} records", how)) if rows else None


def _tables(docs: list[Json]) -> tuple[str, Legend]:
    tables = Tables()
    text = "\n".join([tables.block(doc) for doc in docs])
    noun = "table" if tables.count == 1 else "tables"
    return text, Legend(f"{tables.count} {noun}", TABLES)
