def make():
    return 1


def test_b():
    assert make()


def test_b2():
    assert make()
