def test_one():
    assert True


def test_two(x: int = 0):
    assert True
