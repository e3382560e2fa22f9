"""Which skills were in a run, and what share each had in it.

A run's cost is counted once: the shares of its skills sum to 1. So does its outcome: a run
with three skills says a third about each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from oldhand.errors import Conflict, InvalidInput
from oldhand.ledger import checks
from oldhand.ledger.cells import cell_id_of
from oldhand.ledger.model import Run, SkillUse
from oldhand.store import Queries, Store

MAX_SKILLS = 256
POSITION_BITS = 8
"""An invocation's id is its run's, shifted left by these, and its place in the run."""
_SQL = Queries("oldhand.ledger")
_TOLERANCE = 1e-9


class Link(NamedTuple):
    """A row of `skill_invocations`, with its skill."""

    id: int
    share: float
    skill: str
    version: str | None
    cell_id: int


def checked_uses(skills: Sequence[SkillUse]) -> list[SkillUse]:
    """Return skills with the share of each.

    Raises:
        InvalidInput: A name or a number is none, a skill stands twice, or the shares do
            not sum to 1.
    """
    if len(skills) > MAX_SKILLS:
        raise checks.wrong("skills", len(skills), f"at most {MAX_SKILLS} in one run")
    uses = [
        use._replace(
            name=checks.name("skill_name", use.name),
            version=checks.optional_name("skill_version", use.version),
            tokens=checks.tokens("tokens", use.tokens),
        )
        for use in skills
    ]
    named = [(use.name, use.version) for use in uses]
    for each in named:
        if named.count(each) > 1:
            raise checks.wrong("skills", each[0], "each skill once")
    shares = shares_of(uses)
    return [use._replace(share=share) for use, share in zip(uses, shares, strict=True)]


def shares_of(uses: Sequence[SkillUse]) -> list[float]:
    """Return the shares of a run's skills: as said, by tokens, or equal.

    Raises:
        InvalidInput: Shares are said of some only, or do not sum to 1.

    Example:
        >>> shares_of([SkillUse("a", tokens=300), SkillUse("b", tokens=100)])
        [0.75, 0.25]
    """
    said = [use.share for use in uses if use.share is not None]
    if said:
        return _said_shares(said, len(uses))
    tokens = [use.tokens for use in uses if use.tokens is not None]
    total = sum(tokens)
    if len(tokens) == len(uses) and total and all(tokens):
        return [count / total for count in tokens]
    return [1 / len(uses)] * len(uses)


def _said_shares(said: list[float], count: int) -> list[float]:
    if len(said) != count:
        raise InvalidInput(
            f"share: said of {len(said)} of {count} skills; expected all or none"
        )
    for share in said:
        value = checks.number("share", share, most=1)
        if not value:
            raise checks.wrong("share", share, "a number above 0, at most 1")
    if abs(math.fsum(said) - 1) > _TOLERANCE:
        raise checks.wrong("share", math.fsum(said), "shares that sum to 1")
    return list(said)


def add_links(store: Store, run: Run, uses: Sequence[SkillUse]) -> list[int]:
    """Write the skills of a run that has none yet, in the caller's transaction.

    Args:
        store: With a transaction open.
        run: Which run.
        uses: As `checked_uses` returns them.

    Returns:
        The ids of the invocations, in the order of the skills.
    """
    if links_of(store, run.id):
        raise Conflict(f"run {run.id}: its skills are on record already")
    cells = _cells(store, run, [(use.name, use.version) for use in uses])
    ids = []
    for place, use in enumerate(uses):
        ids.append(run.id << POSITION_BITS | place)
        cell_id = cells[use.name, use.version]
        store.execute(_SQL["add_invocation"], (ids[-1], cell_id, use.share))
    return ids


def _cells(
    store: Store, run: Run, skills: Iterable[tuple[str, str | None]]
) -> dict[tuple[str, str | None], int]:
    """Return the cells of skills with a run's model, made in one order.

    Else two writers of new skills could wait for each other.
    """
    ordered = sorted(skills, key=lambda each: (each[0], each[1] or ""))
    return {
        (skill, version): cell_id_of(
            store, skill, version=version, model=run.model, provider=run.provider
        )
        for skill, version in ordered
    }


def links_of(store: Store, run_id: int) -> list[Link]:
    """Return the skills of a run, in their order."""
    span = {"first": run_id << POSITION_BITS, "after": (run_id + 1) << POSITION_BITS}
    return [Link(*row) for row in store.query_all(_SQL["invocations_of"], span)]


def move_links(store: Store, run: Run) -> list[Link]:
    """Count the skills of a run for the model that answered; return them."""
    links = links_of(store, run.id)
    cells = _cells(store, run, [(link.skill, link.version) for link in links])
    moved = []
    for link in links:
        cell_id = cells[link.skill, link.version]
        if cell_id != link.cell_id:
            store.execute(_SQL["move_invocation"], {"id": link.id, "cell_id": cell_id})
        moved.append(link._replace(cell_id=cell_id))
    return moved
