def test_one():
    assert 'é'
