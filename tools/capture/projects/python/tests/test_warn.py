import pytest

from shop.cart import legacy


@pytest.mark.parametrize("n", range(21))
def test_legacy(n):
    assert legacy(n) == n


def test_broken_setup(request):
    request.getfixturevalue("database")
