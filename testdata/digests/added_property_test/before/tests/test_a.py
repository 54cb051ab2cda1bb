from hypothesis import given, settings, strategies as st


@given(st.integers())
def test_one(x):
    assert x == x
