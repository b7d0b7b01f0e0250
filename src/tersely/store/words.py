"""What a store may say about an original besides its bytes: short and encodable."""

from __future__ import annotations

#: Longest stored command; a path in argv[0] fits.
_COMMAND_CHARS = 100


def short_command(command: str) -> str:
    """Return at most the first two words: argv[0] and the sub-command."""
    return clean(" ".join(command.split(maxsplit=2)[:2])[:_COMMAND_CHARS])


def clean(text: str) -> str:
    """Replace what UTF-8 cannot say: surrogates, which stand for odd bytes."""
    return text.encode("utf-8", "replace").decode("utf-8")
