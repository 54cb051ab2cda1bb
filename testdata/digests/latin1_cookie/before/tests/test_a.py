# -*- coding: latin-1 -*-
def test_one():
    assert 'é'
