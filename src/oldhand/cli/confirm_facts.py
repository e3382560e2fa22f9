"""A request on a terminal: the facts first, and the agent's words marked as that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.tables import plain, plain_json

if TYPE_CHECKING:
    from oldhand.integrations.gate.held import Held

_FACTS = (
    "action",
    "target",
    "requester",
    "session_key",
    "risk",
    "rule",
    "why",
    "level",
)
_AFTER = (
    "decided_by",
    "reason",
    "expires_at",
    "decided_at",
    "consumed_at",
    "digest",
    "url",
)


def print_facts(held: Held, *, err: bool = False) -> None:
    """Print what a person needs to decide; what is quoted cannot steer the terminal.

    Args:
        held: The request.
        err: To stderr, as a question does.
    """
    for line in _lines(held.value):
        click.echo(line, err=err)


def _lines(value: Mapping[str, Any]) -> list[str]:
    lines = [f"request {plain(value.get('id'))}: {plain(value.get('status'))}"]
    lines += [_line(value, key) for key in _FACTS if _is_said(value, key)]
    lines.append("details:")
    lines += _indented(plain_json(value.get("details"), indent=2))
    if value.get("original_details") is not None:
        lines.append("as they were asked, before a person edited them:")
        lines += _indented(plain_json(value["original_details"], indent=2))
    if _is_said(value, "description"):
        lines.append("in the agent's own words, which may be wrong:")
        said = str(value["description"]).split("\n")
        lines += [f"  | {plain(line)}" for line in said]
    return lines + [_line(value, key) for key in _AFTER if _is_said(value, key)]


def _is_said(value: Mapping[str, Any], key: str) -> bool:
    return value.get(key) not in {None, ""} if _is_plain(value.get(key)) else True


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, (str, int))


def _line(value: Mapping[str, Any], key: str) -> str:
    return f"{key.replace('_', ' ')}: {plain(value[key])}"


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.split("\n")]
