"""Read the words of `run` and `pipe`, which stand before every observed text.

By hand: argparse and what it imports would cost a tenth of a short `ctx pipe`
and as much as a whole short `ctx run`.
"""

from __future__ import annotations

from ...errors import UsageError

TYPE_CHECKING = False  # typing costs more than the rest of this module
if TYPE_CHECKING:
    from collections.abc import Sequence


def options(
    name: str, argv: Sequence[str], flags: Sequence[str], valued: Sequence[str] = ()
) -> tuple[dict[str, str], list[str]]:
    """Return options with their values (a flag's is empty), and the other words.

    Options end at ``--`` or at the first word that is none; ``-h`` is ``--help``.

    Raises:
        UsageError: an option that is not in the lists, or one without its value.
    """
    found: dict[str, str] = {}
    words = list(argv)
    while words and words[0].startswith("-") and words[0] != "-":
        word = words.pop(0)
        if word == "--":
            break
        option, equals, value = word.partition("=")
        if option in valued:
            if not equals and not words:
                raise UsageError(f"{name}: {option} needs a value", _hint(name))
            found[option] = value if equals else words.pop(0)
        elif word in ("-h", "--help"):
            found["--help"] = ""
        elif word in flags:
            found[word] = ""
        else:
            raise UsageError(f"{name}: no option {word!r}", _hint(name))
    return found, words


def exit_status(name: str, text: str) -> int:
    """Read an exit code, 0 to 255."""
    if text.isascii() and text.isdigit() and int(text) <= 255:
        return int(text)
    raise UsageError(f"{name}: not an exit code: {text!r}", "0 to 255")


def _hint(name: str) -> str:
    return f"see `ctx {name} --help`"
