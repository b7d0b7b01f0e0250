import unittest


class CartTest(unittest.TestCase):
    def test_sum(self):
        self.assertEqual([1, 2, 3, 4], [1, 2, 4, 4])

    def test_text(self):
        self.assertMultiLineEqual("one\ntwo\nthree\n", "one\n2\nthree\n")

    def test_raises(self):
        raise OSError(13, "no access to the till")

    @unittest.skip("not today")
    def test_skipped(self):
        pass

    def test_parts(self):
        for n in range(4):
            with self.subTest(n=n):
                self.assertNotEqual(n, 2)


for _n in range(60):
    setattr(CartTest, f"test_error_{_n:02}", lambda self: None)
