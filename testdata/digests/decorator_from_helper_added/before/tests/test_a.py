from util import deco


def test_one():
    assert True
