"""What providers ask of a list of messages: each rule once, as data.

The renderers write by these rules, `lint` finds where a list breaks them, and `mend`
repairs it. `openai` is Chat Completions and what is compatible with it, `anthropic` is
Messages, `mistral` its API and its chat template, and `strict` the chat templates of
open models (Qwen, Gemma, Llama) as vLLM, llama.cpp and Ollama run them: a system message
only first, and turns that alternate.

An id that is repeated in a later turn is taken by OpenAI itself, and refused by others
that speak its language (Mistral, DeepSeek, the Responses form): so it counts as broken.

Gemini and Bedrock have shapes of their own, which no importer of ours writes; behind an
OpenAI-compatible door, `strict` holds for them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, NoReturn

from oldhand.lazy_pattern import LazyPattern

LintTarget = Literal["openai", "anthropic", "mistral", "strict"]
Message = dict[str, Any]
Wanted = type | Mapping[str, Any]

SYSTEM_ROLES = ("system", "developer")
NO_OUTPUT = "(no output)"
NO_REQUEST = "(What was asked is not on record.)"
NO_RESULT = "(No result is on record.)"
NO_ANSWER = "(What was answered is not on record.)"
UNNAMED_TOOL = "unknown_tool"
UNPARSED_KEY = "unparsed"

TOOL_NAME = LazyPattern(r"[a-zA-Z0-9_-]{1,64}")
TOOL_NAME_WORDS = "1 to 64 of the characters a-z A-Z 0-9 _ -"

REMEDIES = MappingProxyType(
    {
        "json": "write it as JSON has it: no NaN, and no library's object",
        "message": "write an object with a role and a content",
        "role": "name one of the roles that this target knows",
        "system-place": "put it first, or write it into the user's next turn",
        "keys": "leave the key out",
        "shape": "write calls and results in the form of this target",
        "content": "give text or a list of parts, or leave the message out",
        "part": "give a part that this role may hold, with all that it needs",
        "thinking": "leave the block out: a signature cannot be made",
        "call": "write it as the target asks, with an id, a name and arguments",
        "tool-name": f"rename it to {TOOL_NAME_WORDS}",
        "arguments": "write an object",
        "call-id": "give another id, to the call and to its result",
        "repeated-id": "give each call an id of its own, and its result the same",
        "unanswered": "put its result right after the call, or say that there is none",
        "orphan": "leave it out, or put back the call that it answers",
        "results-first": "put all results before anything else of the turn",
        "alternation": "join the two turns, or put the missing turn between them",
        "user-first": "begin with a user's message",
    }
)

_TEXT: Mapping[str, Wanted] = {"text": {"text": str}}
_OPENAI_USER: Mapping[str, Wanted] = {
    **_TEXT,
    "image_url": {"image_url": {"url": str}},
    "input_audio": {"input_audio": {"data": str, "format": str}},
    "file": {"file": {}},
}
_OPENAI_ASSISTANT: Mapping[str, Wanted] = {**_TEXT, "refusal": {"refusal": str}}
_ANTHROPIC_RESULT: Mapping[str, Wanted] = {
    **_TEXT,
    "image": {"source": {"type": str}},
    "document": {"source": {"type": str}},
    "search_result": {"content": list, "source": str, "title": str},
    "tool_reference": {"tool_name": str},
}
_SERVER_RESULTS = (
    "bash_code_execution_tool_result",
    "code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "web_fetch_tool_result",
    "web_search_tool_result",
)

RESULT = "result"
"""Stands beside the roles: the parts that a result may hold where it is a block."""


class Rules(NamedTuple):
    """What one target asks.

    Attributes:
        parts: By role, the parts that a content may hold, and what each needs.
        blocks: Calls and results are blocks of a content, as Anthropic has them.
        call_id: What an id has to look like.
        call_id_words: The same, for people.
        system: Where a system message may stand.
        alternate: After the system message a user's and an assistant's turn alternate.
        user_first: The first message after it is a user's.
        takes_blank: A text of nothing but white space is taken.
        custom_calls: Calls whose input is free text are taken.
        only_keys: By role, the keys beside `role` and `content` that are taken; None
            where others are passed over.
    """

    parts: Mapping[str, Mapping[str, Wanted]]
    call_id: LazyPattern
    call_id_words: str
    blocks: bool = False
    system: Literal["anywhere", "first", "outside"] = "anywhere"
    alternate: bool = False
    user_first: bool = False
    takes_blank: bool = False
    custom_calls: bool = False
    only_keys: Mapping[str, frozenset[str]] | None = None


_OPENAI = Rules(
    parts={
        "system": _TEXT,
        "developer": _TEXT,
        "user": _OPENAI_USER,
        "assistant": _OPENAI_ASSISTANT,
        "tool": _TEXT,
    },
    call_id=LazyPattern(r"[\s\S]{1,40}"),
    call_id_words="1 to 40 characters",
    takes_blank=True,
    custom_calls=True,
)
_STRICT = Rules(
    parts={role: parts for role, parts in _OPENAI.parts.items() if role != "developer"},
    call_id=_OPENAI.call_id,
    call_id_words=_OPENAI.call_id_words,
    system="first",
    alternate=True,
    user_first=True,
)
_MISTRAL = _STRICT._replace(
    call_id=LazyPattern(r"[a-zA-Z0-9]{9}"),
    call_id_words="exactly nine of the characters a-z A-Z 0-9",
    only_keys={
        "system": frozenset(),
        "user": frozenset(),
        "assistant": frozenset(("tool_calls", "prefix")),
        "tool": frozenset(("tool_call_id", "name")),
    },
)
_ANTHROPIC = Rules(
    parts={
        "user": {
            **_ANTHROPIC_RESULT,
            "container_upload": {"file_id": str},
            "tool_result": {},
        },
        "assistant": {
            **_TEXT,
            "thinking": {"thinking": str, "signature": str},
            "redacted_thinking": {"data": str},
            "tool_use": {},
            "server_tool_use": {"id": str, "name": str, "input": dict},
            **{kind: {"tool_use_id": str} for kind in _SERVER_RESULTS},
        },
        RESULT: _ANTHROPIC_RESULT,
    },
    call_id=LazyPattern(r"[a-zA-Z0-9_-]{1,64}"),
    call_id_words="1 to 64 of the characters a-z A-Z 0-9 _ -",
    blocks=True,
    system="outside",
    user_first=True,
    only_keys={"user": frozenset(), "assistant": frozenset()},
)
RULES: Mapping[LintTarget, Rules] = MappingProxyType(
    {
        "openai": _OPENAI,
        "anthropic": _ANTHROPIC,
        "mistral": _MISTRAL,
        "strict": _STRICT,
    }
)
LINT_TARGETS = tuple(RULES)

# Of a key that a target only passes on, the library's own types still ask this much.
KEY_TYPES: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {"name": (str,), "refusal": (str, type(None)), "prefix": (bool,)}
)
CALL_KEYS = frozenset(("id", "type", "function", "index"))
# What an assistant may say instead of a content and calls, in OpenAI's form.
SAID_OTHERWISE = ("function_call", "refusal", "audio")


def fits(value: object, wanted: Wanted) -> bool:
    """Say whether a JSON value is of a type, or an object that has all that is wanted.

    Example:
        >>> fits({"url": "x", "detail": 1}, {"url": str})
        True
    """
    if isinstance(wanted, type):
        return isinstance(value, wanted)
    return isinstance(value, dict) and all(
        fits(value.get(key), inner) for key, inner in wanted.items()
    )


def is_blank(text: str, rules: Rules) -> bool:
    """Say whether a text is one that the target refuses for saying nothing."""
    return not rules.takes_blank and not text.strip()


def parsed_arguments(text: object) -> dict[str, Any] | None:
    """Read the text of a call's arguments.

    Returns:
        The object; None where it is no JSON text, or not that of an object.
    """
    if not isinstance(text, str):
        return None
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
