from .price import X

RATE = 1
