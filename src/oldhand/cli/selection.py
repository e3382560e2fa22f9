"""The options that say which sessions are meant: one set, for keeping and letting go."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from oldhand.cli.project import PROJECT
from oldhand.cli.quantities import TIME

if TYPE_CHECKING:
    from oldhand.sessions.keep.selection import Selection

R = TypeVar("R")
_OPTIONS = (
    click.option(
        "--session",
        "sessions",
        multiple=True,
        metavar="UID",
        help="Only this one; its beginning will do; repeatable.",
    ),
    click.option("--principal", metavar="NAME", help="Only those of one principal."),
    click.option(
        "--project", type=PROJECT, metavar="DIR", help="Only those of one project."
    ),
    click.option("--source", metavar="NAME", help="Only those of one agent."),
    click.option(
        "--before",
        type=TIME,
        metavar="TIME",
        help="Only those whose last message is older (ISO 8601).",
    ),
)


def selection_options(function: Callable[..., R]) -> Callable[..., R]:
    """Give a command these options, and hand it them as one `selection`."""

    @functools.wraps(function)
    def command(*args: Any, **kwargs: Any) -> R:  # noqa: ANN401
        return function(*args, selection=_selection(kwargs), **kwargs)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _selection(options: dict[str, Any]) -> Selection:
    """Take the options out of all that a command was given."""
    from oldhand.sessions.keep.selection import Selection

    return Selection(
        uids=tuple(options.pop("sessions")),
        principal=options.pop("principal"),
        project=options.pop("project"),
        source=options.pop("source"),
        before_us=options.pop("before"),
    )
