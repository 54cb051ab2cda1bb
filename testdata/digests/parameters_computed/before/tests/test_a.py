import pytest


@pytest.mark.parametrize('x', [i for i in range(2)])
def test_p(x):
    assert x < 5


def test_q():
    assert True
