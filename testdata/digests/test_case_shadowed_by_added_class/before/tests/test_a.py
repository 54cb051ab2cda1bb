from unittest import TestCase


class TestA(TestCase):
    def test_one(self):
        self.assertEqual(1, 1)
