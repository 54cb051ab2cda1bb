import pytest

pytest.importorskip('no_such_module_here')


def test_s():
    assert 1
