def f(x) = x  # same
