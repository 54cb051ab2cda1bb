import pytest


@pytest.mark.parametrize("x, y", [(1, 2), (2, 3)])
def test_p(x, y):
    assert x + 1 == y


def test_q():
    assert True
