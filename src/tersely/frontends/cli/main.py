"""Entry point of `ctx`: run one command, turn errors into exit codes.

Imports no more than rendering the help needs: a process of `ctx` stands
before commands that take milliseconds.
"""

from __future__ import annotations

import gc
import os
import sys

from ...errors import TerselyError, UsageError
from .commands import COMMANDS

TYPE_CHECKING = False  # typing costs more than the help table
if TYPE_CHECKING:
    from collections.abc import Sequence


def console() -> int:
    """Run `ctx` for this process."""
    if sys.argv[1:2] in (["pipe"], ["run"]):
        # One text, then the end: looking for cycles would only cost (5-10 %).
        gc.disable()
    return main(sys.argv[1:])


def main(argv: Sequence[str]) -> int:
    """Run one command and return the exit code."""
    try:
        code = _dispatch(list(argv))
        sys.stdout.flush()
        return code
    except TerselyError as exc:
        return _say(exc)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # whoever read has seen enough; the interpreter must not flush again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as exc:
        import logging

        logging.basicConfig(format="%(message)s")
        logging.getLogger("tersely.cli").error("ctx: a bug in ctx", exc_info=exc)
        return 3


def _dispatch(argv: list[str]) -> int:
    name = argv[0] if argv else "--help"
    if name in ("-h", "--help", "help"):
        if argv[1:] and argv[1] in COMMANDS:
            return _run(argv[1], ["--help"])
        sys.stdout.write(_help())
        return 0
    if name in ("-V", "--version", "version"):
        from importlib.metadata import version

        print(f"ctx {version('tersely')}")
        return 0
    if name not in COMMANDS:
        raise UsageError(f"no command {name!r}", _nearest(name))
    return _run(name, argv[1:])


def _run(name: str, argv: list[str]) -> int:
    from importlib import import_module

    code: int = import_module(f".commands.{name}", __package__).run(argv)
    return code


def _help() -> str:
    rows = "".join(f"  {name:<9} {what}\n" for name, what in COMMANDS.items())
    return (
        "usage: ctx COMMAND ...\n\n"
        "Shorter tool output for coding agents; whatever is left out can be brought "
        "back\nbyte for byte.\n\n"
        f"{rows}\n"
        "`ctx COMMAND --help` says more. `ctx demo` is a good start.\n"
    )


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, 1)
    if near:
        return f"did you mean `ctx {near[0]}`?"
    return f"to run a program: ctx run -- {name}; all commands: ctx --help"


def _say(exc: TerselyError) -> int:
    print(f"ctx: {exc}", file=sys.stderr)
    if exc.hint:
        print(f"hint: {exc.hint}", file=sys.stderr)
    return exc.exit_code
