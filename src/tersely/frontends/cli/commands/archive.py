"""ctx archive status|verify|gc|purge -- the store of originals.

Reads:  archive
Writes: stdout, archive (gc, purge)
Exit:   0 done, 1 verify found something or the store cannot be used, 2 wrong
        use
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .. import engines, output
from ..arguments import Parser

if TYPE_CHECKING:
    from ....store import Archive

EPILOG = """\
  status  how much is there, and how long it stays
  verify  read every original and check it against its hash
  gc      remove what is expired or above the size cap now
  purge   remove every original, from the files too; handles then say `expired`
"""


def run(argv: Sequence[str]) -> int:
    """Do one thing with the archive."""
    args = _parser().parse_args(argv)
    with engines.open_engine() as engine:
        code, facts = _ACTIONS[args.action](engine.store.archive)
    if args.json:
        output.print_json(facts)
        return code
    for key, value in facts.items():
        if isinstance(value, list):
            print("\n".join(value) or "every original can be read")
        else:
            print(f"{key:<15} {'none' if value is None else value}")
    return code


def _parser() -> Parser:
    parser = Parser("archive", __doc__ or "", EPILOG)
    parser.add_argument(
        "action", choices=tuple(_ACTIONS), metavar="ACTION", help="see below"
    )
    parser.add_argument("--json", action="store_true", help="print one object")
    return parser


def _status(archive: Archive) -> tuple[int, dict[str, Any]]:
    facts = asdict(archive.status())
    for key, value in facts.items():
        if isinstance(value, float):
            facts[key] = int(value)  # seconds; a reader needs no more
    return 0, facts


def _verify(archive: Archive) -> tuple[int, dict[str, Any]]:
    problems = archive.verify()
    return bool(problems), {"problems": list(problems)}


def _gc(archive: Archive) -> tuple[int, dict[str, Any]]:
    return 0, asdict(archive.gc())


def _purge(archive: Archive) -> tuple[int, dict[str, Any]]:
    return 0, asdict(archive.purge())


_ACTIONS = {"status": _status, "verify": _verify, "gc": _gc, "purge": _purge}
