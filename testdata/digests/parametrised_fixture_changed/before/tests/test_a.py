import pytest


@pytest.fixture(params=['p', 'q'])
def db(request):
    return request.param


def test_p(db):
    assert db
