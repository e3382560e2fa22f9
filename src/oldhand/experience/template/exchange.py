"""Templates as JSON: our own form, and two older ones.

An older form has `task_type` in place of `kind`, and examples with `result` or
`result_summary`. What its makers called a success was never looked at, so their examples
count as `unknown`. So do ours where the digest is not that of the content: somebody
changed it since it was judged. Whatever comes in is a stranger's text: it is checked, cut
and redacted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from oldhand.canonical_json import canonical_json
from oldhand.errors import InvalidInput
from oldhand.experience.colours import uncoloured
from oldhand.experience.example import Example
from oldhand.experience.harmless import IsRisky
from oldhand.experience.kind import check_kind
from oldhand.experience.template.guard import harmless_examples
from oldhand.experience.template.model import Template, check_name, check_tags
from oldhand.redact import redact, redact_json
from oldhand.risk import is_risky as _is_risky
from oldhand.sessions.loose_values import integer_of
from oldhand.sessions.model import OUTCOMES
from oldhand.sessions.shape import shape_of
from oldhand.sessions.storable_text import storable

MAX_EXAMPLES = 500
MAX_RESULT_CHARS = 4_000
_MAX_TEXT_CHARS = 10_000
_MAX_NAME_CHARS = 200
_DIGEST_CHARS = 64
_OLDER_KINDS = {
    "code_heavy": "code",
    "coding": "code",
    "file_heavy": "file",
    "file_ops": "file",
    "research_heavy": "research",
}
_ARGUMENT_KEYS = ("arguments", "args", "tool_args", "tool_arguments")
_NAME_KEYS = ("tool", "tool_name", "name")
_RESULT_KEYS = ("result", "result_summary", "tool_result")


def template_from_json(
    value: object,
    *,
    name: str | None = None,
    accepts_addendum: bool = False,
    is_risky: IsRisky = _is_risky,
) -> Template:
    """Read a template from JSON, in our form or an older one.

    Examples of calls that were refused or are risky are left out, and so are results of
    tools that tell what strangers wrote.

    Args:
        value: What was parsed.
        name: Instead of the one that it has.
        accepts_addendum: Whether its addendum may be shown to sessions: it stands above
            the word that all is data, so somebody here must have read it.
        is_risky: Which calls are never shown.

    Raises:
        InvalidInput: It is no template; the message names the field. Or none of its
            examples may be shown.
    """
    if not isinstance(value, Mapping):
        raise InvalidInput("a template is a JSON object; expected name and examples")
    listed = value.get("examples")
    if not isinstance(listed, list) or not listed:
        raise InvalidInput("examples: expected a list with at least one example")
    if len(listed) > MAX_EXAMPLES:
        raise InvalidInput(f"examples: {len(listed)}; expected at most {MAX_EXAMPLES}")
    template = _template(value, listed, name=name)
    is_foreign = bool(template.addendum) and not accepts_addendum
    template = template._replace(has_foreign_addendum=is_foreign)
    examples = template.examples
    if value.get("digest") != template.digest:
        examples = tuple(map(_unchecked, examples))
    harmless = harmless_examples(examples, is_risky=is_risky)
    if not harmless:
        raise InvalidInput(
            f"examples: all {len(examples)} are of calls that are risky, or were refused"
        )
    return template._replace(examples=harmless)


def _unchecked(example: Example) -> Example:
    """Return an example of which only its maker says how it went."""
    refused = example.outcome in {"blocked", "cancelled"}
    outcome = example.outcome if refused else "unknown"
    return example._replace(outcome=outcome, support=0, principals=0)


def _template(
    value: Mapping[str, Any], listed: list[Any], *, name: str | None
) -> Template:
    kind = value.get("kind") or value.get("task_type")
    return Template(
        name=check_name(name or _text(value, "name")),
        kind=check_kind(_kind_of(kind)),
        description=_text(value, "description"),
        task=_text(value, "task"),
        tags=_tags(value.get("tags") or ()),
        addendum=_text(value, "addendum") or _text(value, "system_prompt_addendum"),
        examples=tuple(_example(item, index) for index, item in enumerate(listed)),
    )


def _kind_of(kind: object) -> str | None:
    if kind is None:
        return None
    word = str(kind).lower()
    return _OLDER_KINDS.get(word, word)


def _tags(tags: object) -> tuple[str, ...]:
    return check_tags([_clean(tag) for tag in check_tags(tags)])


def _example(value: object, index: int) -> Example:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"examples[{index}]: expected an object")
    tool = _clean(_first_text(value, _NAME_KEYS))
    if not tool:
        raise InvalidInput(f"examples[{index}].tool: expected the tool's name")
    arguments = _arguments(value, index)
    result = _clean(_first_text(value, _RESULT_KEYS))
    shape = _text(value, "shape") or shape_of(tool, arguments).flags
    outcome = _text(value, "outcome")
    return Example(
        tool=tool[:_MAX_NAME_CHARS],
        arguments=_written(arguments, index),
        result=result[:MAX_RESULT_CHARS],
        result_chars=max(_count(value.get("result_chars")), len(result)),
        shape=shape[:_MAX_NAME_CHARS],
        context=_clean(_first_text(value, ("context", "user_request")))[:400],
        outcome=outcome if outcome in OUTCOMES else "unknown",
        support=_count(value.get("support")),
        session=_text(value, "session") or _text(value, "source_session_id"),
        call_id=_text(value, "call_id"),
        model=_text(value, "model") or None,
        at_us=_count(value.get("at_us")) or None,
        agent=_text(value, "agent") or None,
        principal=_text(value, "principal") or None,
        tool_digest=_text(value, "tool_digest")[:_DIGEST_CHARS] or None,
        principals=_count(value.get("principals")),
        is_tainted=value.get("is_tainted") is True,
    )


def _arguments(value: Mapping[str, Any], index: int) -> dict[str, Any]:
    given: Any = next((value[key] for key in _ARGUMENT_KEYS if key in value), {})
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError) as fault:
            raise InvalidInput(f"examples[{index}].arguments: {fault}") from fault
    if not isinstance(given, dict):
        raise InvalidInput(f"examples[{index}].arguments: expected an object")
    return given


def _written(arguments: dict[str, Any], index: int) -> str:
    try:
        return storable(canonical_json(redact_json(arguments)))
    except (ValueError, RecursionError) as fault:
        raise InvalidInput(
            f"examples[{index}].arguments: expected finite numbers, nested not too deeply"
        ) from fault


def _first_text(value: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        found = value.get(key)
        if isinstance(found, str) and found:
            return found
        if found and not isinstance(found, str) and key in _RESULT_KEYS:
            return json.dumps(found, ensure_ascii=False)
    return ""


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise InvalidInput(f"{key}: {found!r}; expected a string")
    return _clean(found[:_MAX_TEXT_CHARS])


def _clean(text: str) -> str:
    """Return a stranger's text as it may be stored: redacted, without colours."""
    return redact(uncoloured(storable(text)))


def _count(value: object) -> int:
    return max(integer_of(value) or 0, 0)
