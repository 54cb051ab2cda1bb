import pytest


@pytest.fixture(params=['p', 'q'])
def db(request):
    return request.param


@pytest.mark.parametrize('x', ['one', 'two', 'three'])
def test_p(db, x):
    assert x
