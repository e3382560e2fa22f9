"""One template as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable

import click

from oldhand.cli.face import talk
from oldhand.cli.tables import plain
from oldhand.clock import to_iso
from oldhand.counted import counted
from oldhand.experience.example import Example
from oldhand.experience.template import Template
from oldhand.experience.template.diff import TemplateDiff
from oldhand.experience.template.uses import TemplateUses

_SHOWN_CHARS = 200
_DIFF_CHARS = 80
_DIGEST_DIGITS = 16


def tell_foreign_addendum(template: Template) -> None:
    """Show an addendum that came from somebody else, and say what becomes of it."""
    talk(
        f"{template.label}: its addendum is somebody else's, and is left out of warm starts:"
        f"\n  {template.addendum}\n"
        "if it is to be shown to sessions, import it again with --accept-addendum"
    )


def _whose(template: Template) -> str:
    if not template.has_foreign_addendum:
        return ""
    return " (somebody else's, left out of warm starts)"


_STATES = {
    "accepted": "",
    "proposed": "proposed by an agent; given when a person accepts it",
    "retired": "retired",
}


def print_template(template: Template, uses: TemplateUses) -> None:
    """Print a template's facts, then each example with where it came from."""
    click.secho(template.label, bold=True)
    if state := _STATES[template.state]:
        successor = f"; {template.successor} is given" if template.successor else ""
        click.secho(f"  {state}{successor}", fg="yellow")
    click.echo(f"  digest: {template.digest[:_DIGEST_DIGITS]}")
    if template.state == "proposed":
        click.echo(
            f"  to accept it: oldhand template accept {template.label} "
            f"--digest {template.digest[:_DIGEST_DIGITS]}"
        )
    if template.principal:
        click.echo(f"  made by: {plain(template.principal)}")
    if uses.given:
        arms = ", ".join(f"{count} {arm}" for arm, count in uses.by_arm.items())
        click.echo(f"  given {counted(uses.given, 'time')}: {arms}")
    for fact in ("kind", "description", "task"):
        if getattr(template, fact):
            click.echo(f"  {fact}: {plain(getattr(template, fact))}")
    if template.addendum:
        click.echo(f"  addendum{_whose(template)}: {plain(template.addendum)}")
    if template.tags:
        click.echo(f"  tags: {plain(', '.join(template.tags))}")
    if template.coverage is not None:
        click.echo(
            f"  covers {template.coverage:.0%} of the calls of "
            f"{counted(template.session_count, 'session')}"
        )
    _print_examples(template.examples)


def _print_examples(examples: Iterable[Example]) -> None:
    for number, example in enumerate(examples, start=1):
        click.echo()
        click.secho(f"{number}. {plain(example.shape or example.tool)}", fg="cyan")
        if example.context:
            click.echo(f"   asked: {plain(example.context)}")
        click.echo(
            f"   {plain(example.tool)} {plain(example.arguments[:_SHOWN_CHARS])}"
        )
        result = "(a stranger's words)" if example.is_tainted else example.result
        click.echo(f"   {plain(example.outcome)}: {plain(result[:_SHOWN_CHARS])}")
        click.echo(
            f"   {_source(example)}; worked in {counted(example.support, 'session')}"
        )


def _source(example: Example) -> str:
    """Say where an example comes from, on one line."""
    parts = [f"from {example.session} {example.call_id}"]
    if example.at_us is not None:
        parts.append(to_iso(example.at_us)[:16].replace("T", " "))
    parts += [
        part for part in (example.principal, example.agent, example.model) if part
    ]
    if example.tool_digest:
        parts.append(f"tool {example.tool_digest[:8]}")
    return ", ".join(map(plain, parts))


def print_diff(found: TemplateDiff) -> None:
    """Print what is different between two templates."""
    click.secho(f"{found.first} -> {found.second}", bold=True)
    if found.is_same:
        click.echo("  the same")
    for name, (first, second) in found.settings.items():
        click.echo(f"  {name}: {plain(first)} -> {plain(second)}")
    for example in found.removed:
        click.secho(f"- {plain(example.shape or example.tool)}", fg="red")
    for example in found.added:
        click.secho(f"+ {plain(example.shape or example.tool)}", fg="green")
    for each in found.changed:
        click.secho(f"~ {plain(each.shape or each.tool)}", fg="cyan")
        for name, (first, second) in each.fields.items():
            click.echo(f"    {name}: {_cut(first)} -> {_cut(second)}")


def _cut(value: object) -> str:
    text = plain(value)
    return text if len(text) <= _DIFF_CHARS else f"{text[: _DIFF_CHARS - 1]}…"
