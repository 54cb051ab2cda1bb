def f():
    """
    >>> f()
    1
    """
    return 1


def g():
    """
    >>> g()
    2
    """
    return 2
