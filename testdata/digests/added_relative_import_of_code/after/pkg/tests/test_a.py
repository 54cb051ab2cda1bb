from ..core import f, g


def test_f():
    assert f() == 1


def test_g():
    assert g() == 3
