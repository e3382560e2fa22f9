"""The arguments of a tool: told to a model as a JSON schema, and read from what it wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from oldhand.errors import InvalidInput
from oldhand.sessions.storable_text import storable

_SHOWN_CHARS = 60


class Argument(NamedTuple):
    """One argument.

    Attributes:
        kind: A text, a whole number, a number, a truth value, or a list of texts.
        description: For the model.
        choices: The texts that it may be; () for any.
        least: The smallest number.
        most: The largest number, the longest text in characters, the most texts.
    """

    kind: Literal["string", "integer", "number", "boolean", "strings"]
    description: str
    choices: Sequence[str] = ()
    least: int = 0
    most: int = 1_000


def schema_of(
    arguments: Mapping[str, Argument], *, required: Sequence[str]
) -> dict[str, Any]:
    """Return the JSON schema of an object of these arguments and no others."""
    return {
        "type": "object",
        "properties": {name: _schema(item) for name, item in arguments.items()},
        "required": list(required),
        "additionalProperties": False,
    }


def read_arguments(given: object, arguments: Mapping[str, Argument]) -> dict[str, Any]:
    """Read what a model wrote: a value for each argument that it gave.

    An argument that is null counts as not given. Texts are such as a database can hold.

    Args:
        given: An object, or its JSON text.
        arguments: Those that there are, by name.

    Raises:
        InvalidInput: It is no object, or an argument is none or not of its kind; the
            message says what was expected.
    """
    if isinstance(given, str):
        try:
            given = json.loads(given or "{}")
        except (ValueError, RecursionError) as fault:
            raise InvalidInput(
                "the arguments are no JSON; expected an object"
            ) from fault
    if not isinstance(given, Mapping):
        raise InvalidInput(f"the arguments are {_shown(given)}; expected an object")
    for name in given:
        if name not in arguments:
            known = ", ".join(arguments)
            raise InvalidInput(f"{_shown(name)} is no argument; expected {known}")
    return {
        name: _read(name, given[name], arguments[name])
        for name in arguments
        if given.get(name) is not None
    }


def _schema(argument: Argument) -> dict[str, Any]:
    if argument.kind == "strings":
        kind: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
        kind["maxItems"] = argument.most
    elif argument.kind in {"integer", "number"}:
        kind = {"minimum": argument.least, "maximum": argument.most}
        kind["type"] = argument.kind
    elif argument.kind == "boolean":
        kind = {"type": "boolean"}
    elif argument.choices:
        kind = {"type": "string", "enum": list(argument.choices)}
    else:
        kind = {"type": "string", "maxLength": argument.most}
    return kind | {"description": argument.description}


def _read(name: str, value: object, argument: Argument) -> object:
    if argument.kind == "integer":
        return _whole_number(name, value, argument)
    if argument.kind == "number":
        return _number(name, value, argument)
    if argument.kind == "boolean":
        if not isinstance(value, bool):
            raise InvalidInput(f"{name} is {_shown(value)}; expected true or false")
        return value
    if argument.kind == "strings":
        if not isinstance(value, list | tuple) or len(value) > argument.most:
            expected = f"a list of at most {argument.most} texts"
            raise InvalidInput(f"{name} is {_shown(value)}; expected {expected}")
        return [_text(f"{name}[{at}]", item, 1_000) for at, item in enumerate(value)]
    text = _text(name, value, argument.most)
    if argument.choices and text not in argument.choices:
        expected = ", ".join(argument.choices)
        raise InvalidInput(f"{name} is {_shown(text)}; expected one of {expected}")
    return text


def _whole_number(name: str, value: object, argument: Argument) -> int:
    is_whole = isinstance(value, float) and value.is_integer()
    if isinstance(value, int | float) and not isinstance(value, bool):
        in_range = argument.least <= value <= argument.most
        if in_range and (isinstance(value, int) or is_whole):
            return int(value)
    expected = f"a whole number from {argument.least} to {argument.most}"
    raise InvalidInput(f"{name} is {_shown(value)}; expected {expected}")


def _number(name: str, value: object, argument: Argument) -> float:
    if type(value) in {int, float}:
        number = cast("float", value)
        if argument.least <= number <= argument.most:
            return float(number)
    expected = f"a number from {argument.least} to {argument.most}"
    raise InvalidInput(f"{name} is {_shown(value)}; expected {expected}")


def _text(name: str, value: object, most: int) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {_shown(value)}; expected a text")
    if len(value) > most:
        expected = f"at most {most} characters"
        raise InvalidInput(f"{name} has {len(value)}; expected {expected}")
    return storable(value)


def _shown(value: object) -> str:
    if isinstance(value, str):
        return repr(value[:_SHOWN_CHARS])
    if value is None or isinstance(value, bool | float):
        return repr(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**_SHOWN_CHARS else "a huge number"
    return f"a {type(value).__name__}"
