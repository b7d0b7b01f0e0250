"""One-liners for library users: a text in, a shorter text out.

They share one engine over the user's own store, opened at the first call, so
that a handle in the text opens with `expand` here and with ``ctx expand`` in
a shell.
"""

from __future__ import annotations

from functools import cache

from ..model import ContentType, Observation
from .run import Engine


def compress(
    text: str | bytes,
    command: str | tuple[str, ...] | None = None,
    exit_code: int | None = None,
    *,
    path: str | None = None,
    task: str | None = None,
    content_type: ContentType | None = None,
    engine: Engine | None = None,
) -> str:
    """Return `text` as a model should read it: shorter, or untouched.

    Args:
        command, exit_code: of the program that printed it, where known; an
            unknown exit code is never taken for success.
        engine: one of your own; None uses the shared one.
    """
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    observation = Observation(
        data=data,
        command=command,
        exit_code=exit_code,
        path=path,
        task=task,
        content_type=content_type,
    )
    return (engine or _shared()).observe(observation).text


def expand(handle: str, *, engine: Engine | None = None) -> bytes:
    """Return the original behind a handle, a marker or a whole footer.

    Raises:
        HandleExpired, HandleUnknown: it is not there any more, or never was.
    """
    return (engine or _shared()).expand(handle)


@cache
def _shared() -> Engine:
    return Engine.open()
