"""Bodies: packed, unpacked, damaged."""

from __future__ import annotations

import random
import sys

import pytest

from tersely.errors import StoreError
from tersely.store import codec

TEXT = b"GET /index.html 200\n" * 500


def test_text_is_packed_with_zstd() -> None:
    number, body = codec.encode(TEXT)

    assert codec.ZSTD == number
    assert len(body) < len(TEXT) // 10
    assert TEXT == codec.decode(number, body, len(TEXT))


@pytest.mark.parametrize("data", [b"", b"a", random.Random(1).randbytes(5_000)])
def test_what_does_not_get_smaller_is_kept_raw(data: bytes) -> None:
    assert (codec.RAW, data) == codec.encode(data)


def test_without_zstandard_zlib_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = codec.encode(TEXT)
    monkeypatch.setitem(sys.modules, "zstandard", None)

    number, body = codec.encode(TEXT)

    assert codec.ZLIB == number
    assert TEXT == codec.decode(number, body, len(TEXT))
    with pytest.raises(StoreError, match="zstandard is not installed"):
        codec.decode(*packed, len(TEXT))


#: A frame whose header announces 2**60 bytes.
HUGE = bytes.fromhex("28b52ffde0") + (1 << 60).to_bytes(8, "little") + b"rest"


@pytest.mark.parametrize("number", [codec.RAW, codec.ZLIB, codec.ZSTD, 9])
@pytest.mark.parametrize(
    "body",
    [b"", b"rubbish", HUGE, codec.encode(TEXT)[1][:-9], codec.encode(TEXT * 2)[1]],
)
def test_damaged_body_is_a_store_error(number: int, body: bytes) -> None:
    with pytest.raises(StoreError):
        codec.decode(number, body, len(TEXT))
