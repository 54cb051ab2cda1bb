import pytest


@pytest.mark.xfail(reason='x')
def test_one():
    assert True


def test_two():
    assert True
