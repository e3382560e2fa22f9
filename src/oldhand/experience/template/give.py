"""A template as it is given to one session."""

from __future__ import annotations

from collections.abc import Mapping

from oldhand.errors import InvalidInput
from oldhand.experience.example import Example
from oldhand.experience.guard.tool_definitions import ToolDefinition, is_stale
from oldhand.experience.harmless import IsRisky
from oldhand.experience.pool import Scope, load_pool
from oldhand.experience.shared import general_examples
from oldhand.experience.template.guard import examples_to_give
from oldhand.experience.template.model import Template
from oldhand.experience.template.state import template_to_give
from oldhand.store import Store


def template_source(
    store: Store,
    label: str,
    *,
    principal: str | None,
    definitions: Mapping[str, ToolDefinition] | None,
    generalises: bool,
    is_risky: IsRisky,
) -> tuple[Template, tuple[Example, ...], str]:
    """Return the template that a label stands for, what is given of it, and a note.

    Args:
        store: Where it is.
        label: A name or `name@version`.
        principal: Who is given it; None where unknown.
        definitions: The session's tools by name, where their definitions are at hand.
        generalises: Whether what only one session said gives way to placeholders.
        is_risky: Which calls are never shown.

    Raises:
        NotFound: There is no such template.
        Conflict: It is a proposal, or retired without a successor.
        InvalidInput: None of its examples may be given.
    """
    kept, note = template_to_give(store, label)
    examples = examples_to_give(kept, principal=principal, is_risky=is_risky)
    if generalises:
        examples = general_examples(store, load_pool(store, Scope()), examples)
    if definitions is None:
        return kept, examples, note
    fitting = tuple(e for e in examples if not is_stale(e, definitions))
    if examples and not fitting:
        raise InvalidInput(
            f"all {len(examples)} examples of {kept.label} are of tools that have "
            "changed since; build it anew"
        )
    return kept, fitting, note
