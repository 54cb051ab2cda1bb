exec('def test_x():\n    assert 1\n')
