"""Argument parsers that fail like everything else here: one line and a hint."""

from __future__ import annotations

import argparse
from typing import NoReturn

from ...errors import UsageError


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` for one command, named `ctx NAME`.

    What the command is and how it is used comes from its module's docstring,
    whose first line reads ``ctx NAME ... -- what it does.``
    """

    def __init__(self, name: str, doc: str, epilog: str = "") -> None:
        what = doc.partition("-- ")[2].partition("\n\n")[0].replace("\n", " ")
        super().__init__(
            prog=f"ctx {name}",
            description=what[:1].upper() + what[1:],
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            add_help=False,
        )
        self.add_argument("-h", "--help", action="help", help="show this")
        self._name = name

    def error(self, message: str) -> NoReturn:
        """Raise what `main` shows."""
        raise UsageError(
            f"{self._name}: {message}", f"see `ctx {self._name} --help`"
        ) from None


def count(text: str) -> int:
    """A whole number that is not negative, for `type=`."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


# argparse names the type in its message: "invalid whole number value"
count.__name__ = "whole number"
