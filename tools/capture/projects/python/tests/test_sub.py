def test_prices(subtests):
    for n in range(12):
        with subtests.test("price of", n=n):
            assert n % 5 != 4


def test_alone():
    pass
