exec('def test_x():\n    assert True\n')
