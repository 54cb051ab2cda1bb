class TestA:
    def setup_method(self):
        self.c = self.test_client()

    def test_client(self):
        return

    def test_one(self):
        assert self.c is None
