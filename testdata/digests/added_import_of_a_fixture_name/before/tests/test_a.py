import pytest


@pytest.mark.usefixtures('tmp_path')
def test_one(monkeypatch):
    assert monkeypatch
