import pytest


@pytest.mark.parametrize("x", [{"a": 1}, {"a": 2}], ids=["one", "two"])
class TestP:
    def test_p(self, x):
        assert x
