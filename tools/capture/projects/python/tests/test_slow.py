import time

import pytest


@pytest.mark.timeout(1)
def test_never_ends():
    time.sleep(30)


def test_fast():
    pass
