"""`oldhand confirm`: actions held for a person, from both sides of the desk."""

from __future__ import annotations

import click

from oldhand.cli.confirm_audit import audit
from oldhand.cli.confirm_decisions import approve, deny
from oldhand.cli.confirm_doctor import doctor
from oldhand.cli.confirm_grants import grants
from oldhand.cli.confirm_people import agents, people
from oldhand.cli.confirm_policy import policy
from oldhand.cli.confirm_requests import cancel, list_, show, submit, wait
from oldhand.cli.confirm_run import run
from oldhand.cli.confirm_switches import resume, stop
from oldhand.cli.face import Face, common_options


@click.group()
@common_options
def confirm(_face: Face) -> None:
    """Hold risky actions for a person, and prove afterwards what was approved.

    An agent asks with its token, of OLDHAND_CONFIRM_TOKEN or the file agent.token in
    oldhand's home; a person decides on the page, or here with a password that is typed
    into the terminal. Both go to the daemon, `oldhand serve`, at OLDHAND_CONFIRM_URL.

    Exit codes beside the usual ones: 10 nobody is named by the token or the password,
    11 denied or blocked, 12 asked too often, 13 the daemon does not answer.
    """


for _command in (
    run,
    submit,
    wait,
    approve,
    deny,
    stop,
    resume,
    list_,
    show,
    cancel,
    grants,
    policy,
    audit,
    people,
    agents,
    doctor,
):
    confirm.add_command(_command)
