"""ctx pipe -- shorten what comes in on stdin.

Reads:  stdin, settings
Writes: stdout (the emission), archive, ledger
Exit:   0 done, 2 wrong use
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ....config import light
from ....errors import UsageError
from ....shell import runner
from .. import engines, output
from ..arguments import Parser, exit_status

EPILOG = """\
No option is needed; what is known about the text makes the result better:

  pytest -q 2>&1 | ctx pipe --command 'pytest -q'
  make 2>&1 | ctx pipe --command make --exit-code 2

When stdout is a file, the text goes there as it is. Over 64 MB, too.
"""


def run(argv: Sequence[str]) -> int:
    """Shorten stdin to stdout."""
    args = _parser().parse_args(argv)
    if os.isatty(0):
        raise UsageError("pipe: stdin is a terminal", "COMMAND | ctx pipe")
    asked = args.json or args.explain
    if not asked and (args.raw or light.switched_off() or output.is_file(1)):
        _copy()
        return 0
    data = _read(None if args.json else runner.LIMIT_BYTES)
    if data is None:
        return 0
    if not asked and engines.is_small(data):
        output.write(data)
        return 0
    raw = args.raw or (output.is_file(1) and not args.json)
    try:
        from ....model import Observation

        with engines.open_engine() as engine:
            envelope, trace = engine.trace(
                Observation(
                    data=data,
                    command=args.command,
                    exit_code=args.exit_code,
                    path=args.path,
                    task=args.task,
                    raw=raw,
                )
            )
    except Exception:
        if args.json:
            raise
        engines.log().warning("stdin is passed on as it is", exc_info=True)
        output.write(data)
        return 0
    if args.json:
        output.print_json(output.as_dict(envelope))
    else:
        output.write(output.encoded(envelope))
    if args.explain:
        output.explain(envelope, trace, "stdin")
    return 0


def _parser() -> Parser:
    parser = Parser("pipe", __doc__ or "", EPILOG)
    parser.add_argument("--command", metavar="C", help="the command that said it")
    parser.add_argument(
        "--exit-code",
        metavar="N",
        type=exit_status,
        help="how it ended; unknown if not given, which is never success",
    )
    parser.add_argument("--path", metavar="P", help="the file it comes from")
    parser.add_argument("--task", metavar="T", help="what the reader is after")
    parser.add_argument("--raw", action="store_true", help="shorten nothing")
    parser.add_argument("--json", action="store_true", help="print the envelope")
    parser.add_argument(
        "--explain", action="store_true", help="say on stderr what was decided"
    )
    return parser


def _read(limit_bytes: int | None) -> bytes | None:
    """All of stdin; None when it was over the limit and has been passed on."""
    chunks, size = [], 0
    while chunk := os.read(0, 1 << 18):
        chunks.append(chunk)
        size += len(chunk)
        if limit_bytes is not None and size > limit_bytes:
            output.write(b"".join(chunks))
            _copy()
            return None
    return b"".join(chunks)


def _copy() -> None:
    sys.stdout.flush()
    while chunk := os.read(0, 1 << 18):
        output.write(chunk)
