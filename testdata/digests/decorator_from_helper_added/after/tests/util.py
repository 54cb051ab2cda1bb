def deco(f):
    return f
