from hypothesis import given, settings, strategies as st


@given(st.integers())
def test_one(x):
    assert x == x


@settings(max_examples=5)
@given(st.lists(st.integers()))
def test_two(x):
    assert x == x
