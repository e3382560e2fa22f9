"""One session as a person reads it."""

from __future__ import annotations

from typing import Any

import click

from oldhand.cli.tables import plain

_FACTS = (
    "source agent model principal project cwd git_branch parent relation started_at "
    "updated_at end_reason message_count tool_call_count failed_call_count input_tokens "
    "output_tokens cost_usd"
)
_COLOURS = {
    "ok": "green",
    "empty": "green",
    "negative": "yellow",
    "error": "red",
    "blocked": "magenta",
}


def print_session(session: dict[str, Any], *, chars: int) -> None:
    """Print a session's facts, then its messages, each cut to some characters."""
    click.secho(plain(session["title"] or session["uid"]), bold=True)
    click.echo(f"  uid: {plain(session['uid'])}")
    for fact in _FACTS.split():
        if session[fact] is not None:
            click.echo(f"  {fact}: {plain(session[fact])}")
    for message in session["messages"]:
        click.echo()
        _print_message(message, chars=chars)


def _print_message(message: dict[str, Any], *, chars: int) -> None:
    note = "" if message["type"] == "turn" else f" ({message['type']})"
    note += "" if message["active"] else " (rewound)"
    click.secho(f"{message['role']}{note}", fg="cyan")
    if message["content"]:
        _print_text(message["content"], chars=chars)
    for call in message["calls"]:
        outcome = click.style(call["outcome"], fg=_COLOURS.get(call["outcome"]))
        kind = f" {call['error_kind']}" if call["error_kind"] else ""
        click.echo(f"  → {plain(call['tool'])} {outcome}{kind} [{call['rule']}]")
        _print_text(call["arguments"], chars=chars)


def _print_text(text: str, *, chars: int) -> None:
    for line in text[:chars].splitlines():
        click.echo(f"    {plain(line)}")
    if len(text) > chars:
        click.echo(f"    … ({chars:,} of {len(text):,} characters)")
