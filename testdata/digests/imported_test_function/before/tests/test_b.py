def test_b():
    assert True


def test_b2():
    assert True
