import os

TYPE_CHECKING = True

if TYPE_CHECKING:
    os.environ['A'] = 'b'

LIMIT = 3


def helper(x):
    return x + LIMIT


def test_one():
    assert helper(1) == 4


def test_two():
    assert helper(2) == 5
