import pytest


@pytest.mark.parametrize("x", [{"a": 1}, {"a": 2}], ids=["one", "two"])
def test_p(x):
    assert x
