"""How often a template was given, and in which arm of an experiment."""

from __future__ import annotations

from typing import Any, NamedTuple

from oldhand.clock import to_iso
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience")
OUTSIDE = "outside"
"""In the place of an arm: given in no experiment."""


class TemplateUses(NamedTuple):
    """The uses of one version.

    Attributes:
        by_arm: How often, by arm; `outside` of any experiment.
        last_us: When last; None where never.
    """

    by_arm: dict[str, int]
    last_us: int | None

    @property
    def given(self) -> int:
        """How often in all."""
        return sum(self.by_arm.values())

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        last = None if self.last_us is None else to_iso(self.last_us)
        return {"given": self.given, "by_arm": self.by_arm, "last_given_at": last}


def template_uses(store: Store, label: str) -> TemplateUses:
    """Return how often a version, `name@version`, was given."""
    rows = store.query_all(_SQL["template_uses_by_arm"], {"template": label})
    return TemplateUses(
        {arm or OUTSIDE: count for arm, count, _ in rows},
        max((last for _, _, last in rows), default=None),
    )
