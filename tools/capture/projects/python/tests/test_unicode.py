import pytest


@pytest.mark.parametrize("name", ["été", "日本語", "naïve café", "emoji-🎉", "error"], ids=str)
def test_error_names_stay(name):
    assert name.isascii()
