def make():
    return 2


def test_b():
    assert True
