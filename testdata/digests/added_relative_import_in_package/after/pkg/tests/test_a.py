from ..core import f
from .util import X


def test_f():
    assert f() == 1
