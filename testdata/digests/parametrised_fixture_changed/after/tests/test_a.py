import pytest


@pytest.fixture(params=['p', 'q', 'r'])
def db(request):
    return request.param


def test_p(db):
    assert db
