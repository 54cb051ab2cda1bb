import pytest


@pytest.mark.parametrize("x", [object, int])
@pytest.mark.parametrize("y", [{"a": 1}, {"a": 2}, {"a": 3}])
def test_p(x, y):
    assert x and y
