def test_one():
    assert True


def test_two(x: print('run') = 0):
    assert True
