"""Keep as many examples as a budget of tokens takes, counted as they are written.

What an example costs shows only in the rendered whole: a context that two examples share
is written once, and a tokenizer counts over the seams. So every choice is measured by
rendering it. Results are shortened first, in steps; an example is dropped when it does
not fit with the first 200 characters of every result.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from oldhand.canonical_json import canonical_json
from oldhand.errors import InvalidInput
from oldhand.experience.example import Example
from oldhand.experience.render.text import (
    DEFAULT_RESULT_CHARS,
    MIN_RESULT_CHARS,
    check_result_chars,
    render_text,
)
from oldhand.named_tuple import NamedTuple
from oldhand.tokens import estimate as estimate_tokens

if TYPE_CHECKING:
    from oldhand.experience.render.messages import Target
    from oldhand.experience.render.rules import Message

_STEP_CHARS = 50

Estimate = Callable[[str], int]
Rendering = TypeVar("Rendering")


class Fitted(NamedTuple, Generic[Rendering]):
    """What fits into a budget of tokens."""

    rendered: Rendering
    tokens: int
    """At most the budget, by the estimate."""
    kept: tuple[Example, ...]
    """The examples that are shown, in their order."""


def fit(
    examples: Sequence[Example],
    *,
    budget_tokens: int,
    render: Callable[[Sequence[Example], int], Rendering],
    measure: Callable[[Rendering], int],
    result_chars: int = DEFAULT_RESULT_CHARS,
) -> Fitted[Rendering]:
    """Render the examples that fit, those that come first before the others.

    An example that does not fit is passed over, and the next one is tried.

    Args:
        examples: The preferred ones first.
        budget_tokens: What the rendering may take.
        render: Given examples and how many characters of a result to show.
        measure: How many tokens a rendering takes.
        result_chars: The most characters of a result to show, 200 or more.

    Raises:
        InvalidInput: `result_chars` is below 200, or the budget does not take even the
            rendering of no examples.
    """
    check_result_chars(result_chars)
    least = render((), MIN_RESULT_CHARS)
    if (tokens := measure(least)) > budget_tokens:
        raise InvalidInput(
            f"the budget is {budget_tokens} tokens, expected {tokens} or more:"
            " that much is taken before the first example"
        )
    best = Fitted(least, tokens, ())

    def attempt(kept: tuple[Example, ...], chars: int) -> Fitted[Rendering] | None:
        rendered = render(kept, chars)
        tokens = measure(rendered)
        return Fitted(rendered, tokens, kept) if tokens <= budget_tokens else None

    for example in examples:
        best = attempt((*best.kept, example), MIN_RESULT_CHARS) or best
    for chars in range(result_chars, MIN_RESULT_CHARS, -_STEP_CHARS):
        if longer := attempt(best.kept, chars):
            return longer
    return best


def fit_text(
    examples: Sequence[Example],
    *,
    budget_tokens: int,
    estimate: Estimate = estimate_tokens,
    addendum: str = "",
    result_chars: int = DEFAULT_RESULT_CHARS,
    max_chars: int | None = None,
) -> Fitted[str]:
    """Render the examples that fit as one block of text.

    Args:
        examples: The preferred ones first; they are shown in this order.
        budget_tokens: What the whole block may take.
        estimate: How many tokens a text takes.
        addendum: As for `render_text`; it comes before every example.
        result_chars: As for `fit`.
        max_chars: What the whole block may have in characters, where the runtime sets a
            limit of its own: Claude Code shows a hook's text whole up to 10,000.

    Raises:
        InvalidInput: As for `fit`.
    """
    limit = float("inf") if max_chars is None else max_chars

    def measure(text: str) -> int:
        tokens = estimate(text) if text else 0
        return tokens if len(text) <= limit else max(tokens, budget_tokens + 1)

    def render(kept: Sequence[Example], chars: int) -> str:
        return render_text(kept, addendum=addendum, result_chars=chars)

    return fit(
        examples,
        budget_tokens=budget_tokens,
        render=render,
        measure=measure,
        result_chars=result_chars,
    )


def fit_messages(
    examples: Sequence[Example],
    *,
    budget_tokens: int,
    target: Target,
    tools: Collection[str] | None,
    estimate: Estimate = estimate_tokens,
    result_chars: int = DEFAULT_RESULT_CHARS,
) -> Fitted[list[Message]]:
    """Render the examples that fit as native turns, counted as their JSON text.

    Args:
        examples: The preferred ones first; they are shown in this order.
        budget_tokens: What the turns may take.
        target: As for `render_messages`.
        tools: As for `sendable`, whose drops are passed over.
        estimate: How many tokens a text takes.
        result_chars: As for `fit`.

    Raises:
        InvalidInput: As for `fit`.
    """
    # A start as text needs nothing of it.
    from oldhand.experience.render.messages import (  # noqa: PLC0415
        render_messages,
        sendable,
    )

    def measure(messages: list[Message]) -> int:
        return estimate(canonical_json(messages)) if messages else 0

    def render(kept: Sequence[Example], chars: int) -> list[Message]:
        return render_messages(kept, target=target, tools=tools, result_chars=chars)

    return fit(
        sendable(examples, tools=tools).examples,
        budget_tokens=budget_tokens,
        render=render,
        measure=measure,
        result_chars=result_chars,
    )
