def test_z():
    assert True
