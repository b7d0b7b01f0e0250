def test_three():
    pass
