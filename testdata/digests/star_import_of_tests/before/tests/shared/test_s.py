def test_s():
    assert True
