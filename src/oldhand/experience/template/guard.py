"""Which examples of a template may be given, and how: looked at when it comes, and again.

A template may have been made before a rule was made stricter, by another program, or by
somebody else. So its calls are weighed on import and each time it is given, and to another
principal than its maker it is given as all calls of others are: what two principals did,
without what only one session said.
"""

from __future__ import annotations

from collections.abc import Iterable

from oldhand.counted import counted
from oldhand.errors import InvalidInput
from oldhand.experience.example import Example
from oldhand.experience.guard.owners import LEAST_PRINCIPALS, LEAST_SESSIONS
from oldhand.experience.guard.taint import is_tainted
from oldhand.experience.harmless import IsRisky
from oldhand.experience.shared import for_others
from oldhand.experience.template.model import Template
from oldhand.sessions.arguments import arguments_in

_NOT_DONE = frozenset({"blocked", "cancelled", "pending"})


def harmless_examples(
    examples: Iterable[Example], *, is_risky: IsRisky
) -> tuple[Example, ...]:
    """Return the examples that may be shown, results of untrusted tools left out.

    Those that were refused or never ran are left out, and those that are risky.
    """
    return tuple(
        _without_taint(example)
        for example in examples
        if example.outcome not in _NOT_DONE
        and not is_risky(example.tool, arguments_in(example.arguments))
    )


def examples_to_give(
    template: Template, *, principal: str | None, is_risky: IsRisky
) -> tuple[Example, ...]:
    """Return a template's examples as a principal may be given them.

    Args:
        template: Any.
        principal: Who is given them; None where that is not known.
        is_risky: Which calls are never shown.

    Raises:
        InvalidInput: None of them may be given.
    """
    examples = harmless_examples(template.examples, is_risky=is_risky)
    if template.examples and not examples:
        raise InvalidInput(
            f"of {counted(len(template.examples), 'example')} of {template.label} none may "
            "be shown: each is risky, or was refused"
        )
    if principal is None or template.principal in {None, principal}:
        return examples
    general = tuple(
        made
        for example in examples
        if example.support >= LEAST_SESSIONS
        and example.principals >= LEAST_PRINCIPALS
        and (made := for_others(example, _nothing_is_known)) is not None
    )
    if examples and not general:
        raise InvalidInput(
            f"{template.label} is a template of {template.principal}, and none of its "
            f"{counted(len(examples), 'example')} was made by two principals; build one of your own"
        )
    return general


def _without_taint(example: Example) -> Example:
    if not is_tainted(example.tool, arguments_in(example.arguments)):
        return example
    return example._replace(result="", is_tainted=True)


def _nothing_is_known(_literal: str) -> bool:
    return False
