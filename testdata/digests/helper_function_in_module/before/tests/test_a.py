import os

LIMIT = 3


def helper(x):
    return x + LIMIT


def test_one():
    assert helper(1) == 4


def test_two():
    assert helper(2) == 5
