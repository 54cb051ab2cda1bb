from test_b import make


def test_one():
    assert make()
