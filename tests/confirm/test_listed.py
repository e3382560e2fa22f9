"""Requests by the page: in order, whose they are, and no more at once than fits."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.confirm.requests.facts import BadField
from oldhand.confirm.requests.listed import requests_by_page
from oldhand.confirm.requests.read import list_requests

from .office import Office

_ALL = 10_000_000


def pages(office: Office, **how: Any) -> list[list[str]]:
    """Return all pages of what ann may see, as ids."""
    found: list[list[str]] = []
    after = None
    while True:
        page = requests_by_page(office.store, by=office.ann, after=after, **how)
        found.append([each.id for each in page.requests])
        if not page.has_more:
            return found
        after = found[-1][-1]


@pytest.mark.parametrize("states", [(), ("pending",), ("pending", "denied")])
def test_pages_together_are_the_list(office: Office, states: tuple[str, ...]) -> None:
    for number in range(5):
        shown = office.ask(by=office.other if number % 2 else office.bot)
        if number == 2:
            office.deny(shown)

    found = pages(office, states=states, limit=2, most_bytes=_ALL)
    whole = list_requests(office.store, by=office.ann, states=states)

    assert [name for page in found for name in page] == [each.id for each in whole]
    assert all(len(page) == 2 for page in found[:-1])


def test_no_page_holds_more_bytes_than_are_wanted_but_for_a_single_request(
    office: Office,
) -> None:
    for size in (10, 4_000, 10, 10, 600):
        office.ask({"x": "é" * size})

    found = pages(office, states=("pending",), limit=500, most_bytes=2_000)

    assert [len(page) for page in found] == [1, 1, 3]


def test_an_agent_pages_through_its_own_alone(office: Office) -> None:
    own, foreign = office.ask(), office.ask(by=office.other)

    page = requests_by_page(office.store, by=office.bot, limit=9, most_bytes=_ALL)

    assert ([each.id for each in page.requests], page.has_more) == ([own.id], False)
    for wrong in (foreign.id, "nonsense"):
        with pytest.raises(BadField):
            requests_by_page(
                office.store, by=office.bot, limit=9, most_bytes=_ALL, after=wrong
            )


def test_nothing_is_a_page_too(office: Office) -> None:
    assert pages(office, limit=1, most_bytes=1) == [[]]
