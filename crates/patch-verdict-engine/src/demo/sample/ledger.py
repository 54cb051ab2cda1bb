"""A small ledger: amounts in cents, one account a name."""


def parse(text):
    """`12.34` -> 1234 cents."""
    whole, _, cents = text.partition(".")
    sign = -1 if whole.startswith("-") else 1
    return int(whole) * 100 + sign * int((cents + "00")[:2])


def show(cents):
    """1234 cents -> `12.34`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def split(cents, people):
    """Shares that differ by at most one cent and add up to the whole."""
    share, rest = divmod(cents, people)
    return [share + 1] * rest + [share] * (people - rest)


class Ledger:
    def __init__(self):
        self.entries = []

    def book(self, account, cents):
        self.entries.append((account, cents))

    def balance(self, account):
        return sum(cents for name, cents in self.entries if name == account)
