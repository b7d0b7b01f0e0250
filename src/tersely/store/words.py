"""What a store may say about an original besides its bytes: short and encodable."""

from __future__ import annotations

#: Longest stored command; a path in argv[0] fits.
_COMMAND_CHARS = 100


def short_command(command: str) -> str:
    """Return argv[0] and, if the second word looks like one, the sub-command.

    The engine passes no more than that; this is the second lock on the same door.
    """
    words = command.split(maxsplit=2)[:2]
    if len(words) == 2 and not _is_name(words[1]):
        del words[1]
    return clean(" ".join(words)[:_COMMAND_CHARS])


def _is_name(word: str) -> bool:
    """Whether it is letters, digits, ``-``, ``_`` and ``:``, and a letter first."""
    bare = word.replace("-", "").replace("_", "").replace(":", "")
    return word.isascii() and bare.isalnum() and word[0].isalpha()


def clean(text: str) -> str:
    """Replace what UTF-8 cannot say: surrogates, which stand for odd bytes."""
    return text.encode("utf-8", "replace").decode("utf-8")
