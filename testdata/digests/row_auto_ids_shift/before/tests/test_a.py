import pytest


@pytest.mark.parametrize("x", [{"a": 1}, {"a": 2}])
def test_p(x):
    assert x
