import unittest


class TestA(unittest.TestCase):
    def test_one(self):
        self.assertEqual(1, 1)
