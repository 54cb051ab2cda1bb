from test_b import make

VALUE = make()
