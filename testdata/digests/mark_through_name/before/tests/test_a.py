import pytest

slow = pytest.mark.xfail


def test_one():
    assert True
