"""The root of the command line: where nouns are hung up and errors become exit codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.errors import OldhandError

_INTERRUPTED = 130
_NOUNS = {  # the module that holds each; only the one that is asked for is read
    "import": "import_",
    "sessions": "sessions",
    "calls": "calls",
    "report": "report",
    "skills": "skills",
    "template": "template",
    "warm": "warm",
    "hint": "hint",
    "lint": "lint",
    "experiment": "experiment",
    "confirm": "confirm",
    "jobs": "jobs",
    "serve": "serve",
    "db": "db",
    "doctor": "doctor",
    "install": "install",
    "uninstall": "uninstall",
    "hook": "hook",
    "demo": "demo",
}


class Nouns(click.Group):
    """A group whose commands are read when they are asked for."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return all names, in the order in which a user meets them."""
        return list(_NOUNS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Return one command; None where there is none of that name."""
        module = _NOUNS.get(name)
        if module is None:
            return None
        found = getattr(import_module(f"oldhand.cli.{module}"), module)
        return found if isinstance(found, click.Command) else None


@click.group(cls=Nouns, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="oldhand", message="%(prog)s %(version)s")
@common_options
def root(face: Face) -> None:
    """Let every agent session start as an old hand.

    oldhand records what tool-calling agents did, judges each call, and starts new
    sessions with the calls that worked. Begin with `oldhand import`, or see
    `oldhand demo`.
    """
    click.get_current_context().call_on_close(face.close)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command line and end the process with its exit code.

    Args:
        arguments: Instead of the process's own.
    """
    try:
        root.main(args=arguments, prog_name="oldhand", standalone_mode=False)
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except click.ClickException as fault:
        fault.show()
        sys.exit(fault.exit_code)
    except OldhandError as fault:
        talk("; ".join(filter(None, (f"oldhand: {fault}", fault.advice))))
        sys.exit(fault.exit_status)
    except (KeyboardInterrupt, click.Abort):
        talk("oldhand: interrupted; what was committed stays")
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        _leave_closed_pipe()
    except Exception as fault:  # noqa: BLE001 - the last one who can name it to a person
        _report_fault(fault)
        sys.exit(OldhandError.exit_status)


def _leave_closed_pipe() -> None:
    """End quietly when the reader has gone, as `head` does."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _report_fault(fault: Exception) -> None:
    """Name an unforeseen fault by an id, and keep its trace for a bug report."""
    import os
    import traceback

    from oldhand import settings
    from oldhand.ids import new_id

    name = new_id()
    trace = "".join(traceback.format_exception(fault))
    said = f"oldhand: internal error {name} ({type(fault).__name__})"
    try:
        path = settings.load().home / "faults.log"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        with os.fdopen(os.open(path, mode, 0o600), "a") as log:
            log.write(f"{name}\n{trace}\n")
    except (OSError, OldhandError) as closed:
        talk(f"{said}; its trace cannot be kept: {closed}")
    else:
        talk(f"{said}; see {path}")
