import pytest


@pytest.fixture
def test_data():
    return 2


def test_one(test_data):
    assert test_data
