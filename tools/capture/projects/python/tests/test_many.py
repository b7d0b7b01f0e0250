import pytest

from shop.cart import total


@pytest.mark.parametrize("n", range(240))
def test_total_of_one(n):
    assert total([n]) == (n if n != 117 else 118), f"cart of {n} is mispriced"
