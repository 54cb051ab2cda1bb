import asyncio


async def test_a():
    def inner():
        return 1
    assert inner()


def test_b():
    f = lambda x=1: x
    assert f()
