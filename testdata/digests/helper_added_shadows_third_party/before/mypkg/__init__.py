try:
    import numpy
except ImportError:
    pass
