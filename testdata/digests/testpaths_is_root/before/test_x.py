from pkg import X


def test_x():
    assert X
