from base import Base


class TestA(Base):
    def test_own(self):
        assert self.x
