import json
import os
from collections import OrderedDict

LIMIT = 3


def helper(x):
    return x + LIMIT


def test_one():
    assert helper(1) == 4


def test_two():
    assert helper(2) == 5


def test_three():
    assert json.dumps(OrderedDict())
