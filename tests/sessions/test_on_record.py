"""A source or a project that is asked for is one of those there are."""

from __future__ import annotations

import pytest

from oldhand.errors import NotFound
from oldhand.sessions.live.recorder import Recorder
from oldhand.sessions.model import Message
from oldhand.sessions.on_record import check_on_record, fault_of_source
from oldhand.store import Store


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def record(store: Store, uid: str, source: str, project: str | None) -> None:
    message = Message(role="user", content="Go", at_us=1)
    recorder = Recorder(store, uid=uid, source=source, project=project)
    recorder.append([message])


def test_what_is_on_record_is_no_fault(store: Store) -> None:
    record(store, "s1", "codex", "/a")

    check_on_record(store)
    check_on_record(store, source="codex")
    check_on_record(store, project="/a")
    check_on_record(store, source="codex", project="/a")

    assert fault_of_source(store, "codex") == fault_of_source(store, None) == ""


def test_the_sources_there_are_are_named(store: Store) -> None:
    record(store, "s1", "codex", "/a")
    record(store, "s2", "claude-code", "/a")

    with pytest.raises(NotFound, match=r"'foo'; there are: claude-code, codex$"):
        check_on_record(store, source="foo")


def test_a_project_of_another_source_does_not_count(store: Store) -> None:
    record(store, "s1", "codex", "/a")
    record(store, "s2", "claude-code", "/b")

    with pytest.raises(NotFound, match="project '/b' and source 'codex'"):
        check_on_record(store, source="codex", project="/b")


def test_of_many_projects_those_with_most_sessions_are_named(store: Store) -> None:
    for number in range(7):
        record(store, f"s{number}", "codex", f"/{number}")
    record(store, "more", "codex", "/6")

    with pytest.raises(NotFound, match=r"there are: /6, /0, /1, /2, /3, and 2 more$"):
        check_on_record(store, project="/none")


def test_where_nothing_is_on_record_nothing_is_refused(store: Store) -> None:
    check_on_record(store, source="codex", project="/a")

    assert fault_of_source(store, "codex") == ""
