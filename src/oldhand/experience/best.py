"""The best template for a kind of work or for a task.

By measured benefit where there is any, else by how much of what the user's own sessions
did it shows. How often a template was given says nothing of how good it is, and is not
looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from oldhand.errors import InvalidInput, NotFound
from oldhand.experience.benefit import Benefit, measured_benefits
from oldhand.experience.candidates import Levels, Task
from oldhand.experience.example import Example
from oldhand.experience.harmless import IsRisky
from oldhand.experience.pool import LoadedPool, Scope, load_pool
from oldhand.experience.relevance import words_of
from oldhand.experience.render import fit_text
from oldhand.experience.select import shape_shares
from oldhand.experience.template.guard import examples_to_give
from oldhand.experience.template.model import Template
from oldhand.experience.template.rows import find_template, list_templates
from oldhand.experience.warm import DEFAULT_TOKENS
from oldhand.risk import is_risky as _is_risky
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.shape import shape_of
from oldhand.store import Store
from oldhand.tokens import estimate


class BestTemplate(NamedTuple):
    """A template, and why it is thought to be the best.

    Attributes:
        template: The version.
        by: `benefit`, which an experiment measured, or `coverage`.
        coverage: Share of the calls of the sessions looked at, weighted for this task,
            whose shape it shows within the tokens of a warm start, 0 to 1.
        sessions: How many sessions were looked at.
        benefit: What the experiment showed; None where none is decided.
    """

    template: Template
    by: Literal["benefit", "coverage"]
    coverage: float
    sessions: int
    benefit: Benefit | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {
            "template": self.template.label,
            "by": self.by,
            "coverage": self.coverage,
            "sessions": self.sessions,
            "benefit": None if self.benefit is None else self.benefit._asdict(),
        }


class Want(NamedTuple):
    """What a template is wanted for.

    Attributes:
        scope: The sessions by which coverage is measured; its kind is the kind wanted.
        task: What is to be done, in words; "" where unknown.
        principal: Who starts the session.
        project: Where it works.
        tokens: What the warm start may take.
    """

    scope: Scope
    task: str = ""
    principal: str | None = None
    project: str | None = None
    tokens: int = DEFAULT_TOKENS


def best_template_for(
    store: Store,
    want: Want,
    *,
    benefits: Mapping[str, Benefit] | None = None,
    is_risky: IsRisky = _is_risky,
) -> BestTemplate:
    """Choose among the templates that are given: accepted, not retired, of the kind.

    A template with a measured benefit goes before all others, the one that helps most at
    the least; one that was measured to harm is not chosen. Else coverage decides.

    Args:
        store: Where the templates and the sessions are.
        want: What it is wanted for.
        benefits: What is decided, by label; by default what experiments here measured.
        is_risky: Which calls are never shown.

    Raises:
        NotFound: There is no template to choose from.
    """
    candidates = _given(store, want.scope.kind)
    if not candidates:
        kind = f" for {want.scope.kind}" if want.scope.kind else ""
        raise NotFound(
            f"no template{kind} is given",
            advice="`oldhand template build` makes one",
        )
    loaded = load_pool(store, want.scope)
    if not loaded.pool.sessions:
        # Nothing was done here yet: what was done anywhere says more than nothing.
        loaded = load_pool(store, want.scope._replace(project=None))
    benefits = measured_benefits(store) if benefits is None else benefits
    shares = shape_shares(
        loaded.pool.sessions,
        Task(words_of(want.task), want.principal, want.project),
    )
    found = []
    for template in candidates:
        benefit = benefits.get(template.label)
        if benefit is not None and not benefit.helps:
            continue
        shown = _shown(template, want, is_risky)
        found.append(
            BestTemplate(
                template,
                "coverage" if benefit is None else "benefit",
                _coverage(shown, loaded, shares),
                len(loaded.pool.sessions),
                benefit,
            )
        )
    if not found:
        raise NotFound(
            f"all {len(candidates)} templates were measured to do harm; build another"
        )
    return min(found, key=_rank)


def _rank(one: BestTemplate) -> tuple[float, float, str]:
    return (
        0.0 if one.benefit is None else one.benefit.high,
        -one.coverage,
        one.template.name,
    )


def _given(store: Store, kind: str | None) -> list[Template]:
    """Return of each name the newest version that is given."""
    newest: dict[str, int] = {}
    for item in list_templates(store):
        if item.state == "accepted" and item.version > newest.get(item.name, 0):
            newest[item.name] = item.version
    found = [find_template(store, f"{name}@{newest[name]}") for name in sorted(newest)]
    return [one for one in found if kind is None or one.kind in {None, kind}]


def _shown(template: Template, want: Want, is_risky: IsRisky) -> tuple[Example, ...]:
    """Return the examples that a warm start would show."""
    try:
        examples = examples_to_give(
            template, principal=want.principal, is_risky=is_risky
        )
        _, _, kept = fit_text(
            examples,
            budget_tokens=want.tokens,
            estimate=estimate,
            addendum=template.shown_addendum,
        )
    except InvalidInput:  # nothing of it would be shown
        return ()
    return kept


def _coverage(
    shown: Sequence[Example], loaded: LoadedPool, shares: dict[int, float]
) -> float:
    shapes = {
        (example.tool, shape_of(example.tool, arguments_in(example.arguments)).shape)
        for example in shown
    }
    return sum(
        share
        for shape_id, share in shares.items()
        if _of(loaded.pool.levels[shape_id]) in shapes
    )


def _of(levels: Levels) -> tuple[str, str]:
    return str(levels[0]), str(levels[2])
