"""`oldhand confirm people` and `agents`: who decides, and who asks."""

from __future__ import annotations

from typing import Any

import click

from oldhand.cli.confirm_access import NO_DAEMON_YET, signed_in
from oldhand.cli.face import Face, common_options, talk

_COLUMNS = {"name": "name", "kind": "kind", "owner": "owner", "is_disabled": "disabled"}
_PEOPLE = ("person",)
_AGENTS = ("agent", "service")
_AS = click.option(
    "--as", "person", metavar="NAME", help="Your name; default: your login's."
)


@click.group()
@common_options
def people(_face: Face) -> None:
    """Look after the people who decide."""


@people.command("list")
@common_options
def list_people(face: Face) -> None:
    """List people; read from the database."""
    _list(face, kinds=_PEOPLE)


@people.command("add")
@click.argument("name")
@_AS
@common_options
def add_person(face: Face, name: str, person: str | None) -> None:
    """Add a person, and print the link by which they set a password, once, within an hour."""
    made = _add(face, {"name": name, "kind": "person"}, person)
    if not face.as_json:
        click.echo(made.get("link"))
        talk(f"{name} sets a password there: it opens once, within an hour")


@people.command("disable")
@click.argument("name")
@_AS
@common_options
def disable_person(face: Face, name: str, person: str | None) -> None:
    """Take all rights from a person; the name stays in the log."""
    _disable(face, name, person, kinds=_PEOPLE)


@click.group()
@common_options
def agents(_face: Face) -> None:
    """Look after the agents that ask."""


@agents.command("list")
@common_options
def list_agents(face: Face) -> None:
    """List agents and services; read from the database."""
    _list(face, kinds=_AGENTS)


@agents.command("add")
@click.argument("name")
@click.option("--owner", metavar="NAME", help="For whom it works; default: you.")
@click.option(
    "--save", is_flag=True, help="Keep the token in oldhand's home, mode 0600."
)
@_AS
@common_options
def add_agent(
    face: Face, name: str, owner: str | None, save: bool, person: str | None
) -> None:
    """Add an agent and print its token, which is shown this once.

    With --save it is kept in the file agent.token instead, where this user's commands and
    hooks find it.
    """
    from oldhand.errors import Conflict
    from oldhand.integrations.gate.access import save_token
    from oldhand.settings import AGENT_TOKEN_FILE

    file = face.settings.home / AGENT_TOKEN_FILE
    if save and file.exists():
        raise Conflict(f"{file}: there already; remove it, or leave --save out")
    made = _add(
        face, {"name": name, "kind": "agent", "owner": owner}, person, is_shown=not save
    )
    token = made.get("token")
    if not isinstance(token, str):
        raise Conflict("the daemon added the agent and gave no token")
    if save:
        save_token(file, token, url=face.settings.confirm_url)
        talk(f"{name}: its token is in {file}")
    elif not face.as_json:
        click.echo(token)
        talk(f"{name} gives it as OLDHAND_CONFIRM_TOKEN; it is not shown again")


@agents.command("disable")
@click.argument("name")
@_AS
@common_options
def disable_agent(face: Face, name: str, person: str | None) -> None:
    """Take all rights from an agent; its token is good for nothing any more."""
    _disable(face, name, person, kinds=_AGENTS)


def _list(face: Face, *, kinds: tuple[str, ...]) -> None:
    from oldhand.confirm.principals import list_principals

    found = list_principals(face.store(nothing_yet=NO_DAEMON_YET))
    rows = (each._asdict() for each in found if each.kind in kinds)
    face.emit_rows(rows, columns=_COLUMNS)


def _add(
    face: Face, body: dict[str, Any], person: str | None, *, is_shown: bool = True
) -> dict[str, Any]:
    with signed_in(face, person) as somebody:
        if (
            "owner" in body
        ):  # who adds an agent has it work for them, and cannot decide alone
            body = body | {"owner": body["owner"] or somebody.name}
        made = somebody.ask("POST", "/people", body)
    if face.as_json and is_shown:
        face.emit(made)
    return made


def _disable(
    face: Face, name: str, person: str | None, *, kinds: tuple[str, ...]
) -> None:
    from urllib.parse import quote

    from oldhand.errors import InvalidInput
    from oldhand.integrations.gate.client import rows_of

    with signed_in(face, person) as somebody:
        known = rows_of(somebody.ask("GET", "/people"))
        kind = next((row["kind"] for row in known if row.get("name") == name), None)
        if kind is not None and kind not in kinds:
            noun = "people" if kind in _PEOPLE else "agents"
            raise InvalidInput(
                f"{name} is of the kind {kind}; nobody was disabled",
                advice=f"oldhand confirm {noun} disable {name}",
            )
        somebody.ask("POST", f"/people/{quote(name, safe='')}/disable", {})
    if face.as_json:
        face.emit({"name": name, "disabled": True})
    else:
        talk(f"{name}: disabled")
