"""Random histories, as agents, proxies and crashes leave them: most of them broken."""

from __future__ import annotations

import copy
import json
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Message = dict[str, Any]

WORDS = st.sampled_from(
    ["run the tests", "hello", "a\nb", "é漢", "\ud800x", "{", "yes"]
)
BLANKS = st.sampled_from(["", " ", "\n"])
TEXTS = st.one_of(WORDS, WORDS, BLANKS)
IDS = st.one_of(
    st.sampled_from(
        ["a", "call_1", "abcdefghi", "toolu_01", "x y", "", "z" * 41, "é" * 9]
    ),
    st.sampled_from([None, 7]),
)
NAMES = st.sampled_from(
    ["Bash", "Read", "mcp.srv/tool", "", "n" * 65, "read file", None, 3]
)
ARGUMENTS = st.sampled_from(
    [
        "{}",
        '{"b":1,"a":2}',
        "",
        "not json",
        "[1]",
        '{"a":NaN}',
        '{"a":',
        "null",
        None,
        5,
        {"path": "a.py"},
        ["x"],
        "[" * 9999,
    ]
)
IMAGE = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
PICTURE = {"type": "image", "source": {"type": "url", "url": "https://example.org/a"}}
OTHER_PARTS = st.sampled_from(
    [
        IMAGE,
        PICTURE,
        {"type": "image_url"},
        {"type": "input_text", "text": "typed"},
        {"type": "thinking", "thinking": "hm"},
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "thinking", "thinking": "hm", "signature": "EqQB"},
        {"type": "redacted_thinking", "data": "abc"},
        {"type": "refusal", "refusal": "no"},
        {"type": "file"},
        {"type": ["text"]},
        {"text": "no type"},
        {},
        "bare words",
        None,
        4,
    ]
)
TEXT_PARTS = st.builds(lambda text: {"type": "text", "text": text}, TEXTS)
TOOL_USES = st.builds(
    lambda i, name, given: {"type": "tool_use", "id": i, "name": name, "input": given},
    IDS,
    NAMES,
    ARGUMENTS,
)


def _tool_result(call_id: object, content: object) -> Message:
    result = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return {key: value for key, value in result.items() if value != "absent"}


TOOL_RESULTS = st.builds(
    _tool_result,
    IDS,
    st.one_of(TEXTS, st.none(), st.just("absent"), st.lists(TEXT_PARTS | OTHER_PARTS)),
)
PARTS = st.one_of(TEXT_PARTS, TEXT_PARTS, OTHER_PARTS, TOOL_USES, TOOL_RESULTS)
CONTENTS = st.one_of(
    TEXTS, TEXTS, st.none(), st.lists(PARTS, max_size=4), st.sampled_from([3, {"a": 1}])
)
FUNCTION_CALLS = st.builds(
    lambda i, name, given: {
        "id": i,
        "type": "function",
        "function": {"name": name, "arguments": given},
    },
    IDS,
    NAMES,
    ARGUMENTS,
)
OTHER_CALLS = st.sampled_from(
    [
        {"name": "Bash", "arguments": "{}"},
        {"id": "a", "type": "custom", "custom": {"name": "patch", "input": "free"}},
        {"id": "b", "type": "custom", "custom": {}},
        {"id": "a", "call_id": "a", "type": "function", "function": {"name": "Bash"}},
        {"id": "a", "type": "function", "function": None},
        {},
        None,
        "Bash",
    ]
)
CALL_LISTS = st.one_of(
    st.lists(FUNCTION_CALLS | OTHER_CALLS, max_size=3), st.sampled_from([None, "x"])
)
ROLES = st.sampled_from(
    [
        *["user", "assistant", "tool", "user", "assistant", "tool"],
        *[
            "system",
            "developer",
            "human",
            "ai",
            "function",
            "session_meta",
            "",
            "result",
        ],
        *[None, 5],
    ]
)
OTHER_KEYS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["ada", 5]),
        "refusal": st.sampled_from([None, "no", 3]),
        "reasoning_content": st.just("hm"),
        "timestamp": st.just(1.5),
        "prefix": st.sampled_from([True, "x"]),
    },
)


def _message(role: object, content: object, others: Message) -> Message:
    return {"role": role, "content": content, **others}


