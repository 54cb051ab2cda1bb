def test_n():
    assert True
