"""What a warm start is asked for with, and what is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from oldhand.experience.example import Example
from oldhand.experience.pool import Scope
from oldhand.named_tuple import NamedTuple

if TYPE_CHECKING:
    from oldhand.experience.guard.tool_definitions import ToolDefinition

TARGETS = ("text", "openai", "anthropic")
WarmTarget = Literal["text", "openai", "anthropic"]
DEFAULT_TOKENS = 1_500
FEW_SESSIONS = 20
_EXAMPLE_KEYS = (
    "tool",
    "arguments",
    "result",
    "shape",
    "context",
    "support",
    "session",
    "call_id",
)


class WarmRequest(NamedTuple):
    """What is wanted.

    Attributes:
        template: A name or `name@version`; None to choose anew.
        scope: Which sessions may teach, where there is no template.
        task: What the new session is to do; "" where unknown.
        principal: Who starts it.
        project: Where it works.
        target: `text` for one block valid everywhere, else native turns of a provider.
        tokens: What it may take at most, by an estimate that does not count too few.
        max_chars: What its text may have in characters; None for no limit of that kind.
        max_examples: At most so many; None for no limit.
        tools: The tools that the session has; None where unknown.
        session: The uid of the session that it is given to, for the log.
        definitions: Those tools by name, where their definitions are at hand: examples
            that do not fit them are left out.
        generalises: Whether what only one session said gives way to placeholders.
    """

    template: str | None = None
    scope: Scope = Scope()
    task: str = ""
    principal: str | None = None
    project: str | None = None
    target: WarmTarget = "text"
    tokens: int = DEFAULT_TOKENS
    max_chars: int | None = None
    max_examples: int | None = None
    tools: frozenset[str] | None = None
    session: str | None = None
    definitions: Mapping[str, ToolDefinition] | None = None
    generalises: bool = False


class WarmStart(NamedTuple):
    """What was rendered, ready for `inject`.

    Attributes:
        template: The label of the template it shows; None where it was chosen anew.
        target: What it was rendered for.
        tokens: What it takes, by an estimate that does not count too few.
        coverage: Share of the past calls whose shape it shows, 0 to 1; None for a
            template that was not chosen from a pool.
        sessions: How many sessions it was chosen from.
        newest_us: When the newest of them began; None where that is not known.
        examples: Those that are shown, in order.
        text: The block, where the target is `text`.
        messages: The turns, where it is not.
        is_logged: False where the database can only be read.
        note: What a person should know of the template that was asked for; "" else.
    """

    template: str | None
    target: WarmTarget
    tokens: int
    coverage: float | None
    sessions: int
    newest_us: int | None
    examples: tuple[Example, ...]
    text: str | None = None
    messages: list[dict[str, Any]] | None = None
    is_logged: bool = True
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it, with the documented keys."""
        shown = [
            {key: getattr(example, key) for key in _EXAMPLE_KEYS}
            for example in self.examples
        ]
        rendered = (
            {"messages": self.messages} if self.text is None else {"text": self.text}
        )
        return {
            "template": self.template,
            "tokens": self.tokens,
            "coverage": self.coverage,
            "examples": shown,
            **rendered,
        }
