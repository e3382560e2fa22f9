"""Of which agents and projects sessions are on record: what may be asked for."""

from __future__ import annotations

from oldhand.errors import NotFound
from oldhand.store import Queries, Store

_SQL = Queries(__package__)
_NAMED_PROJECTS = 5


def fault_of_source(store: Store, source: str | None) -> str:
    """Say that no session is of a source, and of which there are; "" where one is.

    Args:
        store: Where the sessions are.
        source: An agent's, as `claude-code`; None is no fault.
    """
    if source is None:
        return ""
    sources = sorted({row[0] for row in store.query_all(_SQL["sources_and_projects"])})
    if not sources or source in sources:
        return ""
    return f"no session of source {source!r}; there are: {', '.join(sources)}"


def check_on_record(
    store: Store, *, source: str | None = None, project: str | None = None
) -> None:
    """Refuse a source or a project of which there is no session, and name those there are.

    Nothing is refused where no session at all is on record.

    Args:
        store: Where the sessions are.
        source: An agent's, as `claude-code`.
        project: A directory, as sessions name it.

    Raises:
        NotFound: No session is of the source, of the project, or of both.
    """
    if source is None and project is None:
        return
    if fault := fault_of_source(store, source):
        raise NotFound(fault)
    rows = store.query_all(_SQL["sources_and_projects"])
    fits = any(row[1] == project and source in (None, row[0]) for row in rows)
    if project is None or not rows or fits:
        return
    of = "" if source is None else f" and source {source!r}"
    raise NotFound(f"no session of project {project!r}{of}; {_projects(rows)}")


def _projects(rows: list[tuple[str, str | None, int]]) -> str:
    """Name the projects with most sessions."""
    counts: dict[str, int] = {}
    for _, project, sessions in rows:
        if project is not None:
            counts[project] = counts.get(project, 0) + sessions
    most = sorted(counts, key=lambda project: (-counts[project], project))
    named = ", ".join(most[:_NAMED_PROJECTS]) or "none with a project"
    left = len(most) - _NAMED_PROJECTS
    return f"there are: {named}" + (f", and {left:,} more" if left > 0 else "")
