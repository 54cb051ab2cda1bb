import pytest


@pytest.mark.parametrize("x", [{"a": 1}, {"a": 3}], ids=["one", "two"])
def test_p(x):
    assert x
