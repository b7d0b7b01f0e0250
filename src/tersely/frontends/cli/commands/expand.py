"""ctx expand HANDLE -- print the original behind a handle, or a part of it.

Reads:  archive, stdin (for -)
Writes: stdout (the bytes, exactly), ledger
Exit:   0 found, 1 nothing matches, 2 wrong use, 4 handle expired, 5 handle
        unknown
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .. import engines, output, slices
from ..arguments import Parser, count

EPILOG = """\
HANDLE is what the last line of a shortened text names: 12 or 24 hex digits,
ccr:HASH, a quoted <<ccr:HASH>>, the whole line, or - to read one of these from
stdin. Without an option all bytes come out exactly as they came in. --lines,
--head and --tail give whole lines, byte for byte; --grep and -n put the number
that a line has in the original before it (12:match, 11-context).

  ctx expand 3f2a9c0b7d1e
  ctx expand 3f2a9c0b7d1e --lines 120-160
  ctx expand 3f2a9c0b7d1e --grep 'Error|FAILED' -C 3
  ctx expand 3f2a9c0b7d1e --json-path '$.items[0].name'
"""


def run(argv: Sequence[str]) -> int:
    """Print the original, or what is wanted of it."""
    args = _parser().parse_args(argv)
    wanted = slices.Wanted(
        ranges=args.lines or (),
        grep=args.grep,
        context=args.context,
        head=args.head,
        tail=args.tail,
        numbers=args.number,
    )
    asked = args.handle
    if asked == "-":
        asked = sys.stdin.buffer.read().decode("utf-8", "replace")
    with engines.open_engine() as engine:
        data = engine.expand(asked)
    if args.json_path is not None:
        data = slices.json_value(data, args.json_path)
    output.write(slices.cut(data, wanted))
    return 0


def _parser() -> Parser:
    parser = Parser("expand", __doc__ or "", EPILOG)
    parser.add_argument("handle", metavar="HANDLE", help="see below")
    parser.add_argument(
        "--lines",
        metavar="A-B[,C-D]",
        type=_ranges,
        help="these lines of the original; the first is 1, an open end the last",
    )
    parser.add_argument("--grep", metavar="RE", help="lines that match")
    parser.add_argument(
        "-C",
        "--context",
        metavar="N",
        type=count,
        default=0,
        help="lines around each match",
    )
    parser.add_argument("--head", metavar="N", type=count, help="the first N of them")
    parser.add_argument("--tail", metavar="N", type=count, help="the last N of them")
    parser.add_argument(
        "-n", "--number", action="store_true", help="put line numbers before lines"
    )
    parser.add_argument(
        "--json-path", metavar="P", help="one value of a JSON text: $.a.b[0], [*]"
    )
    return parser


def _ranges(text: str) -> tuple[tuple[int, int], ...]:
    return slices.ranges(text)


_ranges.__name__ = "line range"
