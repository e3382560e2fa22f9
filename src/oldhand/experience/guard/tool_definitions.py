"""The tools that a session has, as it would send them to a provider: names and schemas.

A tool changes: an argument gets another name, another becomes needed. An example of how it
was called before then teaches a mistake. So where definitions are at hand an example is
left out that does not fit them, and one that was held against another definition before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from oldhand.canonical_json import digest
from oldhand.errors import InvalidInput
from oldhand.experience.example import Example
from oldhand.sessions.arguments import arguments_in

_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema")


class ToolDefinition(NamedTuple):
    """One tool.

    Attributes:
        name: Its name.
        schema: The JSON schema of its arguments; {} where none is given.
        digest: Of name and schema; what people are told of it may change.
    """

    name: str
    schema: Mapping[str, Any]
    digest: str


def tool_definitions(value: object) -> dict[str, ToolDefinition]:
    """Read the definitions of tools, by name.

    Args:
        value: A list of them, as OpenAI, Anthropic or MCP write them; or an object that
            holds it as `tools`.

    Raises:
        InvalidInput: It is none; the message names the place.

    Example:
        >>> list(tool_definitions([{"name": "Read", "input_schema": {"type": "object"}}]))
        ['Read']
    """
    listed = value.get("tools") if isinstance(value, Mapping) else value
    if not isinstance(listed, list | tuple):
        raise InvalidInput('expected a list of tool definitions, as [{"name": …}]')
    found = [_definition(item, at) for at, item in enumerate(listed)]
    return {each.name: each for each in found}


def fits(
    definitions: Mapping[str, ToolDefinition], tool: str, arguments: Mapping[str, Any]
) -> bool:
    """Say whether a call is one that the defined tools take, as far as names tell.

    A tool that is not defined is another matter: then it fits. Types are not looked at,
    as models and servers are lenient with them.
    """
    defined = definitions.get(tool)
    if defined is None:
        return True
    required = defined.schema.get("required")
    if isinstance(required, list) and any(name not in arguments for name in required):
        return False
    known = defined.schema.get("properties")
    if not isinstance(known, Mapping) or defined.schema.get("additionalProperties"):
        return True
    return all(name in known for name in arguments)


def is_stale(example: Example, definitions: Mapping[str, ToolDefinition]) -> bool:
    """Say whether an example is of a tool that is not any more what it was."""
    defined = definitions.get(example.tool)
    if defined is None:
        return False
    if example.tool_digest is not None and example.tool_digest != defined.digest:
        return True
    return not fits(definitions, example.tool, arguments_in(example.arguments))


def with_digests(
    examples: Iterable[Example], definitions: Mapping[str, ToolDefinition]
) -> tuple[Example, ...]:
    """Note in examples which definitions they were held against."""
    return tuple(
        example._replace(tool_digest=definitions[example.tool].digest)
        if example.tool in definitions
        else example
        for example in examples
    )


def _definition(item: object, at: int) -> ToolDefinition:
    if isinstance(item, Mapping) and isinstance(item.get("function"), Mapping):
        item = item["function"]
    name = item.get("name") if isinstance(item, Mapping) else None
    if not isinstance(item, Mapping) or not isinstance(name, str) or not name:
        raise InvalidInput(f"tools[{at}]: expected an object with the tool's name")
    found: object = next((item[key] for key in _SCHEMA_KEYS if key in item), {})
    schema: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    try:
        return ToolDefinition(name, schema, digest([name, dict(schema)]))
    except (TypeError, ValueError, RecursionError) as fault:
        raise InvalidInput(f"tools[{at}]: {fault}") from fault
