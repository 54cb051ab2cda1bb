class Base:
    def setup_method(self):
        self.x = 1

    def test_b(self):
        assert not self.x

    def test_c(self):
        assert self.x
