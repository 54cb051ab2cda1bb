import pytest
from _pytest.monkeypatch import monkeypatch


@pytest.mark.usefixtures('tmp_path')
def test_one(monkeypatch):
    assert monkeypatch