ANY_MESSAGES: SearchStrategy[Message] = st.one_of(
    st.builds(_message, ROLES, CONTENTS, OTHER_KEYS),
    st.builds(
        lambda content, calls: {
            "role": "assistant",
            "content": content,
            "tool_calls": calls,
        },
        CONTENTS,
        CALL_LISTS,
    ),
    st.builds(
        lambda i, content: {"role": "tool", "tool_call_id": i, "content": content},
        IDS,
        CONTENTS,
    ),
    st.builds(lambda content: {"role": "user", "content": content}, CONTENTS),
    st.sampled_from([{}, {"role": "user"}, {"content": "nobody's"}]),
)
WILD = st.lists(st.one_of(ANY_MESSAGES, ANY_MESSAGES, WORDS), max_size=9)
GIVEN_WORDS = st.sampled_from(["run the tests", "hello", "a\nb", "é漢", "{"])
GIVEN_NAMES = st.sampled_from(["Bash", "Read", "mcp__srv__tool"])


class Sound(NamedTuple):
    """An exchange as every provider takes it: asked, calls with results, closed."""

    asked: str
    calls: list[tuple[str, str]]
    closed: str


SOUND = st.builds(
    Sound,
    GIVEN_WORDS,
    st.lists(st.tuples(GIVEN_NAMES, st.one_of(GIVEN_WORDS, st.just(""))), max_size=3),
    GIVEN_WORDS,
)


def in_openai_form(exchanges: list[Sound]) -> list[Message]:
    """Write exchanges in OpenAI's form, with ids that Mistral takes."""
    messages: list[Message] = []
    for number, (asked, calls, closed) in enumerate(exchanges):
        ids = [f"call{number:03}{at:02}" for at in range(len(calls))]
        made = [
            {"id": i, "type": "function", "function": {"name": n, "arguments": "{}"}}
            for i, (n, _) in zip(ids, calls, strict=True)
        ]
        messages.append({"role": "user", "content": asked})
        if made:
            messages.append({"role": "assistant", "content": None, "tool_calls": made})
        messages += [
            {"role": "tool", "tool_call_id": i, "content": result}
            for i, (_, result) in zip(ids, calls, strict=True)
        ]
        messages.append({"role": "assistant", "content": closed})
    return messages


def in_anthropic_form(exchanges: list[Sound]) -> list[Message]:
    """Write exchanges in Anthropic's form, with a signed thought before each call."""
    messages: list[Message] = []
    for number, (asked, calls, closed) in enumerate(exchanges):
        ids = [f"toolu_{number}_{at}" for at in range(len(calls))]
        thought = {"type": "thinking", "thinking": "hm", "signature": "EqQB"}
        made = [
            {"type": "tool_use", "id": i, "name": n, "input": {"a": 1}}
            for i, (n, _) in zip(ids, calls, strict=True)
        ]
        answers = [
            {"type": "tool_result", "tool_use_id": i, "content": result}
            for i, (_, result) in zip(ids, calls, strict=True)
        ]
        messages.append({"role": "user", "content": asked})
        if made:
            messages.append({"role": "assistant", "content": [thought, *made]})
            messages.append({"role": "user", "content": answers})
        messages.append({"role": "assistant", "content": closed})
    return messages


SOUND_OPENAI = st.lists(SOUND, max_size=4).map(in_openai_form)
SOUND_ANTHROPIC = st.lists(SOUND, max_size=4).map(in_anthropic_form)


def _damaged(history: list[Message], damages: list[tuple[str, int, Any]]) -> list[Any]:
    broken: list[Any] = copy.deepcopy(history)
    for damage, at, other in damages:
        if not broken:
            return [other]
        place = at % len(broken)
        if damage == "lose":
            del broken[place]
        elif damage == "repeat":
            broken.insert(at * 7 % len(broken), copy.deepcopy(broken[place]))
        elif damage == "move":
            broken.insert(at * 5 % len(broken), broken.pop(place))
        else:
            broken.insert(place, other)
    return broken


DAMAGES = st.lists(
    st.tuples(
        st.sampled_from(["lose", "repeat", "move", "put"]),
        st.integers(0, 40),
        ANY_MESSAGES,
    ),
    max_size=5,
)
DAMAGED = st.builds(_damaged, st.one_of(SOUND_OPENAI, SOUND_ANTHROPIC), DAMAGES)
HISTORIES: SearchStrategy[list[Any]] = st.one_of(WILD, DAMAGED)


def users_texts(messages: list[Any]) -> list[str]:
    """Return every text of a user that says something, in order."""
    texts: list[str] = []
    for message in messages:
        if isinstance(message, str):
            texts.append(message)
            continue
        role = message.get("role")
        if role not in ("user", "human"):
            continue
        content = message.get("content")
        parts = content if isinstance(content, list) else [content]
        for part in parts:
            text = part.get("text") if isinstance(part, dict) else part
            if isinstance(text, str) and text.strip():
                texts.append(text.replace("\ud800", "\ufffd"))
    return [text.replace("\ud800", "\ufffd") for text in texts]


def as_bytes(messages: Any) -> str:
    """Return the exact text of messages, the order of keys included."""
    return json.dumps(messages)
