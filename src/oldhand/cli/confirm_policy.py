"""`oldhand confirm policy`: what holds, and what it would have said of past calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.confirm_access import NO_DAEMON_YET, signed_in
from oldhand.cli.face import Face, common_options, talk
from oldhand.errors import InvalidInput, UnreadableSource

if TYPE_CHECKING:
    from oldhand.confirm.policy import Asked, Policy
    from oldhand.confirm.replay.run import Fates, Proposal, Replay

_COLUMNS = {"name": "", "asked": "asked", "allowed": "allowed", "denied": "denied"}
_MAX_ROWS = 15
_ALL = 1_000_000


@click.group()
@common_options
def policy(_face: Face) -> None:
    """Show the policy, try one on past calls, or let one hold."""


@policy.command()
@common_options
def show(face: Face) -> None:
    """Print the policy that holds; read from the database."""
    version, held = _active(face)
    if face.as_json:
        rules = [{"id": rule.id, "effect": rule.effect} for rule in held.rules]
        face.emit(
            {
                "version": version, "digest": held.digest, "default": held.default,
                "rules": rules, "text": held.text,
            }
        )  # fmt: skip
        return
    talk(
        f"version {version}, digest {held.digest[:16]}"
        if version
        else "no daemon has put a policy yet; a new one begins with this"
    )
    click.echo(held.text, nl=not held.text.endswith("\n"))


@policy.command()
@common_options
def starter(face: Face) -> None:
    """Print a policy for a gate in Claude Code: looking passes, all else is asked.

    `oldhand install claude-code --gate` writes it where no policy holds yet; a daemon of
    another user or machine takes it as ~/.oldhand/policy.toml there, or by `policy put`.
    """
    from oldhand.integrations.claude_code.starter_policy import STARTER_POLICY_TEXT

    if face.as_json:
        face.emit({"text": STARTER_POLICY_TEXT})
    else:
        click.echo(STARTER_POLICY_TEXT, nl=False)


@policy.command()
@click.argument(
    "calls", required=False, type=click.Path(path_type=Path), metavar="[CALLS.jsonl]"
)
@click.option("--sessions", is_flag=True, help="On your own imported sessions.")
@click.option("--source", metavar="NAME", help="Of these, only one agent's.")
@click.option(
    "--policy", "file", type=click.Path(path_type=Path), metavar="FILE",
    help="Instead of the policy that holds.",
)  # fmt: skip
@click.option("--proposals", type=click.IntRange(0, 100), default=10, show_default=True)
@common_options
def test(
    face: Face,
    calls: Path | None,
    sessions: bool,
    source: str | None,
    file: Path | None,
    proposals: int,
) -> None:
    """Say what a policy would have asked, allowed and denied of past calls.

    A line of CALLS.jsonl is {"action": …, "details": {…}}, or one that `oldhand calls list
    --json` prints. Then come rules and standing grants that would spare most questions;
    nothing that is always risky is among them.
    """
    from oldhand.confirm.replay.run import propose, replay

    if (calls is None) is not sessions or (source and not sessions):
        raise InvalidInput("name a file of calls, or say --sessions [--source NAME]")
    held = _read_policy(file) if file else _active(face)[1]
    asked = list(_calls_in(calls) if calls else _recorded(face, source))
    found = replay(held, asked)
    proposed = propose(held, asked, at_most=proposals) if proposals else []
    if face.as_json:
        face.emit(_as_json(found, proposed))
    else:
        _print(face, found, proposed)


@policy.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--as", "person", metavar="NAME", help="Your name; default: your login's."
)
@common_options
def put(face: Face, file: Path, person: str | None) -> None:
    """Let the policy of FILE hold from now on."""
    held = _read_policy(file)
    with signed_in(face, person) as somebody:
        said = somebody.ask("PUT", "/policy", {"text": held.text})
    if face.as_json:
        face.emit(said)
    else:
        talk(f"version {said.get('version')} holds")


def _active(face: Face) -> tuple[int, Policy]:
    """Return the version and the policy that holds; 0 and the default where none does."""
    from oldhand.confirm.policies import active_policy
    from oldhand.confirm.policy import DEFAULT_POLICY_TEXT, read_policy

    found = active_policy(face.store(nothing_yet=NO_DAEMON_YET))
    if found is None:
        return 0, read_policy(DEFAULT_POLICY_TEXT)
    return found.version, found.policy


def _read_policy(file: Path) -> Policy:
    from oldhand.confirm.policy import read_policy

    try:
        return read_policy(_text_of(file))
    except InvalidInput as fault:
        raise InvalidInput(f"{file}: {fault}") from fault


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        said = fault.strerror if isinstance(fault, OSError) else "no UTF-8"
        raise UnreadableSource(f"{file}: {said}") from fault


def _calls_in(file: Path) -> Iterator[Asked]:
    for number, line in enumerate(_text_of(file).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            yield _asked_of(value)
        except (ValueError, RecursionError) as fault:
            raise UnreadableSource(f"{file}:{number}: no call: {fault}") from fault


def _asked_of(value: object) -> Asked:
    from oldhand.confirm.policy import Asked

    if not isinstance(value, dict):
        raise InvalidInput("expected an object")
    if "action" not in value and "tool" in value:
        return _recorded_call(str(value["tool"]), str(value.get("arguments", "{}")))
    action, details = value.get("action"), value.get("details", {})
    if not isinstance(action, str) or not isinstance(details, dict):
        raise InvalidInput("expected action, a text, and details, an object")
    more = {
        key: str(value[key])
        for key in ("target", "requester", "session_key", "risk")
        if value.get(key) is not None
    }
    return Asked(action=action, details=details, **more)


def _recorded(face: Face, source: str | None) -> Iterator[Asked]:
    from oldhand.sessions.on_record import check_on_record
    from oldhand.sessions.read import recent_sessions
    from oldhand.sessions.read_calls import iterate_calls

    store = face.store()
    check_on_record(store, source=source)
    sessions = {each.uid: each for each in recent_sessions(store, limit=_ALL)}
    for call in iterate_calls(store, source=source):
        session = sessions.get(call.session)
        is_gated = session is not None and session.source == "claude-code"
        cwd = session.cwd if session is not None and is_gated else None
        yield _recorded_call(call.tool, call.arguments, cwd=cwd)


def _recorded_call(tool: str, arguments: str, *, cwd: str | None = None) -> Asked:
    """Return a call on record as an agent would ask for it; broken arguments as a text.

    Args:
        tool: Its name.
        arguments: As the agent wrote them.
        cwd: Where it was made, for a call that the gate would hold: it says so, too.
    """
    from oldhand.confirm.policy import Asked
    from oldhand.integrations.claude_code.gate import Call, show_call

    try:
        details = json.loads(arguments)
    except (ValueError, RecursionError):
        details = None
    if not isinstance(details, dict):
        details = {"arguments": arguments}
    elif cwd is not None and "session_cwd" not in details:
        details = show_call(Call(tool, details, "", cwd)).details
    return Asked(action=tool, details=details)


def _as_json(found: Replay, proposed: list[Proposal]) -> dict[str, Any]:
    return {
        **found._asdict(),
        "by_rule": [each._asdict() for each in found.by_rule],
        "by_command": [each._asdict() for each in found.by_command],
        "proposals": [each._asdict() for each in proposed],
    }


def _print(face: Face, found: Replay, proposed: list[Proposal]) -> None:
    always = f", {found.always_asked} of them always" if found.always_asked else ""
    click.echo(
        f"{found.calls} calls: {found.asked} asked{always}, {found.allowed} allowed, "
        f"{found.denied} denied"
    )
    for heading, fates in (("rule", found.by_rule), ("call", found.by_command)):
        if fates:
            rows = map(_row, fates[:_MAX_ROWS])
            face.emit_rows(rows, columns={**_COLUMNS, "name": heading})
    left = found.asked
    for number, each in enumerate(proposed, start=1):
        left -= each.cuts
        click.echo(
            f"{number}. this {each.kind} spares {each.cuts} questions, {left} are left:"
        )
        for line in each.text.rstrip("\n").split("\n"):
            from oldhand.cli.tables import plain

            click.echo(f"    {plain(line)}")


def _row(fates: Fates) -> dict[str, Any]:
    return {**fates._asdict(), "name": f"{fates.name} {fates.word}".strip()}
