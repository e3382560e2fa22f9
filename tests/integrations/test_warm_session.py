"""The tool `warm_session`: whatever a model writes, it is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oldhand.app.starts import warm
from oldhand.app.templates import export_template
from oldhand.experience.best import Want, best_template_for
from oldhand.experience.pool import Scope
from oldhand.experience.template import (
    accept_template,
    find_template,
    list_templates,
    retire_template,
)
from oldhand.integrations.warm_session import warm_session_tool
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.store import Store, open_database

PROJECT = "/home/ada/engine"


def teach(store: Store) -> None:
    """Record three sessions in which calls went well."""
    for number in range(3):
        at_us = (number + 1) * 86_400_000_000
        messages = [Message(role="user", content="Fix the parser", at_us=at_us)]
        for name, command in (("a", "git status"), ("b", f"pytest -q t{number}.py")):
            made = ToolCall(f"{name}{number}", "Bash", json.dumps({"command": command}))
            went_well = Evidence(is_error=False)
            messages += [
                Message(role="assistant", calls=[made], at_us=at_us),
                Message(
                    role="tool",
                    content="fine",
                    call_id=made.call_id,
                    evidence=went_well,
                    at_us=at_us,
                ),
            ]
        session = Session(
            uid=f"s{number}", source="test", project=PROJECT, messages=messages
        )
        with store.transaction():
            SessionWriter(store).write(session)


@pytest.fixture
def taught(store: Store) -> Store:
    teach(store)
    return store


def ask(store: Store, **arguments: object) -> dict[str, Any]:
    answer = warm_session_tool.handle(store, arguments, project=PROJECT)
    json.dumps(answer, allow_nan=False)
    return answer


def test_what_is_built_is_listed_and_loaded(taught: Store) -> None:
    built = ask(
        taught, action="build", name="fixing", tags=["py"], description="for me"
    )
    listed = ask(taught, action="list")
    accept_template(taught, "fixing")
    loaded = ask(taught, action="load", name="fixing")

    assert built["success"] is True
    assert (built["template"], built["sessions"]) == ("fixing@1", 3)
    assert [row["template"] for row in listed["templates"]] == ["fixing@1"]
    assert (loaded["template"], loaded["left_out"]) == ("fixing@1", 0)


def propose_another(store: Store) -> None:
    """Let an agent propose a version beside the one that a person accepted."""
    ask(store, action="build", name="fixing")
    accept_template(store, "fixing")
    ask(store, action="build", name="fixing", max_sessions=1, description="other")


def states(store: Store) -> dict[str, str]:
    listed = list_templates(store, with_retired=True)
    return {f"{one.name}@{one.version}": one.state for one in listed}


@pytest.mark.parametrize("label", ["fixing", "fixing@1"])
def test_an_agent_deletes_proposals(any_store: Store, label: str) -> None:
    teach(any_store)
    ask(any_store, action="build", name="fixing")

    deleted = ask(any_store, action="delete", name=label)

    assert deleted == {"success": True, "deleted": 1}
    assert states(any_store) == {}


@pytest.mark.parametrize("label", ["fixing", "fixing@1"])
def test_an_agent_deletes_nothing_that_a_person_accepted(
    any_store: Store, label: str
) -> None:
    teach(any_store)
    propose_another(any_store)

    refused = ask(any_store, action="delete", name=label)

    assert refused["success"] is False
    assert "fixing@1 is accepted; an agent deletes only proposals" in refused["error"]
    assert states(any_store) == {"fixing@1": "accepted", "fixing@2": "proposed"}

    ask(any_store, action="delete", name="fixing@2")
    assert states(any_store) == {"fixing@1": "accepted"}


def test_an_agent_deletes_nothing_that_was_retired(taught: Store) -> None:
    propose_another(taught)
    retire_template(taught, "fixing")

    refused = [ask(taught, action="delete", name=f"fixing@{n}") for n in (1, 2)]

    assert [answer["success"] for answer in refused] == [False, False]
    assert len(states(taught)) == 2


def test_a_proposal_hides_no_version_that_a_person_accepted(any_store: Store) -> None:
    teach(any_store)
    propose_another(any_store)

    listed = ask(any_store, action="list")["templates"]
    best = best_template_for(any_store, Want(Scope(project=PROJECT)))

    assert find_template(any_store, "fixing").label == "fixing@1"
    assert ask(any_store, action="load", name="fixing")["template"] == "fixing@1"
    assert warm(any_store, template="fixing").template == "fixing@1"
    assert export_template(any_store, "fixing").template.label == "fixing@1"
    assert best.template.label == "fixing@1"
    assert {row["template"]: row["state"] for row in listed} == states(any_store)
    assert states(any_store)["fixing@1"] == "accepted"


def test_load_returns_all_turns_and_a_preview_of_each_example(taught: Store) -> None:
    ask(taught, action="build", name="fixing")
    accept_template(taught, "fixing")

    loaded = ask(taught, action="load", name="fixing@1")

    assert loaded["preview"] == ["Bash:git status -> ok", "Bash:pytest -q -> ok"]
    roles = [message["role"] for message in loaded["messages"]]
    assert roles == ["user", "assistant", "tool", "assistant"] * 2


def test_load_keeps_to_the_hosts_target_and_tools(taught: Store) -> None:
    ask(taught, action="build", name="fixing")
    accept_template(taught, "fixing")
    load = {"action": "load", "name": "fixing"}

    blocks = warm_session_tool.handle(taught, load, target="anthropic")
    nothing = warm_session_tool.handle(taught, load, tools=["Read"])

    assert blocks["messages"][1]["content"][0]["type"] == "tool_use"
    assert nothing["success"] is False


def test_what_an_agent_builds_is_not_loaded_until_a_person_accepts_it(
    taught: Store,
) -> None:
    built = ask(taught, action="build", name="fixing")
    listed = ask(taught, action="list")["templates"]

    refused = ask(taught, action="load", name="fixing")

    assert (built["state"], listed[0]["state"]) == ("proposed", "proposed")
    assert "oldhand template accept fixing@1" in built["note"]
    assert refused["success"] is False
    assert "a person must accept it first" in refused["error"]


def test_a_proposal_of_a_persons_template_does_not_take_its_place(
    taught: Store,
) -> None:
    ask(taught, action="build", name="fixing")
    accept_template(taught, "fixing")
    ask(taught, action="build", name="fixing", max_sessions=1, description="other")

    assert ask(taught, action="load", name="fixing")["template"] == "fixing@1"
    assert ask(taught, action="load", name="fixing@2")["success"] is False


def test_list_keeps_to_the_tags_that_are_asked_for(taught: Store) -> None:
    ask(taught, action="build", name="one", tags=["py", "web"])
    ask(taught, action="build", name="two", tags=["web"])

    found = ask(taught, action="list", tags=["py", "web"])["templates"]

    assert [row["template"] for row in found] == ["one@1"]


def test_arguments_may_come_as_json_text_and_null_is_not_given(taught: Store) -> None:
    text = '{"action":"build","name":"fixing","min_messages":null,"max_sessions":2.0}'

    built = warm_session_tool.handle(taught, text, project=PROJECT)

    assert (built["success"], built["sessions"]) == (True, 2)


WRONG: list[tuple[object, str]] = [
    ({}, "action is missing; expected one of build, list, load, delete"),
    ({"action": "remove"}, "action is 'remove'; expected one of build, list"),
    ({"action": 3}, "action is 3; expected a text"),
    ({"action": "build"}, "name is missing; build needs one"),
    ({"action": "load"}, "name is missing; load needs one"),
    ({"action": "delete", "name": ""}, "name is missing; delete needs one"),
    ({"action": "build", "name": "../x"}, "'../x' is no template name"),
    ({"action": "load", "name": "../x"}, "'../x' is no template name"),
    ({"action": "delete", "name": "/etc/passwd"}, "'/etc/passwd' is no template name"),
    ({"action": "delete", "name": "*"}, "'*' is no template name"),
    ({"action": "build", "name": "x@2"}, "'x@2' is no template name"),
    ({"action": "load", "name": "nowhere"}, "no template 'nowhere'"),
    ({"action": "build", "name": "x", "tags": "py"}, "tags is 'py'; expected a list"),
    ({"action": "build", "name": "x", "tags": [1]}, "tags[0] is 1; expected a text"),
    ({"action": "build", "name": "x", "tags": [""]}, "'' is no tag"),
    ({"action": "build", "name": "x", "min_messages": -1}, "min_messages is -1"),
    ({"action": "build", "name": "x", "min_messages": True}, "min_messages is True"),
    ({"action": "build", "name": "x", "min_messages": "5"}, "min_messages is '5'"),
    ({"action": "build", "name": "x", "max_sessions": 0}, "max_sessions is 0"),
    ({"action": "build", "name": "x", "max_sessions": 10**400}, "is a huge number"),
    ({"action": "build", "name": "x", "description": "d" * 1001}, "has 1001; expected"),
    ({"action": "build", "name": "x", "source_filter": "nobody"}, "no session of"),
    ({"action": "list", "path": "/"}, "'path' is no argument; expected action, name"),
    ([], "the arguments are a list; expected an object"),
    (None, "the arguments are None; expected an object"),
    ("{", "the arguments are no JSON"),
    ("[" * 100_000, "the arguments are no JSON"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_call_is_answered_with_what_was_expected(
    taught: Store, arguments: object, words: str
) -> None:
    answer = warm_session_tool.handle(taught, arguments, project=PROJECT)

    assert answer.keys() == {"success", "error"}
    assert answer["success"] is False
    assert words in answer["error"]


def test_a_store_without_sessions_is_an_answer_and_no_fault(store: Store) -> None:
    answer = ask(store, action="build", name="fixing")

    assert answer["success"] is False
    assert ask(store, action="list") == {"success": True, "templates": []}


def _anything() -> SearchStrategy[Any]:
    odd = st.sampled_from(["../x", "a", "a@1", "a@", "\ud800", "\0", "", "build", "é"])
    leaves = st.one_of(
        odd, st.text(), st.integers(), st.floats(), st.booleans(), st.none()
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.text(max_size=4), inner, max_size=3)
        ),
        max_leaves=5,
    )


def _calls() -> SearchStrategy[object]:
    actions = st.sampled_from(["build", "list", "load", "delete", "no"])
    values = {
        "name": st.sampled_from(["a", "b", "a@1", "b@9"]) | _anything(),
        "description": st.text() | _anything(),
        "min_messages": st.integers(0, 9) | _anything(),
        "max_sessions": st.integers(0, 9) | _anything(),
        "source_filter": st.just("test") | _anything(),
        "tags": st.lists(st.text(max_size=70), max_size=3) | _anything(),
    }
    objects = st.fixed_dictionaries({"action": actions | _anything()}, optional=values)
    return st.one_of(objects, objects, objects.map(json.dumps), _anything())


@given(st.lists(_calls(), min_size=1, max_size=3))
def test_whatever_a_model_writes_the_answer_is_a_dict_for_json(
    calls: list[object],
) -> None:
    store = open_database(":memory:")
    try:
        teach(store)
        for arguments in calls:
            answer = warm_session_tool.handle(store, arguments, project=PROJECT)

            json.dumps(answer, allow_nan=False)
            assert answer["success"] is ("error" not in answer)
    finally:
        store.close()


def test_both_providers_are_told_the_same_and_nothing_is_shared() -> None:
    there = warm_session_tool.for_openai()
    here = warm_session_tool.for_anthropic()

    there["function"]["parameters"]["properties"].clear()

    assert here["input_schema"] == warm_session_tool.parameters
    assert list(here["input_schema"]["properties"]) == [
        *("action", "name", "description", "min_messages", "max_sessions"),
        *("source_filter", "tags"),
    ]


def test_no_answer_names_what_only_a_person_can_type(
    taught: Store,
) -> None:
    answers = [
        ask(taught, action="build", name="x", source_filter="nobody"),
        ask(taught, action="load", name="nobody"),
    ]

    for answer in answers:
        assert answer["success"] is False
        assert "--" not in answer["error"]
        assert "`" not in answer["error"]
    assert "list shows what is kept" in answers[1]["error"]
