from shared.test_s import *
