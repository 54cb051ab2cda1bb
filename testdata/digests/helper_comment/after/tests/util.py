# words
X = 1
