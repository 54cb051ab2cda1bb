from unittest import mock


def test_one():
    assert True


@mock.patch('os.getcwd')
def test_two(m):
    assert m
