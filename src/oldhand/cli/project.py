"""A project as a person names it: any directory in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    _Type = click.ParamType[str]
else:
    _Type = click.ParamType  # generic in newer versions only


class _Project(_Type):
    """A directory, as the project that sessions in it belong to."""

    name = "directory"

    def convert(
        self,
        value: object,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        from oldhand.sessions.belonging import project_at

        text = str(value)
        if not text or "\0" in text:
            self.fail(f"{text!r}: expected a directory", param, ctx)
        return project_at(text)


PROJECT = _Project()
