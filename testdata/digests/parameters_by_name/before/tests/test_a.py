import pytest

ROWS = [1, 2]


@pytest.mark.parametrize('x', ROWS)
def test_p(x):
    assert x < 5
