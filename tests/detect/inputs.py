"""Labelled texts and the variants of them that real runs produce."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tersely.model import ContentType

LABELLED = Path(__file__).parent / "labelled"

_STAMP = "2024-05-03T04:17:{second:02}.{fraction:07}Z "


def labelled() -> Iterator[tuple[str, ContentType, bytes]]:
    """Name, type and content of each labelled file."""
    for path in sorted(LABELLED.glob("*/*")):
        name = f"{path.parent.name}/{path.stem}"
        yield name, ContentType[path.parent.name], path.read_bytes()


def variants(kind: ContentType, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and content of texts that say the same in another way, or part of it."""
    if kind is ContentType.BINARY:
        return
    lines = data.decode().splitlines(keepends=True)
    yield "crlf", "".join(lines).replace("\n", "\r\n").encode()
    yield "colour", "".join([_coloured(line) for line in lines]).encode()
    if kind in (ContentType.BUILD_OUTPUT, ContentType.LOG):
        names = ("web-1     ", "worker-1  ")
        yield (
            "compose",
            "".join(
                [f"{names[at // 9 % 2]}| {line}" for at, line in enumerate(lines)]
            ).encode(),
        )
    if kind is ContentType.BUILD_OUTPUT:
        yield (
            "github",
            "".join([_stamped(at, x) for at, x in enumerate(lines)]).encode(),
        )
    if len(lines) >= 30:
        yield "head", "".join(lines[: len(lines) * 6 // 10]).encode()
        yield "tail", "".join(lines[len(lines) * 4 // 10 :]).encode()


def _stamped(at: int, line: str) -> str:
    return _STAMP.format(second=at // 40 % 60, fraction=at * 104729 % 10**7) + line


def _coloured(line: str) -> str:
    body = line.rstrip("\r\n")
    if not body.strip():
        return line
    return f"\x1b[1;31m{body[:1]}\x1b[0m{body[1:]}\x1b[K{line[len(body) :]}"
