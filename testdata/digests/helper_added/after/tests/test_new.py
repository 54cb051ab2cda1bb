from util import X


def test_new():
    assert X
