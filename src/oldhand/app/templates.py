"""Templates that are kept: choose the best, take them in, give them away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Unpack

from oldhand import settings as _settings
from oldhand.app.starts import scope_and_principal
from oldhand.errors import InvalidInput
from oldhand.experience.best import BestTemplate, Want, best_template_for
from oldhand.experience.pool import Scope, load_pool
from oldhand.experience.shared import general_examples
from oldhand.experience.template import Template, find_template, save_template
from oldhand.experience.template.exchange import template_from_json
from oldhand.experience.template.guard import harmless_examples
from oldhand.experience.warm import DEFAULT_TOKENS
from oldhand.risk import is_risky
from oldhand.sessions.belonging import principal_of
from oldhand.settings import Settings
from oldhand.store import Store

if TYPE_CHECKING:
    from oldhand.app.wishes import ScopeWishes


class Exchanged(NamedTuple):
    """A template that came or goes, and how many examples were left out on the way."""

    template: Template
    left_out: int


def best_template(
    store: Store,
    *,
    task: str = "",
    tokens: int = DEFAULT_TOKENS,
    settings: Settings | None = None,
    **scope: Unpack[ScopeWishes],
) -> BestTemplate:
    """Return the template that helps most, as far as that is known.

    By the benefit that an experiment measured, where its interval leaves out zero; else by
    the share of the calls of this project's sessions whose shape it shows.

    Args:
        store: Where the templates and the sessions are.
        task: What is to be done, in words.
        tokens: What a warm start may take.
        settings: Instead of those that are read.
        **scope: The kind, and which sessions it is measured by; see `ScopeWishes`.

    Raises:
        NotFound: There is no template to choose from.
        InvalidInput: A wish is not one that can be met.
    """
    known = settings or _settings.load()
    chosen, me = scope_and_principal(store, scope, known)
    return best_template_for(store, Want(chosen, task, me, chosen.project, tokens))


def import_template(
    store: Store,
    value: object,
    *,
    name: str | None = None,
    accepts_addendum: bool = False,
    settings: Settings | None = None,
) -> Exchanged:
    """Keep a template that was read from JSON; who imports it stands for it.

    Args:
        store: Where it goes.
        value: What was parsed.
        name: Instead of the one that it has.
        accepts_addendum: Whether its addendum may be shown to sessions.
        settings: Instead of those that are read.

    Returns:
        What was stored, and how many examples of risky or refused calls were left out.

    Raises:
        InvalidInput: It is no template, or none of its examples may be shown.
    """
    known = settings or _settings.load()
    read = template_from_json(value, name=name, accepts_addendum=accepts_addendum)
    me = principal_of(str(Path.cwd()), default=known.principal)
    listed = value.get("examples", ()) if isinstance(value, dict) else ()
    stored = save_template(store, read._replace(principal=me))
    return Exchanged(stored, len(listed) - len(read.examples))


def export_template(store: Store, label: str, *, generalise: bool = True) -> Exchanged:
    """Return a template as it may be given away.

    Args:
        store: Where it is.
        label: A name or `name@version`.
        generalise: Whether what only one session said gives way to placeholders; not,
            where it goes to another machine of one's own.

    Returns:
        The template, and how many examples cannot be given away.

    Raises:
        NotFound: There is no such template.
        InvalidInput: None of its examples can be given away.
    """
    found = find_template(store, label)
    examples = harmless_examples(found.examples, is_risky=is_risky)
    if generalise:
        examples = general_examples(store, load_pool(store, Scope()), examples)
    if not examples:
        raise InvalidInput(
            f"none of {len(found.examples)} examples of {found.label} can be given away "
            "without what only one session said; --keep-literals gives them as they are"
        )
    return Exchanged(
        found._replace(examples=examples), len(found.examples) - len(examples)
    )
