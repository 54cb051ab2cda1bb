'''Goods.'''
RATE = 1


def setup_module():
    pass
