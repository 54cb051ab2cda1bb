import pytest


def test_one():
    assert True


def test_two():
    assert True


def test_three():
    test_one()
    assert True
