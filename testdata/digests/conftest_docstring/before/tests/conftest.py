"""Old."""
X = 1  # a
