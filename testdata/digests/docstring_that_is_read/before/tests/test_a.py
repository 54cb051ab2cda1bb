X = __doc__


def test_one():
    assert True
