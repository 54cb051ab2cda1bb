class Meta(type):
    def __new__(m, n, b, d):
        d['test_made'] = lambda self: None
        return type.__new__(m, n, b, d)


class TestM(metaclass=Meta):
    rows = [1]
