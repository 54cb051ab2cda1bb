"""Module."""


def test_one():
    """
    New words.
    """

    x = {
        "a": 1,
        "b": [1, 2, 3],
    }
    assert x == {"a": 0x1, "b": [1, 2, (3)]}
