from test_b import test_b
