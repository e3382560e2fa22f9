"""What came before calls is counted for those that worked and for those that failed."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.repair.before import (
    Times,
    count_before,
    read_before,
    write_before,
)
from oldhand.experience.repair.past_calls import Names, PastCall, particulars_of
from oldhand.sessions.keys import call_id, message_id

EDIT, READ, PLAN, BASH = 1, 2, 3, 4
SED, SED_QUIET = 41, 42
NAMES = Names(frozenset({PLAN}), frozenset({BASH}), {SED: SED, SED_QUIET: SED})


def call(
    number: int, tool: int, path: str, outcome: str = "ok", *, shape: int = 0
) -> PastCall:
    key = call_id(message_id(1, number), 0)
    arguments = json.dumps({"file_path": path})
    return PastCall(key, tool, shape or tool, outcome, None, 10 * number, arguments)


def before(*calls: PastCall, shape: int = EDIT) -> dict[int, Times]:
    counted = {one.shape_id: one for one in count_before(calls, NAMES)}
    return dict(counted[shape].before)


def test_a_read_of_the_same_file_came_before_its_edit() -> None:
    read, edit = call(1, READ, "/srv/src/a.py"), call(2, EDIT, "src/a.py")

    assert before(read, edit) == {READ: Times(1, 0)}


def test_a_read_of_another_file_is_no_step() -> None:
    assert before(call(1, READ, "src/b.py"), call(2, EDIT, "src/a.py")) == {}


def test_a_read_that_failed_is_no_step() -> None:
    failed = call(1, READ, "src/a.py", "error")

    assert before(failed, call(2, EDIT, "src/a.py")) == {}


def test_what_came_long_before_is_no_step() -> None:
    others = [call(n, READ, "src/b.py") for n in range(2, 12)]

    assert before(call(1, READ, "src/a.py"), *others, call(12, EDIT, "src/a.py")) == {}


def test_a_call_of_the_same_message_did_not_come_before() -> None:
    read = call(1, READ, "src/a.py")
    edit = call(1, EDIT, "src/a.py")._replace(id=read.id + 1)

    assert before(read, edit) == {}


def test_tools_that_do_no_work_are_no_step() -> None:
    assert before(call(1, PLAN, "src/a.py"), call(2, EDIT, "src/a.py")) == {}


def test_a_shells_step_is_its_shape_whatever_its_options() -> None:
    sed = call(1, BASH, "src/a.py", shape=SED_QUIET)

    assert before(sed, call(2, EDIT, "src/a.py")) == {-SED: Times(1, 0)}


def test_calls_that_failed_are_counted_apart() -> None:
    calls = [
        call(1, EDIT, "src/a.py", "error"),
        call(2, READ, "src/a.py"),
        call(3, EDIT, "src/a.py"),
    ]
    counted = count_before(calls, NAMES)[0]

    assert (counted.worked, counted.failed, counted.worked_call) == (1, 1, calls[2].id)
    assert counted.before == {READ: Times(1, 0)}


def test_the_shortest_that_found_something_is_best_shown() -> None:
    calls = [
        call(1, READ, "a.py", "empty"),
        call(2, READ, "a.py"),
        call(3, READ, "a.py"),
    ]

    assert count_before(calls, NAMES)[0].worked_call == calls[1].id


def test_red_tests_count_on_neither_side() -> None:
    assert count_before([call(1, BASH, "a.py", "negative")], NAMES) == []


COUNTS = st.integers(0, 1_000)


@given(
    st.dictionaries(
        st.integers(-(1 << 40), 1 << 40), st.builds(Times, COUNTS, COUNTS), max_size=20
    )
)
def test_what_is_written_is_read_again(steps: dict[int, Times]) -> None:
    assert read_before(write_before(steps)) == steps


VALUES = st.none() | st.text() | st.integers() | st.lists(st.text(), max_size=3)


@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_any_arguments_have_particulars(arguments: dict[str, object]) -> None:
    assert all(particulars_of(arguments))
