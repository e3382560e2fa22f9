"""`oldhand jobs`: agents that run on a schedule, and what became of each run."""

from __future__ import annotations

import click

from oldhand.cli.face import Face, common_options
from oldhand.cli.jobs_change import add, edit, pause, remove, resume
from oldhand.cli.jobs_import import import_
from oldhand.cli.jobs_read import list_, runs, show
from oldhand.cli.jobs_run import cancel, tick, trigger


@click.group()
@common_options
def jobs(_face: Face) -> None:
    """Run agents on a schedule, and see what ran, what did not, and why.

    Jobs fire while `oldhand serve` runs, or each time that `oldhand jobs tick` does. JOB is
    a job's name, or its id or the beginning of that.
    """


for _command in (
    add,
    list_,
    show,
    edit,
    pause,
    resume,
    trigger,
    remove,
    runs,
    cancel,
    tick,
    import_,
):
    jobs.add_command(_command)
