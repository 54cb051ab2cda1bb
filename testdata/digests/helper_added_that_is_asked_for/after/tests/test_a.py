try:
    from extra import X
except ImportError:
    X = 1


def test_one():
    assert X
