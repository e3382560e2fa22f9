"""Calls that were looked at for showing them, kept: weighed and redacted once.

To weigh thirty calls and to redact twenty takes 40 ms in a new process, most of it for
reading the rules and compiling their patterns; to find out that it was done takes 2 ms. A row
holds for the very texts that were looked at, which a digest names, and for the rules as they
are now; else the call is looked at anew. So a row that is not there costs time and nothing
else, and a rule that was made stricter is never passed by.
"""

from __future__ import annotations

import os
from functools import cache

from oldhand.canonical_json import digest
from oldhand.errors import StoreReadOnly
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
_PACKAGE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120 - pathlib takes 4 ms
RULES_IN = ("redact", "risk", "shell")  # and what these and fetching stand on:
RULES_OF = (
    "canonical_json.py",
    "experience/colours.py",
    "experience/fetch.py",
    "experience/guard/taint.py",
    "experience/harmless.py",
    "lazy_pattern.py",
    "sessions/known_tools.py",
    "terminal.py",
)


class ShownCalls:
    """What is known of the calls of a store, and what became known meanwhile.

    Args:
        store: Where it is kept.
        is_used: Where False, nothing is known and nothing kept: somebody weighs by rules
            of their own.
    """

    def __init__(self, store: Store, *, is_used: bool) -> None:
        """Ask for the state of the rules."""
        self._store = store
        self._rules = rules() if is_used else ""
        self._weighed: list[tuple[str, str, int, int]] = []
        self._shown: list[tuple[int, str, str, str, int]] = []

    def is_risky(self, call: int, digest: str) -> bool | None:
        """Say how a call was weighed, whose tool and arguments have a digest; None: not."""
        row = self._known("weighed_call", {"call": call})
        return bool(row[1]) if row and row[0] == digest else None

    def texts(self, call: int, digest: str, *, result_chars: int) -> str | None:
        """Return what was kept of a call whose texts have a digest; None: nothing."""
        row = self._known("shown_call", {"call": call, "result_chars": result_chars})
        return str(row[1]) if row and row[0] == digest else None

    def add_weighed(self, call: int, digest: str, *, is_risky: bool) -> None:
        """Remember how a call was weighed."""
        self._weighed.append((self._rules, digest, int(is_risky), call))

    def add_texts(
        self, call: int, digest: str, *, result_chars: int, texts: str
    ) -> None:
        """Remember what is shown of a call."""
        self._shown.append((result_chars, self._rules, digest, texts, call))

    def keep(self) -> None:
        """Write down what was added, where anything can be written."""
        if not self._rules or not (self._weighed or self._shown):
            return
        ours = {"rules": self._rules}
        try:
            with self._store.transaction():
                self._store.execute(_SQL["forget_weighed_by_other_rules"], ours)
                self._store.execute(_SQL["forget_shown_by_other_rules"], ours)
                self._store.execute_many(_SQL["put_weighed_call"], self._weighed)
                self._store.execute_many(_SQL["put_shown_call"], self._shown)
        except StoreReadOnly:
            return  # it only saves time

    def _known(self, name: str, call: dict[str, int]) -> Row | None:
        if not self._rules:
            return None
        return self._store.query_one(_SQL[name], {**call, "rules": self._rules})


def forget_shown(store: Store) -> None:
    """Forget all texts that were kept: something that they show is to go."""
    store.execute(_SQL["forget_shown"])


@cache
def rules() -> str:
    """Name the state of the rules: by the files that hold them, their sizes and times.

    Python tells the same way whether its compiled files are stale.

    Returns:
        A digest; "" where the files cannot be looked at, as in an archive.
    """
    try:
        files = [os.path.join(_PACKAGE, name) for name in RULES_OF]  # noqa: PTH118
        for folder in RULES_IN:
            with os.scandir(os.path.join(_PACKAGE, folder)) as entries:  # noqa: PTH118
                files += [entry.path for entry in entries if entry.name[-3:] == ".py"]
        return digest(sorted(map(_state_of, files)))
    except OSError:
        return ""


def _state_of(path: str) -> tuple[str, int, int]:
    facts = os.stat(path)  # noqa: PTH116
    return path, facts.st_size, facts.st_mtime_ns
