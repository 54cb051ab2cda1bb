import pytest


def test_one():
    assert True


def test_two():
    assert True


class TestC:
    def test_c(self):
        assert True
