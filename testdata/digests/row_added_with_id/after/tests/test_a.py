import pytest


@pytest.mark.parametrize("x", [{"a": 1}, {"a": 2}, {"a": 3}], ids=["one", "two", "three"])
def test_p(x):
    assert x
