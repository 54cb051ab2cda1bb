import pytest

x = pytest.importorskip('x')


def test_it():
    assert x
