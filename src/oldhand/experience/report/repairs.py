"""What failed and what then worked, over all sessions: the repairs that most of them took.

Only shapes are told: they hold what was done, and nothing that anybody said. What a repair
changed in a call is told by `hint`, to who has the call.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oldhand.experience.repair.mined import VERSION
from oldhand.redact import redact
from oldhand.store import Queries, Store

MOST_REPAIRS = 10

_SQL = Queries(__package__)
_END_OF_TIME = (1 << 63) - 1


class RepairGroup(NamedTuple):
    """Calls that failed alike and were put right by the same shape of call.

    Attributes:
        tool: Of both calls.
        error_kind: What kind of mistake it was.
        failed: The shape of the calls that failed, with their options.
        worked: Of those that then worked.
        repairs: How many there were.
        sessions: In how many sessions.
    """

    tool: str
    error_kind: str
    failed: str
    worked: str
    repairs: int
    sessions: int


class RepairReport(NamedTuple):
    """The repairs that most sessions took, those first."""

    groups: list[RepairGroup]

    def as_json(self) -> list[dict[str, Any]]:
        """Return it as JSON takes it."""
        return [group._asdict() for group in self.groups]


def report_repairs(
    store: Store,
    *,
    since_us: int = 0,
    until_us: int = _END_OF_TIME,
    source: str | None = None,
    project: str | None = None,
) -> RepairReport:
    """Count repairs, as far as sessions were mined; an import mines what it brings.

    Args:
        store: Where they are.
        since_us: Only of sessions that began then or later, in microseconds since
            1970-01-01 UTC.
        until_us: Only of sessions that began before that.
        source: Only of sessions of one source.
        project: Only of sessions of one project.

    Returns:
        At most `MOST_REPAIRS` groups, redacted.
    """
    scope = {"since_us": since_us, "until_us": until_us, "source": source}
    wanted = {"version": VERSION, "project": project, "limit": MOST_REPAIRS}
    return RepairReport(
        [
            RepairGroup(redact(tool), kind, redact(failed), redact(worked), *counts)
            for tool, kind, failed, worked, *counts in store.query_all(
                _SQL["repairs_reported"], scope | wanted
            )
        ]
    )
