from helpers import h


def f():
    return h()
