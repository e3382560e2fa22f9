"""A forecast serves each session from what came before it, and from nothing else."""

from __future__ import annotations

from oldhand.experience.report import forecast
from oldhand.store import Store

from .conftest import Teach
from .test_report_calls import Made, bad, well


def other(number: int) -> Made:
    _, _, result, evidence = well()
    return "Bash", {"command": f"git show v{number}"}, result, evidence


def test_nothing_is_forecast_of_a_first_session(store: Store, teach: Teach) -> None:
    teach("one", *[well(number) for number in range(6)])

    assert forecast(store) == (0, [])


def test_calls_of_shapes_seen_before_are_covered(store: Store, teach: Teach) -> None:
    teach("one", *[well(number) for number in range(6)], day=0)
    teach("two", *[well(number) for number in range(5)], *map(other, range(5)), day=1)

    found = forecast(store)

    assert found.sessions == 1
    assert {item.all_calls for item in found.covered} == {50}


def test_what_a_session_did_itself_covers_nothing(store: Store, teach: Teach) -> None:
    teach("one", *[well(number) for number in range(6)], day=0)
    teach("two", *map(other, range(6)), day=1)

    assert {item.all_calls for item in forecast(store).covered} == {0}


def test_what_never_worked_covers_nothing(store: Store, teach: Teach) -> None:
    teach("one", *[bad() for _ in range(5)], well(), day=0)
    teach("two", *[bad() for _ in range(6)], day=1)

    assert {item.all_calls for item in forecast(store).covered} == {0}


def test_another_project_teaches_nothing(store: Store, teach: Teach) -> None:
    calls = [well(number) for number in range(6)]
    teach("one", *calls, day=0, project="/home/ada/other")
    teach("two", *calls, day=1)

    assert forecast(store).sessions == 0
