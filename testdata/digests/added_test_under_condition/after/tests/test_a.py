import sys


def test_one():
    assert True


if sys.platform != 'nowhere':

    def test_two():
        assert True
