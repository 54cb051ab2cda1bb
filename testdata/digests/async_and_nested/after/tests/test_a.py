import asyncio


async def test_a():
    def inner():
        return 2
    assert inner()


def test_b():
    f = lambda x=2: x
    assert f()
