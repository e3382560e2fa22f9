"""`oldhand doctor`: what is not well, and what to do about it."""

from __future__ import annotations

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.tables import plain
from oldhand.errors import NeedsAttention

_COLOURS = {"ok": "green", "note": "yellow", "warning": "red"}


@click.command()
@common_options
def doctor(face: Face) -> None:
    """Check what oldhand stands on, and say what to do; exit with 9 on a warning.

    It looks at the settings, the SQLite, the file system, file modes, locks, room on the
    disk, the search index, and agents whose sessions were never imported. It changes
    nothing.
    """
    from oldhand.app.doctor import diagnose

    findings = diagnose(database=face.database)
    if face.as_json:
        face.emit_rows((finding._asdict() for finding in findings), columns={})
    else:
        for finding in findings:
            level = click.style(f"{finding.level:8}", fg=_COLOURS[finding.level])
            click.echo(f"{level} {finding.check:12} {plain(finding.found)}".rstrip())
            if finding.remedy:
                click.echo(f"{'':21} → {finding.remedy}")
    warnings = [finding.check for finding in findings if finding.level == "warning"]
    if warnings:
        raise NeedsAttention(f"see to: {', '.join(warnings)}")
    talk("all is well")
