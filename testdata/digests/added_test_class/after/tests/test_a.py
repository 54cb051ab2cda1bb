import os

LIMIT = 3


def helper(x):
    return x + LIMIT


def test_one():
    assert helper(1) == 4


def test_two():
    assert helper(2) == 5


class TestNew:
    size = 3
    names = ["a", "b"]

    def setup_method(self):
        self.x = 1

    def test_new(self):
        assert self.x
