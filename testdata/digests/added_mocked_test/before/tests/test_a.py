from unittest import mock


def test_one():
    assert True
