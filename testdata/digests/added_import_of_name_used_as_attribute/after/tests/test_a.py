import json
from json import dumps


def test_one():
    assert json.dumps(1)


def test_two():
    assert dumps(2)
