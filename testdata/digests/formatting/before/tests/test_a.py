def test_one():
    """Old words."""
    x = {'a': 1, 'b': [1, 2, 3]}  # comment
    assert x == {'a': 1, 'b': [1, 2, 3]}
