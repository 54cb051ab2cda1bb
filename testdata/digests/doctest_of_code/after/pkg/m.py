def f():
    """
    >>> f()
    1
    """
    return 3 - 2


def g():
    """
    >>> g() + 1
    3
    """
    return 2
