def make(n):
    def test():
        assert n
    return test


test_x = make(1)


def test_y():
    assert True
