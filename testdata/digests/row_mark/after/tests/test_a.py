import pytest


@pytest.mark.parametrize("x", [pytest.param(1, id="a"), pytest.param(2, id="b", marks=pytest.mark.xfail)])
@pytest.mark.parametrize("y", [10, 20])
def test_p(x, y):
    assert x < y
