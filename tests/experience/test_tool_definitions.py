"""Examples of tools that are not any more what they were are left out."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.errors import InvalidInput
from oldhand.experience.candidates import Budget
from oldhand.experience.guard.tool_definitions import fits, tool_definitions
from oldhand.experience.mine import Wish
from oldhand.experience.pool import Scope
from oldhand.experience.template import build_template_for
from oldhand.experience.warm import WarmRequest, warm_start
from oldhand.store import Store

from .conftest import WENT_WELL, Teach, bash


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def bash_tool(**changes: Any) -> dict[str, Any]:
    """Return the definition of a shell."""
    schema = {
        "type": "object",
        "properties": {"command": {"type": "string"}},
        "required": ["command"],
    }
    return {"name": "Bash", "description": "Runs", "input_schema": schema | changes}


@pytest.mark.parametrize("key", ["input_schema", "parameters", "inputSchema"])
def test_definitions_are_read_in_every_providers_form(key: str) -> None:
    plain = {"name": "Bash", key: bash_tool()["input_schema"]}

    (found,) = tool_definitions([plain]).values()
    (wrapped,) = tool_definitions(
        {"tools": [{"type": "function", "function": plain}]}
    ).values()

    assert found == wrapped
    assert found.digest == tool_definitions([bash_tool()])["Bash"].digest


@pytest.mark.parametrize(
    "value", [None, "Bash", {"tools": 3}, [{}], [3], [{"name": 1}]]
)
def test_what_is_no_definition_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput):
        tool_definitions(value)


def test_a_call_fits_where_it_has_what_is_needed_and_nothing_unknown() -> None:
    defined = tool_definitions([bash_tool()])
    lenient = tool_definitions([bash_tool(additionalProperties=True)])

    assert fits(defined, "Bash", {"command": "ls"})
    assert fits(defined, "Read", {"anything": 1})
    assert not fits(defined, "Bash", {})
    assert not fits(defined, "Bash", {"command": "ls", "cmd": "ls"})
    assert fits(lenient, "Bash", {"command": "ls", "cmd": "ls"})


def test_a_call_that_the_tool_would_not_take_any_more_is_not_chosen(
    store: Store, teach: Teach
) -> None:
    teach("s", bash("git status"), ("Read", {"path": "a.py"}, "x", WENT_WELL))
    read = {
        "name": "Read",
        "parameters": {"properties": {"file_path": {}}, "required": ["file_path"]},
    }
    request = WarmRequest(
        tools=frozenset({"Bash", "Read"}),
        definitions=tool_definitions([bash_tool(), read]),
    )

    assert [e.tool for e in warm_start(store, request).examples] == ["Bash"]


def test_an_example_that_was_held_against_another_definition_is_dropped(
    store: Store, teach: Teach
) -> None:
    teach("s", bash("git status"))
    before = tool_definitions([bash_tool()])
    wish = Wish(scope=Scope(), budget=Budget(tokens=1_000), definitions=before)
    build_template_for(store, wish, name="mine")
    request = WarmRequest(template="mine", definitions=before)
    after = tool_definitions([bash_tool(required=[])])

    assert warm_start(store, request).examples
    with pytest.raises(InvalidInput, match="tools that have changed since"):
        warm_start(store, request._replace(definitions=after))
