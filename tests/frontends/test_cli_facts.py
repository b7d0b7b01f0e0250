"""A fact counts as kept where a reader can read it, and nowhere else."""

from __future__ import annotations

import pytest

from tersely.frontends.cli.facts import missing

HITS = """\
[3 hits: path, then line:text]
src/cart.py
12:def total(prices):
31:    return 12

src/stock.py
7:def reserve(stock):
"""

ROWS = """\
[2 records: constants, then rows]
(id,name,shop:north)
7,pear,
8,plum,
"""


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("assert 1 == 2", "E   assert 1 == 2\n"),
        ('{"a": 1}', '{"a":1}'),
        ("src/cart.py:12:def total(prices):", HITS),
        ("src/stock.py:7:def reserve(stock):", HITS),
        ('"pear"', ROWS),
        ('"id": 7, "name": "pear"', ROWS),
        ('"shop": "north"', ROWS),
        ("src/pkg/cart.py", "src/pkg\n  cart.py\n"),
    ],
)
def test_kept(fact: str, text: str) -> None:
    assert missing([fact], text) == []


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("assert 1 == 3", "E   assert 1 == 2\n"),
        ("src/stock.py:12:def total(prices):", HITS),
        ("src/cart.py:1:def total(prices):", HITS),
        ('"fig"', ROWS),
        ('"id": 7, "name": "plum"', ROWS),
        ('"price": 7', ROWS),
        ("src/pkg/stock.py", "src/pkg\n  cart.py\n"),
        ("lib/cart.py", "src/pkg\n  cart.py\n"),
    ],
)
def test_missing(fact: str, text: str) -> None:
    assert missing([fact], text) == [fact]
