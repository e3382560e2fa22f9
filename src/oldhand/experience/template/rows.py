"""Templates in the database: kept, found, listed, removed."""

from __future__ import annotations

import json
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import NotFound
from oldhand.experience.example import Example
from oldhand.experience.template.model import Template, check_kind, check_name
from oldhand.lazy_pattern import LazyPattern
from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.experience")
_LABEL = LazyPattern(r"([A-Za-z0-9_-]{1,64})(?:@([1-9][0-9]{0,8}))?")


class TemplateSummary(NamedTuple):
    """A template without its examples, and how often it was given.

    `erased` counts the examples that went because their sessions were erased.
    """

    name: str
    version: int
    kind: str | None
    description: str
    tags: tuple[str, ...]
    coverage: float | None
    session_count: int
    created_at_us: int
    examples: int
    used: int
    erased: int


def save_template(
    store: Store, template: Template, *, clock: Clock = system_clock
) -> Template:
    """Store a template as the next version of its name, and return it with that.

    Storing what the newest version holds already stores nothing and returns that.
    """
    check_name(template.name)
    with store.transaction():
        newest = _newest(store, template.name)
        if newest is not None and newest.digest == template.digest:
            return newest
        version = _last_version(store, template.name) + 1
        stored = template._replace(version=version, created_at_us=clock())
        _insert(store, stored)
    return stored


def find_template(store: Store, label: str) -> Template:
    """Return the newest version of a name, or the one that `name@version` says.

    Raises:
        NotFound: There is none.
    """
    parts = _LABEL.fullmatch(label)
    name, version = (parts[1], parts[2]) if parts else ("", None)
    rows = store.query_all(
        _SQL["templates_named"],
        {"name": name, "version": None if version is None else int(version)},
    )
    if not rows:
        raise NotFound(f"no template {label!r}; `oldhand template list` shows them")
    return _from_rows(store, rows[0])


def list_templates(
    store: Store, *, kind: str | None = None, tag: str | None = None
) -> list[TemplateSummary]:
    """Return all templates, newest first, each version with how often it was given."""
    rows = store.query_all(_SQL["list_templates"], {"kind": check_kind(kind)})
    found = [_summary(row) for row in rows]
    return [item for item in found if tag is None or tag in item.tags]


def _summary(row: Row) -> TemplateSummary:
    name, version, kind, description, tags, *counts = row
    return TemplateSummary(
        name, version, kind, description, tuple(json.loads(tags)), *counts
    )


def delete_template(store: Store, label: str) -> int:
    """Remove all versions of a name, or the one that `name@version` says.

    Returns:
        How many versions were removed.

    Raises:
        NotFound: There is none.
    """
    template = find_template(store, label)
    version = template.version if "@" in label else None
    return store.execute(
        _SQL["delete_templates"], {"name": template.name, "version": version}
    )


def _newest(store: Store, name: str) -> Template | None:
    rows = store.query_all(_SQL["templates_named"], {"name": name, "version": None})
    return _from_rows(store, rows[0]) if rows else None


def _last_version(store: Store, name: str) -> int:
    """Return the highest version ever given, so that a deleted one is not used again."""
    row = store.query_one(_SQL["last_template_version"], {"name": name})
    used = store.query_all(_SQL["used_template_labels"], {"prefix": f"{name}@"})
    versions = [int(label.rpartition("@")[2]) for (label,) in used]
    return max([row[0] if row and row[0] else 0, *versions])


def _insert(store: Store, template: Template) -> None:
    row = store.query_one(
        _SQL["put_template"],
        {
            "name": template.name,
            "version": template.version,
            "digest": template.digest,
            "kind": template.kind,
            "description": template.description,
            "task": template.task,
            "tags": json.dumps(list(template.tags), ensure_ascii=False),
            "addendum": template.addendum,
            "coverage": template.coverage,
            "session_count": template.session_count,
            "created_at_us": template.created_at_us,
        },
    )
    template_id = row[0] if row else 0
    store.execute_many(
        _SQL["put_template_example"],
        [(template_id, pos, *example) for pos, example in enumerate(template.examples)],
    )


def _from_rows(store: Store, row: Row) -> Template:
    template_id, name, version, kind, description, task, tags, *rest = row
    addendum, coverage, session_count, created_at_us = rest
    examples = store.query_all(_SQL["template_examples"], {"template_id": template_id})
    return Template(
        name=name,
        version=version,
        kind=check_kind(kind),
        description=description,
        task=task,
        tags=tuple(json.loads(tags)),
        addendum=addendum,
        coverage=coverage,
        session_count=session_count,
        created_at_us=created_at_us,
        examples=tuple(Example(*values) for values in examples),
    )
