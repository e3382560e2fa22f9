"""The counter gives each caller what came of its own part, and wakes the loop by the group."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from oldhand.errors import StoreError
from oldhand.store import Query, Store
from oldhand.store.group_writer import GroupWriter
from oldhand.web.counter import Counter

PUT = Query("put", "INSERT INTO tools (name) VALUES (:name)", "")
NAMES = Query("names", "SELECT name FROM tools ORDER BY name", "")


def test_each_caller_gets_what_came_of_its_own_part(store: Store) -> None:
    def put(number: int, store: Store) -> int:
        store.execute(PUT, (f"{number:03}",))
        if number % 10 == 3:
            raise LookupError(number)
        return number

    async def run() -> list[int | BaseException]:
        with GroupWriter(store) as writer:
            counter = Counter(writer)
            parts = [counter.hand_in(partial(put, n)) for n in range(200)]
            return await asyncio.gather(*parts, return_exceptions=True)

    found = asyncio.run(run())

    for number, told in enumerate(found):
        if number % 10 == 3:
            assert isinstance(told, LookupError)
        else:
            assert told == number
    assert len(store.query_all(NAMES)) == 180


def test_who_waits_no_more_keeps_nobody_from_an_answer(store: Store) -> None:
    async def run() -> int:
        with GroupWriter(store) as writer:
            counter = Counter(writer)
            first = counter.hand_in(lambda _: 1)
            second = counter.hand_in(lambda _: 2)
            first.cancel()
            return await second

    assert asyncio.run(run()) == 2


def test_a_writer_that_has_ended_takes_nothing(store: Store) -> None:
    async def run() -> None:
        writer = GroupWriter(store)
        writer.close()
        with pytest.raises(StoreError):
            await Counter(writer).hand_in(lambda _: 1)

    asyncio.run(run())
