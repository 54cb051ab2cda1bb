def f(x) = x
