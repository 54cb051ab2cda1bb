def test_b():
    assert 1


def test_b2():
    assert True
