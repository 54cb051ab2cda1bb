'''Other goods.'''
RATE = 1  # one


def setup_module():
    pass
