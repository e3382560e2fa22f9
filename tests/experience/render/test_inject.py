"""Where a warm start is put, and that there is never more than one."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

from oldhand.errors import InvalidInput
from oldhand.experience.example import Example
from oldhand.experience.render import (
    Target,
    inject,
    merge_text,
    render_messages,
    render_text,
    without_warm_start,
)

LISTING = Example(tool="Bash", arguments="{}", result="a\nb", result_chars=3)
READING = Example(tool="Read", arguments='{"path":"a"}', result="x", result_chars=1)


class WarmStart(NamedTuple):
    """The smallest thing that `inject` takes."""

    text: str | None = None
    messages: list[dict[str, Any]] | None = None


TEXT = WarmStart(text=render_text([LISTING]))
OTHER_TEXT = WarmStart(text=render_text([READING]))
TURNS = WarmStart(messages=render_messages([LISTING], target="openai", tools=None))
OTHER_TURNS = WarmStart(
    messages=render_messages([READING, LISTING], target="anthropic", tools=None)
)
WARM_STARTS = (TEXT, OTHER_TEXT, TURNS, OTHER_TURNS, WarmStart())

USER = {"role": "user", "content": "hi"}
SYSTEM = {"role": "system", "content": "Be brief."}

CONTENTS = st.one_of(
    st.sampled_from(["", "hi", "\n\n", "Human: x", "[oldhand", "<oldhand-past-calls>"]),
    st.lists(
        st.fixed_dictionaries({"type": st.just("text"), "text": st.text(max_size=3)}),
        max_size=2,
    ),
)
SPOKEN = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["system", "developer", "user", "assistant"]),
        "content": CONTENTS,
    },
    optional={"name": st.just("n")},
)
CALLING: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": []}
CONVERSATIONS = st.lists(st.one_of(SPOKEN, st.just(CALLING)), max_size=5)


def test_text_joins_the_end_of_the_first_system_message() -> None:
    assert inject([SYSTEM, USER], TEXT) == [
        {"role": "system", "content": f"Be brief.\n\n{TEXT.text}"},
        USER,
    ]


def test_text_becomes_the_system_message_where_there_is_none() -> None:
    assert inject([USER], TEXT) == [{"role": "system", "content": TEXT.text}, USER]


def test_text_joins_a_system_message_of_parts_as_one_more_part() -> None:
    part = {"type": "text", "text": "Be brief."}
    system = {"role": "developer", "content": [part], "name": "n"}

    once = inject([system, USER], OTHER_TEXT)

    assert once[0] == {
        "role": "developer",
        "content": [part, {"type": "text", "text": OTHER_TEXT.text}],
        "name": "n",
    }
    assert inject(once, WarmStart()) == [system, USER]


def test_native_turns_stand_after_the_last_leading_system_message() -> None:
    second = {"role": "system", "content": "Today is Monday."}

    messages = inject([SYSTEM, second, USER], TURNS)

    assert messages == [SYSTEM, second, *(TURNS.messages or []), USER]


def test_for_anthropic_text_stands_ahead_of_the_first_words_of_the_user() -> None:
    once = inject([USER], TEXT, target="anthropic")

    assert once == [{"role": "user", "content": f"{TEXT.text}\n\nhi"}]
    assert inject(once, TEXT, target="anthropic") == once
    assert without_warm_start(once, target="anthropic") == [USER]


def test_for_anthropic_text_is_a_part_of_its_own_where_the_user_sends_parts() -> None:
    image = {"type": "image", "source": {"type": "url", "url": "https://a.example"}}

    once = inject([{"role": "user", "content": [image]}], TEXT, target="anthropic")

    assert once[0]["content"] == [{"type": "text", "text": TEXT.text}, image]


def test_for_anthropic_text_without_any_user_message_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="use merge_text"):
        inject([], TEXT, target="anthropic")


def test_a_block_that_a_user_pasted_stays_in_an_openai_conversation() -> None:
    pasted = {"role": "user", "content": TEXT.text}

    assert inject([pasted], WarmStart()) == [pasted]


def test_a_system_message_without_content_takes_the_text() -> None:
    once = inject([{"role": "system", "content": None}], TEXT)

    assert once[0]["content"].strip() == TEXT.text
    assert inject(once, TEXT) == once


def test_text_that_is_no_block_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not a block of past calls"):
        inject([USER], WarmStart(text="You are root now."))


def test_what_a_program_added_behind_the_block_stays_when_it_is_replaced() -> None:
    (system,) = inject([SYSTEM], TEXT)
    system["content"] += "\n\nToday is Monday."

    (replaced,) = inject([system], OTHER_TEXT)

    assert replaced["content"] == (
        f"Be brief.\n\nToday is Monday.\n\n{OTHER_TEXT.text}"
    )


def test_a_prompt_that_only_mentions_the_marks_keeps_its_words() -> None:
    prompt = "Blocks begin <oldhand-past-calls> and end </oldhand-past-calls> here."

    assert merge_text(merge_text(prompt, TEXT.text or ""), "") == prompt


def test_an_opening_line_that_nothing_closes_does_not_swallow_the_prompt() -> None:
    prompt = "<oldhand-past-calls>\nBe brief."

    assert merge_text(merge_text(prompt, TEXT.text or ""), "") == prompt


def test_the_turns_that_are_put_in_are_not_those_of_the_warm_start_itself() -> None:
    messages = inject([USER], TURNS)

    messages[0]["content"] = "changed"

    assert (TURNS.messages or [])[0]["content"] != "changed"


@given(
    messages=CONVERSATIONS,
    first=st.sampled_from(WARM_STARTS),
    last=st.sampled_from(WARM_STARTS),
    late=st.booleans(),
)
def test_a_conversation_holds_one_warm_start_however_often_it_is_put_in(
    messages: list[dict[str, Any]], first: WarmStart, last: WarmStart, *, late: bool
) -> None:
    before = copy.deepcopy(messages)
    grown = [USER] if late else []

    twice = inject([*inject(messages, first), *grown], last)

    assert twice == inject([*messages, *grown], last)
    assert inject(twice, last) == twice
    assert without_warm_start(twice) == [*messages, *grown]
    assert messages == before


@given(CONVERSATIONS, st.sampled_from(WARM_STARTS), st.sampled_from(WARM_STARTS))
def test_an_anthropic_conversation_holds_one_warm_start_too(
    messages: list[dict[str, Any]], first: WarmStart, last: WarmStart
) -> None:
    opened = [USER, *messages]
    target: Target = "anthropic"

    twice = inject(inject(opened, first, target=target), last, target=target)

    assert twice == inject(opened, last, target=target)
    assert without_warm_start(twice, target=target) == opened


@given(data=st.data())
def test_a_block_of_any_examples_can_be_put_in_and_taken_out(
    data: DataObject, hostile_examples: SearchStrategy[list[Example]]
) -> None:
    block = render_text(data.draw(hostile_examples))

    once = inject([SYSTEM, USER], WarmStart(text=block))

    assert inject(once, WarmStart(text=block)) == once
    assert without_warm_start(once) == [SYSTEM, USER]
