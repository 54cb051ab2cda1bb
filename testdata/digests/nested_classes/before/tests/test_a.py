class TestO:
    a = 1

    class TestI:
        def test_x(self):
            assert True

    def test_y(self):
        assert True
