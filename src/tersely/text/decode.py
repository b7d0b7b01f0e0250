"""Decode bytes to text reversibly, and tell text from binary data.

For every input ``text.encode(encoding, "surrogateescape") == data``. A byte
order mark stays in the text as U+FEFF, so nothing has to be remembered about
it. Bytes that are no UTF-8 (Latin-1, Shift-JIS, noise) become surrogate
escapes: guessing a legacy encoding could alter what a reader copies back.
"""

from __future__ import annotations

import re

_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

#: Data that starts like this is never text.
_MAGIC = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x7fELF",
    b"%PDF-",
    b"BZh91AY&SY",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"7z\xbc\xaf\x27\x1c",
    b"SQLite format 3\0",
    b"\0asm",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
    b"\x93NUMPY",
    b"\x89HDF\r\n\x1a\n",
    b"!<arch>\n",
)

#: Magic numbers that plain words could spell: a NUL must follow soon.
_SHORT_MAGIC = (b"GIF8", b"RIFF", b"OggS", b"ID3", b"MZ", b"BM", b"wOFF", b"wOF2")

#: C0 controls that text does not use (BEL, BS, TAB, LF, FF, CR, ESC are used).
_CONTROLS = bytes(set(range(1, 32)) - {7, 8, 9, 10, 11, 12, 13, 27}) + b"\x7f"

_NULS = re.compile(rb"\0+")

#: Characters judged at the head, in the middle and at the end.
_SAMPLE = 8192


def decode(data: bytes) -> tuple[str, str]:
    """Return the text and the encoding that gives the same bytes back."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        if b"\0" in data[:64] and (wide := _utf16(data, _bare_utf16(data))):
            return wide
        return text, "utf-8"
    if wide := _utf16(data, _UTF16.get(data[:2]) or _bare_utf16(data)):
        return wide
    return data.decode("utf-8", "surrogateescape"), "utf-8"


def is_binary(data: bytes, text: str) -> bool:
    """Whether `data` is no text: an image, an archive, a program.

    A log with a gap of NULs, NUL-separated names and text in a legacy
    encoding are text: what tells is a mix of controls and undecodable bytes.

    Args:
        text: what `decode` made of `data`.
    """
    if data.startswith(_MAGIC) or data[257:262] == b"ustar":
        return True
    if data.startswith(_SHORT_MAGIC) and b"\0" in data[:512]:
        return True
    if data[4:8] == b"ftyp" and b"\0" in data[:4]:
        return True
    return _looks_binary(_sample(text).encode("utf-8", "surrogateescape"))


def _bare_utf16(data: bytes) -> str | None:
    """The encoding of mostly ASCII UTF-16 without a byte order mark, or None.

    Windows tools such as `wsl --list` write it.
    """
    head = data[:256]
    if len(data) % 2 or len(head) < 8:
        return None
    half = len(head) // 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd >= 0.9 * half and even == 0:
        return "utf-16-le"
    if even >= 0.9 * half and odd == 0:
        return "utf-16-be"
    return None


def _utf16(data: bytes, encoding: str | None) -> tuple[str, str] | None:
    if encoding is None:
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    if text.encode(encoding, "surrogateescape") != data:
        return None
    # small integers in binary data look like UTF-16 as well
    odd = _sample(text).encode("utf-8")
    if len(odd) - len(odd.translate(None, _CONTROLS + b"\0")) > 0.02 * len(odd):
        return None
    return text, encoding


def _sample(text: str) -> str:
    size = len(text)
    if size <= 3 * _SAMPLE:
        return text
    middle = size // 2
    return text[:_SAMPLE] + text[middle : middle + _SAMPLE] + text[-_SAMPLE:]


def _looks_binary(sample: bytes) -> bool:
    gaps = len(_NULS.findall(sample)) if b"\0" in sample else 0
    size = len(sample) - sample.count(0)
    if not size:
        return gaps > 0
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    undecodable = len(sample) - len(sample.decode("utf-8", "ignore").encode())
    # shares chosen by hand; random bytes have 9 % controls and 45 % undecodable
    if controls + gaps > 0.02 * size and controls + undecodable > 0.1 * size:
        return True
    return gaps > 0.25 * size or controls > 0.3 * size
