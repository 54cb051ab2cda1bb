import goods


def test_rate():
    assert goods.RATE
