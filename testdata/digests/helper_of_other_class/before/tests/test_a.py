class Helper:
    def go(self):
        return 1


def test_one():
    assert Helper().go()
