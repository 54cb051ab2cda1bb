import functools


def keep(f):
    return f


@functools.lru_cache
@keep
def test_one():
    assert True


def test_two():
    assert True
