"""`python -m oldhand`, and where the installed program begins.

An agent's hook is told apart here, before the library for command lines is imported, which
alone takes as long as half of what a hook may.
"""

from __future__ import annotations

import gc
import os
import sys

from oldhand.integrations.hook_process import is_hook, run_hook

_OBJECTS_BETWEEN_COLLECTIONS = 50_000


def main() -> None:
    """Run the command line of this process."""
    # Most of what is imported lives as long as the process. To look through it for
    # garbage, again and again and once more at the end, took a tenth of `oldhand warm`.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    try:
        _run(sys.argv[1:])
    finally:
        gc.freeze()


def _run(arguments: list[str]) -> None:
    if is_hook(arguments):
        run_hook(arguments)
        # All is written, nothing is open: to take the interpreter down took 2.5 ms more.
        os._exit(0)
    # 23 ms that no hook pays.
    from oldhand.cli import main as run  # noqa: PLC0415

    run()


if __name__ == "__main__":
    main()
