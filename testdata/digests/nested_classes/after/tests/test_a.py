class TestO:
    a = 2

    class TestI:
        def test_x(self):
            assert True

    def test_y(self):
        assert True
