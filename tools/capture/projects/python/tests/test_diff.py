from shop.cart import describe


def test_describe_is_complete():
    print("captured: asking for a description")
    assert describe([1, 2, 3]) == {
        "items": 3,
        "total": 7,
        "currency": "EUR",
        "lines": ["line 1", "line 2", "line 4"],
    }


def test_text_block():
    text = "error: 0 errors\nwarning: none\nPASSED\n[100%]\n" * 2
    assert text == text.replace("none", "some")


def test_ok():
    assert True
