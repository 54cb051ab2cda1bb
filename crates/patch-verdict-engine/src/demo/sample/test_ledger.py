from ledger import Ledger


def test_balance():
    ledger = Ledger()
    ledger.book("ana", 500)
    ledger.book("ben", 300)
    ledger.book("ana", -200)
    assert ledger.balance("ana") == 300


def test_unknown_account_is_empty():
    assert Ledger().balance("nobody") == 0
