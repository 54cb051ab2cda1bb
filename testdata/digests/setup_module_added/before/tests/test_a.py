import pytest


@pytest.fixture
def value():
    return 1


def test_one(value):
    assert value == 1


def test_two():
    assert True
