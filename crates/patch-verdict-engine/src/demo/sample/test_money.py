from hypothesis import given, strategies as st

from ledger import parse, show, split


def test_parse():
    assert parse("12.34") == 1234
    assert parse("7") == 700


def test_show():
    assert show(1205) == "12.05"


@given(st.integers(0, 10**9))
def test_show_then_parse_gives_the_amount_back(cents):
    assert parse(show(cents)) == cents


@given(st.integers(0, 10**6), st.integers(1, 20))
def test_shares_add_up(cents, people):
    assert sum(split(cents, people)) == cents
