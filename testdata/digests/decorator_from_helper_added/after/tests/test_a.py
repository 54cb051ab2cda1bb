from util import deco


def test_one():
    assert True


@deco
def test_two():
    assert True
