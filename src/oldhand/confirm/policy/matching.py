"""The `match` table of a rule, read into conditions.

`details` (or `args`, the same by another tradition) nests as the details of a call do; a
table whose keys are all operators, none of them with a table as its value, is a condition
on the place where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from oldhand.confirm.policy.model import RISKS, Condition, Effect
from oldhand.confirm.policy.operators import OPERATORS, make_condition
from oldhand.confirm.policy.values import FIELDS
from oldhand.errors import InvalidInput

_DETAILS = ("details", "args")
_TEXT_OPERATORS = frozenset({"eq", "in", "not_in", "glob", "starts_with"})


def read_match(match: object, effect: Effect) -> tuple[Condition, ...]:
    """Read the conditions of a rule, all of which must hold.

    Raises:
        InvalidInput: A key is unknown, or a value is not what it takes.
    """
    if not isinstance(match, dict) or not match:
        raise InvalidInput(
            f'match is {match!r}; expected a table, as {{ action = "deploy_*" }}'
        )
    conditions: list[Condition] = []
    for key, wanted in match.items():
        if key in _DETAILS:
            conditions += _of_details(key, wanted, effect)
        elif key in FIELDS:
            conditions += _of_field(key, wanted, effect)
        else:
            known = ", ".join((*FIELDS, *_DETAILS))
            raise InvalidInput(f"match has {key!r}; expected one of {known}")
    return tuple(conditions)


def _of_field(field: str, wanted: object, effect: Effect) -> Iterator[Condition]:
    if not isinstance(wanted, dict):
        if not isinstance(wanted, (str, list)):
            raise InvalidInput(
                f"match.{field} is {wanted!r}; expected a text or a list of texts"
            )
        wanted = {"glob": wanted}
    for name, operand in wanted.items():
        if name not in _TEXT_OPERATORS:
            known = ", ".join(sorted(_TEXT_OPERATORS))
            raise InvalidInput(f"match.{field} has {name!r}; expected one of {known}")
        _check_risk(field, name, operand)
        yield _condition((field,), name, operand, effect)


def _check_risk(field: str, name: str, operand: object) -> None:
    texts = operand if isinstance(operand, list) else [operand]
    if field == "risk" and not all(text in RISKS for text in texts):
        raise InvalidInput(
            f"match.risk.{name} is {operand!r}; expected low, medium or high"
        )


def _of_details(key: str, wanted: object, effect: Effect) -> Iterator[Condition]:
    if not isinstance(wanted, dict) or not wanted:
        raise InvalidInput(
            f'match.{key} is {wanted!r}; expected a table, as {{ {key}.env = "prod" }}'
        )
    for name, inner in wanted.items():
        yield from _at_place(("details", name), inner, effect)


def _at_place(
    path: tuple[str, ...], wanted: object, effect: Effect
) -> Iterator[Condition]:
    if not isinstance(wanted, dict):
        yield _condition(path, "eq", _plain(path, wanted), effect)
        return
    if not wanted:
        raise InvalidInput(f"{_place(path)} is an empty table; expected an operator")
    operators = {name for name in wanted if _is_operator(name, wanted)}
    if operators and len(operators) < len(wanted):
        other = min(wanted.keys() - operators)
        known = ", ".join(sorted(OPERATORS))
        raise InvalidInput(f"{_place(path)} has {other!r}; expected one of {known}")
    for name, inner in wanted.items():
        if operators:
            yield _condition(path, name, inner, effect)
        else:
            yield from _at_place((*path, name), inner, effect)


def _is_operator(name: str, wanted: Mapping[str, object]) -> bool:
    return name in OPERATORS and not isinstance(wanted[name], dict)


def _plain(path: tuple[str, ...], value: object) -> object:
    if isinstance(value, list):
        raise InvalidInput(
            f"{_place(path)} is a list, and {path[-1]!r} is no operator; expected "
            f"{{ in = […] }}, {{ eq = […] }} or another of {', '.join(sorted(OPERATORS))}"
        )
    if isinstance(value, str) and {"*", "?"} & set(value):
        raise InvalidInput(
            f"{_place(path)} is {value!r}; expected {{ glob = … }} where a wildcard is "
            f"meant, {{ eq = … }} where the character itself is"
        )
    return value


def _condition(
    path: tuple[str, ...], name: str, operand: object, effect: Effect
) -> Condition:
    try:
        return make_condition(path, name, operand, effect)
    except InvalidInput as fault:
        raise InvalidInput(f"{_place(path)}: {fault}") from fault


def _place(path: tuple[str, ...]) -> str:
    return "match." + ".".join(path)
