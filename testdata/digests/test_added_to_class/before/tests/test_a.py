import unittest

import pytest


class TestA(unittest.TestCase):
    size = 1

    def setUp(self):
        self.x = self.size

    def test_one(self):
        assert self.x

    def test_two(self):
        assert self.x == 1


class TestB:
    def teardown_method(self):
        pass

    def test_one(self):
        assert True
