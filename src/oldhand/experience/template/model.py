"""A template: a named, immutable, versioned set of examples."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from oldhand.canonical_json import digest
from oldhand.errors import InvalidInput
from oldhand.experience.example import Example
from oldhand.experience.kind import Kind
from oldhand.lazy_pattern import LazyPattern

_NAME = LazyPattern(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_MAX_TAGS = 20


State = Literal["accepted", "proposed", "retired"]


def state_of(*, is_proposed: bool, retired_at_us: int | None) -> State:
    """Return in which state a version is."""
    if retired_at_us is not None:
        return "retired"
    return "proposed" if is_proposed else "accepted"


class Template(NamedTuple):
    """A named set of examples; a change makes a new version.

    Attributes:
        name: Letters, digits, `-` and `_`, at most 64, so that no path hides in it.
        version: From 1; 0 while it is not stored.
        kind: The task type that it is for; None for any.
        description: For people.
        task: What it was chosen for, in words; "" for anything.
        tags: For finding it, sorted.
        addendum: Words of its maker, shown before the examples.
        has_foreign_addendum: Whether they are somebody else's, and nobody here has said
            that they may be shown: then they are not.
        coverage: The share of the pool's calls whose shape it shows, 0 to 1; None where
            it was not chosen from a pool.
        session_count: How many sessions it was chosen from.
        created_at_us: Microseconds since 1970-01-01 UTC; 0 while it is not stored.
        examples: In the order in which they are shown.
        is_proposed: An agent made it, and no person has accepted it: it is not given.
        retired_at_us: Since when it is not given any more; None where it is.
        successor: What is given in its place, a name or `name@version`; None: nothing.
        principal: Its maker, who built or imported it; None where unknown.
    """

    name: str
    version: int = 0
    kind: Kind | None = None
    description: str = ""
    task: str = ""
    tags: tuple[str, ...] = ()
    addendum: str = ""
    has_foreign_addendum: bool = False
    coverage: float | None = None
    session_count: int = 0
    created_at_us: int = 0
    examples: tuple[Example, ...] = ()
    is_proposed: bool = False
    retired_at_us: int | None = None
    successor: str | None = None
    principal: str | None = None

    @property
    def digest(self) -> str:
        """Name what it shows by its content, in 64 hexadecimal digits."""
        shown = [example._asdict() for example in self.examples]
        words = [self.kind, self.description, self.task, list(self.tags), self.addendum]
        return digest([words, shown])

    @property
    def shown_addendum(self) -> str:
        """The addendum where it is shown to sessions, else ""."""
        return "" if self.has_foreign_addendum else self.addendum

    @property
    def state(self) -> State:
        """Whether it is given: only where it is `accepted`."""
        return state_of(is_proposed=self.is_proposed, retired_at_us=self.retired_at_us)

    @property
    def label(self) -> str:
        """Its name with its version, as `review@2`."""
        return f"{self.name}@{self.version}"

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it; `from_json` reads it back."""
        return {
            "name": self.name,
            "version": self.version,
            "kind": self.kind,
            "description": self.description,
            "task": self.task,
            "tags": list(self.tags),
            "addendum": self.addendum,
            "has_foreign_addendum": self.has_foreign_addendum,
            "coverage": self.coverage,
            "session_count": self.session_count,
            "created_at_us": self.created_at_us,
            "digest": self.digest,
            "state": self.state,
            "successor": self.successor,
            "principal": self.principal,
            "examples": [example._asdict() for example in self.examples],
        }


def check_name(name: str) -> str:
    """Return a template's name.

    Raises:
        InvalidInput: It holds anything but letters, digits, `-` and `_`.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name!r} is no template name; expected 1 to 64 letters, digits, - or _, "
            "beginning with a letter or digit"
        )
    return name


def check_tags(tags: object) -> tuple[str, ...]:
    """Return tags sorted, each once.

    Raises:
        InvalidInput: They are no strings of 1 to 64 characters, or more than 20.
    """
    if not isinstance(tags, (list, tuple)) or len(tags) > _MAX_TAGS:
        raise InvalidInput(f"tags are {tags!r}; expected at most {_MAX_TAGS} strings")
    for tag in tags:
        if not isinstance(tag, str) or not 1 <= len(tag) <= 64:  # noqa: PLR2004
            raise InvalidInput(f"{tag!r} is no tag; expected 1 to 64 characters")
    return tuple(sorted(set(tags)))
