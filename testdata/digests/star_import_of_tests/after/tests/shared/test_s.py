def test_s():
    assert 1
