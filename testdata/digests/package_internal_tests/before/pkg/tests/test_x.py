from pkg.core import X


def test_x():
    assert X
