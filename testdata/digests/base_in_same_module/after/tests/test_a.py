class Base:
    def make(self):
        return 2

    def test_shared(self):
        assert self.make() == 1


class TestX(Base):
    def test_x(self):
        assert self.make()


def test_free():
    assert True
