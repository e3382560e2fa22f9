"""The kind of a session, from the tools and shapes of its first calls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.kind import FIRST_CALLS, KINDS, kind_of

TEST = ("Bash", "Bash:go test")
LIST = ("Bash", "Bash:ls")
FETCH = ("Bash", "Bash:curl")
NOTE = ("TodoWrite", "TodoWrite(todos:list)")
BOOK = ("book_flight", "book_flight(city:str)")


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (("Bash", "Bash:git diff --stat|"), "code"),
        (("terminal", "terminal:npm run"), "code"),
        (("shell", "shell:pytest"), "code"),
        (("run_shell_command", "run_shell_command:make"), "code"),
        (("execute_code", "execute_code:requests"), "code"),
        (("Edit", "Edit(file_path:path.go,new_string:text,old_string:str)"), "code"),
        (("Read", "Read(file_path:path.PY)"), "code"),
        (("Glob", "Glob(pattern:path.ts)"), "code"),
        (("apply_patch", "apply_patch(patch:text)"), "code"),
        (("Write", "Write(content:text,file_path:path.md)"), "file"),
        (("Read", "Read(file_path:path.pdf)"), "file"),
        (("Grep", "Grep(path:path,pattern:str)"), "file"),
        (("Bash", "Bash:mv"), "file"),
        (("Bash", "Bash:tar -x"), "file"),
        (("WebFetch", "WebFetch(prompt:str,url:str)"), "research"),
        (("web_search", "web_search(query:str)"), "research"),
        (("Bash", "Bash:wget -q"), "research"),
        (("Bash", "Bash:frobnicate"), "mixed"),
        (("Bash", "Bash:"), "mixed"),
        (("Bash", ""), "mixed"),
        (("Task", "Task(prompt:text)"), "mixed"),
        (BOOK, "mixed"),
    ],
)
def test_a_call_speaks_for_a_kind(call: tuple[str, str], kind: str) -> None:
    assert kind_of([call]) == kind


def test_sixty_of_a_hundred_are_enough() -> None:
    assert kind_of([TEST] * 6 + [LIST] * 4) == "code"


def test_less_than_sixty_of_a_hundred_are_mixed() -> None:
    assert kind_of([TEST] * 17 + [LIST] * 13) == "mixed"


def test_a_call_that_speaks_for_nothing_still_counts() -> None:
    assert kind_of([FETCH] * 5 + [BOOK] * 5) == "mixed"


def test_tools_that_do_no_work_are_not_counted() -> None:
    assert kind_of([NOTE] * 50 + [FETCH] * 6 + [LIST] * 4) == "research"


def test_only_the_first_working_calls_are_looked_at() -> None:
    calls = [NOTE, *[LIST] * FIRST_CALLS, *[TEST] * 500]

    assert kind_of(calls) == "file"


def test_a_session_without_working_calls_is_mixed() -> None:
    assert kind_of([NOTE, NOTE]) == "mixed"


@given(st.lists(st.tuples(st.text(), st.text())))
def test_any_calls_have_a_kind(calls: list[tuple[str, str]]) -> None:
    assert kind_of(calls) in KINDS
