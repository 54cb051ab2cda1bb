from calc import f
from helpers import h


def test_f():
    assert f() == h()
