"""The options that say which sessions may teach: one set, for templates and warm starts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

R = TypeVar("R")
_SCOPE = ("kind", "project", "all_projects", "source", "before")
_NARROW = ("max_sessions", "min_messages")


def scope_options(function: Callable[..., R]) -> Callable[..., R]:
    """Give a command the options of a scope, and hand it them as one dict, `scope`."""
    options = (
        click.option("--kind", metavar="KIND", help="code, file, research or mixed."),
        click.option(
            "--project",
            metavar="DIR",
            help="Learn from this project; by default the current directory's.",
        ),
        click.option("--all-projects", is_flag=True, help="Learn from all projects."),
        click.option("--source", metavar="NAME", help="Learn from one agent only."),
        click.option(
            "--before",
            metavar="TIME",
            help="Learn from sessions begun before (ISO 8601).",
        ),
        click.option(
            "--max-sessions", default=300, show_default=True, type=click.IntRange(1)
        ),
        click.option(
            "--min-messages", default=0, show_default=True, type=click.IntRange(0)
        ),
    )

    @functools.wraps(function)
    def command(*args: Any, **kwargs: Any) -> R:  # noqa: ANN401
        scope = {name: kwargs.pop(name) for name in (*_SCOPE, *_NARROW)}
        return function(*args, scope=scope, **kwargs)

    for option in reversed(options):
        command = option(command)
    return command
