import pytest


@pytest.fixture
def test_data():
    return 1


def test_one(test_data):
    assert test_data
