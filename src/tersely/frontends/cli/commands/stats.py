"""ctx stats -- tokens saved and spent so far.

Reads:  ledger
Writes: stdout
Exit:   0 done, 1 the store cannot be read, 2 wrong use
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .. import engines, output
from ..arguments import Parser

if TYPE_CHECKING:
    from ....store import Total

EPILOG = """\
net = raw - out - expanded - bounced - standing: what was sent again (expanded),
fetched past us (bounced) and what we add to each request (standing) is debited,
and what costs more than it saves is shown with its minus. Numbers of two token
counters are never added. Short outputs are passed on unseen: they are not in here.
"""

GROUPS = ("command", "type", "transform", "reason", "day", "frontend", "config")


def run(argv: Sequence[str]) -> int:
    """Print the totals of the ledger."""
    args = _parser().parse_args(argv)
    with engines.open_engine() as engine:
        totals = engine.store.ledger.totals(args.by)
    if args.json:
        output.print_json({"by": args.by, "totals": [_as_dict(row) for row in totals]})
        return 0
    if not totals:
        print("nothing yet: `ctx demo` shows what will be counted here")
        return 0
    print(_table(totals, args.by), end="")
    return 0


def _parser() -> Parser:
    parser = Parser("stats", __doc__ or "", EPILOG)
    parser.add_argument(
        "--by", metavar="WHAT", choices=GROUPS, help=f"a row per {', '.join(GROUPS)}"
    )
    parser.add_argument("--json", action="store_true", help="print one object")
    return parser


def _as_dict(total: Total) -> dict[str, Any]:
    return {**asdict(total), "net": total.net}


def _table(totals: Sequence[Total], by: str | None) -> str:
    measured = any(total.measured for total in totals)
    head = ["outputs", "raw", "out", "expanded", "bounced", "standing", "net", "saved"]
    head += ["faults", "counter"]
    head = [by, *head] if by else head
    head += ["measured"] if measured else []
    rows: list[list[object]] = []
    for total in totals:
        row: list[object] = [total.group or "-"] if by else []
        raw = total.tokens_raw
        share = f"{100 * total.net / raw:.1f} %" if raw else "-"
        row += [
            total.emissions,
            raw,
            total.tokens_out,
            total.tokens_expanded,
            total.tokens_bounced,
            total.tokens_standing,
            total.net,
            share,
            total.faults,
            total.counter,
        ]
        rows.append(row + ([total.tokens_measured] if measured else []))
    return output.table(head, rows)
