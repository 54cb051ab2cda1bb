def test_c():
    assert True
