import goods

goods.RATE = 1
