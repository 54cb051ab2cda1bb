def make(n):
    def test():
        assert n
    return test


# a comment
test_x = make(1)


def test_y():
    assert True
