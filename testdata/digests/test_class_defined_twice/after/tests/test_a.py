class TestA:
    def test_one(self):
        assert True


class TestA:
    def test_one(self):
        assert 1
