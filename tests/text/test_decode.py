import gzip
import random
import sqlite3
import zlib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tersely.text.decode import decode, is_binary

WIDE = "Directory: C:\\Users\r\n\r\nMode  Name\r\nd----  bin\r\n"

TEXTS = {
    "plain": b"hello\nworld\n",
    "bom": b"\xef\xbb\xbfname,age\nann,3\n",
    "latin_1": "Größe: 3 µm, naïve façade\n".encode("latin-1") * 40,
    "cp1251": "Ошибка: файл не найден\n".encode("cp1251") * 40,
    "shift_jis": "日本語のログ出力です。\n".encode("shift_jis") * 40,
    "utf_16_le": ("\ufeff" + WIDE).encode("utf-16-le"),
    "utf_16_be": ("\ufeff" + WIDE).encode("utf-16-be"),
    "utf_16_no_bom": WIDE.encode("utf-16-le"),
    "nul_gap": b"10:00 ok\n" * 30 + b"\0" * 9000 + b"10:01 back\n" * 30,
    "nul_separated": b"src/a.py\0src/b.py\0tests/test_a.py\0" * 30,
    "colour": b"\x1b[31mred\x1b[0m and \x1b[1mbold\x1b[0m\n" * 50,
    "overstrike": b"N\bNA\bAM\bME\bE\n" * 30,
    "empty": b"",
}


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_text_comes_back_and_is_not_binary(name: str) -> None:
    data = TEXTS[name]

    text, encoding = decode(data)

    assert text.encode(encoding, "surrogateescape") == data
    assert not is_binary(data, text)


def test_a_byte_order_mark_stays_in_the_text() -> None:
    assert decode(TEXTS["bom"])[0].startswith("\ufeffname")
    assert decode(TEXTS["utf_16_le"]) == ("\ufeff" + WIDE, "utf-16-le")
    assert decode(TEXTS["utf_16_be"]) == ("\ufeff" + WIDE, "utf-16-be")


def test_utf_16_without_a_mark_is_read_as_utf_16() -> None:
    assert decode(TEXTS["utf_16_no_bom"]) == (WIDE, "utf-16-le")


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfea\0b", b"\xff\xfe\x00\xd8a\0", b"\xfe\xff\xdc\x00\0a", b"\xff\xfe"],
    ids=["odd length", "lone high surrogate", "lone low surrogate", "only a mark"],
)
def test_broken_utf_16_comes_back(data: bytes) -> None:
    text, encoding = decode(data)

    assert text.encode(encoding, "surrogateescape") == data


def test_images_archives_and_programs_are_binary(tmp_path: Path) -> None:
    database = tmp_path / "a.db"
    with sqlite3.connect(database) as connection:
        connection.execute("create table t (a)")
    connection.close()
    words = b"".join(b"%d words and more words " % n for n in range(900))
    packed = zlib.compress(words)
    integers = b"".join(n.to_bytes(4, "little") for n in range(2000))
    samples = [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
        b"GIF89a\x01\0\x01\0\x80\0\0",
        b"PK\x03\x04\x14\0\0\0\x08\0",
        b"\x7fELF\x02\x01\x01\0",
        gzip.compress(b"text", mtime=0),
        database.read_bytes(),
        packed,
        integers,
        compile("x = [1, 2]\ndef f(a): return a + 1\n", "f", "exec").co_code * 40,
    ]

    assert [is_binary(data, decode(data)[0]) for data in samples] == [True] * 10


def test_words_that_spell_a_magic_number_are_text() -> None:
    for data in (b"BM25 ranking\n", b"MZ is a header\n", b"ID3 tags\n", b"RIFF\n"):
        assert not is_binary(data, decode(data)[0])


@given(st.binary(max_size=300))
@example(b"\xed\xb2\x80")
@example(b"\xff\xfe\xff\xfe")
@example(b"\xc3")
def test_any_bytes_come_back(data: bytes) -> None:
    text, encoding = decode(data)

    assert text.encode(encoding, "surrogateescape") == data
    assert is_binary(data, text) in (True, False)


def test_one_line_of_ten_megabytes_comes_back() -> None:
    data = b"x" * 10_000_000 + b"\xff" + "é".encode()

    text, encoding = decode(data)

    assert text.encode(encoding, "surrogateescape") == data
    assert not is_binary(data, text)


def test_noise_is_binary() -> None:
    noise = random.Random(7)

    for size in (64, 1000, 100_000):
        data = noise.randbytes(size)
        assert is_binary(data, decode(data)[0])
