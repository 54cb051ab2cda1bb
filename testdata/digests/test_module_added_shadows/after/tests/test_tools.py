def test_t():
    assert True
