def make():
    return 1


def test_b():
    assert True
