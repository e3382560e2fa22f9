"""Templates in the database: kept, found, listed, removed."""

from __future__ import annotations

import json
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import NotFound
from oldhand.experience.example import Example
from oldhand.experience.kind import check_kind
from oldhand.experience.template.model import State, Template, check_name, state_of
from oldhand.lazy_pattern import LazyPattern
from oldhand.store import Queries, Row, Store

HOW_TO_LIST = "`oldhand template list` shows what is kept"
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
    is_proposed: bool
    retired_at_us: int | None
    successor: str | None

    @property
    def state(self) -> State:
        """Whether it is given: only where it is `accepted`."""
        return state_of(is_proposed=self.is_proposed, retired_at_us=self.retired_at_us)


def save_template(
    store: Store, template: Template, *, clock: Clock = system_clock
) -> Template:
    """Store a template as the next version of its name, and return it with that.

    Storing what the newest version holds already stores nothing and returns that; to
    accept a foreign addendum makes a version, and so does a person who builds what an
    agent has proposed, or what was retired.
    """
    check_name(template.name)
    with store.transaction():
        store.query_all(_SQL["lock_template_name"], {"name": template.name})
        newest = _newest(store, template.name)
        if newest is not None and _says_the_same(newest, template):
            return newest
        version = _next_version(store, template.name)
        stored = template._replace(version=version, created_at_us=clock())
        _insert(store, stored)
    return stored


def _says_the_same(newest: Template, template: Template) -> bool:
    accepts = newest.has_foreign_addendum and not template.has_foreign_addendum
    vouches = newest.is_proposed and not template.is_proposed
    is_back = newest.retired_at_us is not None and template.retired_at_us is None
    return newest.digest == template.digest and not (accepts or vouches or is_back)


def find_template(store: Store, label: str) -> Template:
    """Return the version that a name stands for, or the one that `name@version` says.

    A name stands for its newest accepted version, so that no proposal takes its place;
    where none is accepted, for the newest. What is asked for is returned in whatever
    state it is; `state.template_to_give` looks at that.

    Raises:
        NotFound: There is none.
    """
    name, version = parts_of(label)
    rows = store.query_all(_SQL["templates_named"], {"name": name, "version": version})
    if not rows:
        raise NotFound(f"no template {label!r}", advice=HOW_TO_LIST)
    return _from_rows(store, rows[0])


def parts_of(label: str) -> tuple[str, int | None]:
    """Return the name and the version that a label says; "" where it is no label."""
    parts = _LABEL.fullmatch(label)
    if parts is None:
        return "", None
    return parts[1], None if parts[2] is None else int(parts[2])


def list_templates(
    store: Store,
    *,
    kind: str | None = None,
    tag: str | None = None,
    with_retired: bool = False,
) -> list[TemplateSummary]:
    """Return templates, newest first, each version with how often it was given.

    Args:
        store: Where they are.
        kind: Only those of one task type.
        tag: Only those with this tag.
        with_retired: Also those that are not given any more.
    """
    rows = store.query_all(
        _SQL["list_templates"],
        {"kind": check_kind(kind), "with_retired": int(with_retired)},
    )
    found = [_summary(row) for row in rows]
    return [item for item in found if tag is None or tag in item.tags]


def _summary(row: Row) -> TemplateSummary:
    tags, is_proposed = row[4], row[-3]
    return TemplateSummary(*row)._replace(
        tags=tuple(json.loads(tags)), is_proposed=bool(is_proposed)
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
    row = store.query_one(_SQL["last_template_version"], {"name": name})
    return find_template(store, f"{name}@{row[0]}") if row and row[0] else None


def _next_version(store: Store, name: str) -> int:
    """Return a version that the name never had: a deleted one does not come back."""
    row = store.query_one(_SQL["next_template_version"], {"name": name})
    return row[0] if row else 1


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
            "has_foreign_addendum": int(template.has_foreign_addendum),
            "coverage": template.coverage,
            "session_count": template.session_count,
            "created_at_us": template.created_at_us,
            "is_proposed": int(template.is_proposed),
            "retired_at_us": template.retired_at_us,
            "successor": template.successor,
            "principal": template.principal,
        },
    )
    template_id = row[0] if row else 0
    store.execute_many(
        _SQL["put_template_example"],
        [
            (template_id, pos, *example[:-1], int(example.is_tainted))
            for pos, example in enumerate(template.examples)
        ],
    )


def _from_rows(store: Store, row: Row) -> Template:
    template_id, name, version, kind, description, task, tags, *rest = row
    addendum, is_foreign, coverage, session_count, created_at_us, *state = rest
    is_proposed, retired_at_us, successor, principal = state
    examples = store.query_all(_SQL["template_examples"], {"template_id": template_id})
    return Template(
        name=name,
        version=version,
        kind=check_kind(kind),
        description=description,
        task=task,
        tags=tuple(json.loads(tags)),
        addendum=addendum,
        has_foreign_addendum=bool(is_foreign),
        coverage=coverage,
        session_count=session_count,
        created_at_us=created_at_us,
        examples=tuple(map(_example, examples)),
        is_proposed=bool(is_proposed),
        retired_at_us=retired_at_us,
        successor=successor,
        principal=principal,
    )


def _example(row: Row) -> Example:
    return Example(*row)._replace(is_tainted=bool(row[-1]))
