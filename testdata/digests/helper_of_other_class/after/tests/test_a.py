class Helper:
    def go(self):
        return 2


def test_one():
    assert Helper().go()
