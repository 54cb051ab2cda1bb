class TestA:
    def test_one(self):
        assert True
