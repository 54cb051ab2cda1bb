try:
    import os
except ImportError:
    os = None


def test_one():
    assert os
