import pytest


def test_one():
    assert True


def test_two():
    assert True


def run():
    test_one()
