from util import *


def test_one():
    assert h()
