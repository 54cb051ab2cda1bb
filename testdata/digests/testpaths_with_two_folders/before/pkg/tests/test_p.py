def test_p():
    assert True
