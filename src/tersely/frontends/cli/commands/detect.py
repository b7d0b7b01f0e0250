"""ctx detect [FILE] -- say what a text is, and how that is known.

Reads:  FILE or stdin
Writes: stdout
Exit:   0 done, 1 the file cannot be read, 2 wrong use
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ....errors import TerselyError, UsageError
from .. import output
from ..arguments import Parser

EPILOG = """\
Prints the content type, the evidence, and how sure it is; then, where there is
more than one, the parts of the text. Only the content counts, never the name.
"""


def run(argv: Sequence[str]) -> int:
    """Detect one text."""
    args = _parser().parse_args(argv)
    data = _read(args.file)
    from .... import detect_content_type

    found = detect_content_type(data)
    parts = [
        {
            "start": segment.start,
            "stop": segment.stop,
            "content_type": segment.content_type.name,
            "signal": segment.signal,
        }
        for segment in found.segments
    ]
    if args.json:
        output.print_json(
            {
                "content_type": found.content_type.name,
                "signal": found.signal,
                "confidence": found.confidence,
                "segments": parts,
            }
        )
        return 0
    print(f"{found.content_type.name}  {found.signal}  {found.confidence:.2f}")
    if len(found.segments) > 1:
        for segment in found.segments:
            where = f"lines {segment.start + 1}-{segment.stop}"
            print(f"  {where}  {segment.content_type.name}  {segment.signal}")
    return 0


def _parser() -> Parser:
    parser = Parser("detect", __doc__ or "", EPILOG)
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="stdin if not given, or -"
    )
    parser.add_argument("--json", action="store_true", help="print one object")
    return parser


def _read(name: str) -> bytes:
    if name == "-":
        if os.isatty(0):
            raise UsageError("detect: stdin is a terminal", "ctx detect FILE")
        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as exc:
        raise TerselyError(f"{name}: {exc.strerror}") from None
