"""Build a template: mine examples and keep them under a name."""

from __future__ import annotations

from collections.abc import Iterable

from oldhand.clock import Clock, system_clock
from oldhand.experience.guard.tool_definitions import with_digests
from oldhand.experience.harmless import IsRisky
from oldhand.experience.mine import Mined, Wish, mine
from oldhand.experience.template.model import Template, check_name, check_tags
from oldhand.experience.template.rows import save_template
from oldhand.ids import new_id
from oldhand.redact import redact
from oldhand.risk import is_risky as _is_risky
from oldhand.store import Store


def build_template_for(  # noqa: PLR0913 - what a template says of itself
    store: Store,
    wish: Wish,
    *,
    name: str | None = None,
    description: str = "",
    tags: Iterable[str] = (),
    addendum: str = "",
    proposed: bool = False,
    maker: str | None = None,
    is_risky: IsRisky = _is_risky,
    clock: Clock = system_clock,
) -> tuple[Template, Mined]:
    """Mine examples for a wish and store them as the next version of a template.

    Args:
        store: Where the sessions are, and where the template goes.
        wish: What the examples are wanted for.
        name: One is made where there is none.
        description: For people.
        tags: For finding it.
        addendum: Shown before the examples.
        proposed: An agent asks for it: it is not given until a person accepts it.
        maker: Who asks for it; by default whose sessions the wish is for.
        is_risky: Which calls are never shown.
        clock: Gives the time of the version.

    Returns:
        The stored template, and what was mined for it.

    Raises:
        InvalidInput: The name or a tag is none.
        NothingToLearn: No session in scope holds a call that may be shown.
    """
    label = check_name(name or f"template-{new_id(clock=clock)[-8:]}")
    checked_tags = check_tags([redact(tag) for tag in tags])
    mined = mine(store, wish, is_risky=is_risky)
    examples = mined.examples
    if wish.definitions is not None:
        examples = with_digests(examples, wish.definitions)
    template = Template(
        name=label,
        kind=wish.scope.kind,
        description=redact(description),
        task=redact(wish.task),
        tags=checked_tags,
        addendum=redact(addendum),
        coverage=mined.coverage,
        session_count=mined.sessions,
        examples=examples,
        is_proposed=proposed,
        principal=maker or wish.principal,
    )
    return save_template(store, template, clock=clock), mined
