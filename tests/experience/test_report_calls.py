"""What a report counts, and what it leaves out, in a database of a few sessions."""

from __future__ import annotations

from typing import Any

from oldhand.experience.report import report_calls
from oldhand.sessions.model import Evidence
from oldhand.store import Store

from .conftest import DAY_US, Teach

WELL = Evidence(exit_code=0)
Made = tuple[str, dict[str, Any], str, Evidence | None]


def well(number: int = 0) -> Made:
    return "Bash", {"command": f"ls dir{number}"}, "a.py", WELL


def bad() -> Made:
    return "Read", {"file_path": "/x"}, "File does not exist.", Evidence(is_error=True)


def red() -> Made:
    return "Bash", {"command": "pytest"}, "1 failed", Evidence(exit_code=1)


def refused() -> Made:
    said = "The user doesn't want to proceed with this tool use."
    return "Bash", {"command": "rm -r /"}, said, Evidence(is_error=True)


def test_an_empty_database_gives_an_empty_report(store: Store) -> None:
    found = report_calls(store)

    assert found.total.calls == 0
    assert (found.by_tool, found.by_position, found.errors) == ([], [], [])
    assert found.warm_up.percent is None


def test_errors_and_negatives_are_two_things(store: Store, teach: Teach) -> None:
    teach("one", well(), bad(), red(), well())

    found = report_calls(store)

    assert found.total.calls == 4
    assert found.total.error.percent == 25
    assert found.total.negative.percent == 25
    rows = {group.name: group for group in found.by_tool}
    assert rows["Bash"].negative.percent is not None
    assert round(rows["Bash"].negative.percent) == 33
    assert rows["Read"].error.percent == 100
    assert [(place.tool, place.calls) for place in found.errors] == [("Read", 1)]


def test_refused_calls_and_idle_tools_count_nowhere(store: Store, teach: Teach) -> None:
    plan: Made = ("TodoWrite", {"todos": []}, "done", WELL)
    teach("one", well(), refused(), plan)

    found = report_calls(store)

    assert (found.total.calls, found.refused) == (1, 1)
    assert [group.name for group in found.by_tool] == ["Bash"]


def test_a_place_is_counted_within_the_session(store: Store, teach: Teach) -> None:
    teach("one", *[well(number) for number in range(12)])
    teach("two", *[well(number) for number in range(7)])

    rows = {group.name: group for group in report_calls(store).by_position}

    assert {name: group.calls for name, group in rows.items()} == {
        "1-5": 10,
        "6-10": 7,
        "11-25": 2,
    }
    assert rows["11-25"].sessions == 1


def test_of_long_sessions_only_the_first_calls_are_compared(
    store: Store, teach: Teach
) -> None:
    teach("long", *[well(number) for number in range(30)])

    (row,) = report_calls(store).first_calls_by_length

    assert (row.name, row.calls) == ("50-99", 20)


def test_a_warm_up_is_held_against_the_same_sessions_later_calls(
    store: Store, teach: Teach
) -> None:
    for number in range(6):
        teach(f"s{number}", bad(), *[well(n) for n in range(19)])

    found = report_calls(store).warm_up

    assert found.percent == 10
    assert found.interval == (10, 10)


def test_a_report_is_of_the_sessions_asked_for(store: Store, teach: Teach) -> None:
    teach("old", bad(), day=0)
    teach("new", well(), day=5, project="/home/ada/other")

    assert report_calls(store, since_us=3 * DAY_US).total.error.percent == 0
    assert report_calls(store, until_us=3 * DAY_US).total.error.percent == 100
    assert report_calls(store, project="/home/ada/other").total.calls == 1
    assert report_calls(store, source="elsewhere").total.calls == 0


def test_progress_is_told_of_each_session(store: Store, teach: Teach) -> None:
    teach("one", well())
    teach("two", well())
    told: list[tuple[int, int]] = []

    report_calls(store, progress=lambda done, total: told.append((done, total)))

    assert told == [(1, 2), (2, 2)]
