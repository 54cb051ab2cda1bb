import os


def test_one():
    assert os
