"""Windows learnt from what providers say when a prompt was too long."""

from __future__ import annotations

import pytest

from oldhand.cron.guards.learned import (
    FORGET_US,
    keep_window,
    learned_window,
    window_in,
)
from oldhand.cron.guards.windows import Asked, learn
from oldhand.store import Store
from oldhand.testing import FakeClock

WORDINGS = [
    ("This model's maximum context length is 8192 tokens. However, your messages "
     "resulted in 9000 tokens.", 8_192),
    ("This endpoint's maximum context length is 131072 tokens. However, you requested "
     "about 140000 tokens (130000 of text input, 10000 in the output).", 131_072),
    ("maximum context length of 4,096 tokens", 4_096),
    ("The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
     4_096),
    ("This model's maximum prompt length is 131072 but the request contains 537812 "
     "tokens.", 131_072),
    ('API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":'
     '"prompt is too long: 215000 tokens > 200000 maximum"}}', 200_000),
    ("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, "
     "decrease input length or `max_tokens` and try again", 200_000),
    ("The input token count (1200000) exceeds the maximum number of tokens allowed "
     "(1048576).", 1_048_576),
    ("request (5000 tokens) exceeds the available context size (4096 tokens), try "
     "increasing it", 4_096),
    ('{"error":{"code":400,"type":"exceed_context_size_error","n_prompt_tokens":5000,'
     '"n_ctx":4096}}', 4_096),
    ("Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 "
     "maximum context length", 32_768),
    ("Invalid request: Your request exceeded model token limit: 262144", 262_144),
    ("InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
     129_024),
    ("too many tokens: total number of tokens in the prompt cannot exceed 4081 - "
     "received 8000", 4_081),
    ("the model is loaded with context length of only 4096 tokens", 4_096),
    ("prompt token count of 130000 exceeds the limit of 128000", 128_000),
    ("Please reduce the length. Current length is 9000 while limit is 8192", 8_192),
    ("`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000", 4_097),
]  # fmt: skip


@pytest.mark.parametrize(("said", "tokens"), WORDINGS)
def test_known_wordings(said: str, tokens: int) -> None:
    assert window_in(said) == tokens


@pytest.mark.parametrize(
    "said",
    [
        "",
        "exit code 1",
        "Input is too long for requested model.",
        "rate limit: 30000 tokens per minute, the maximum is 20000",
        "max_tokens must be at most 8192",
        "This model's maximum context length is 3 tokens.",
        "This model's maximum context length is 999999999999 tokens.",
        "I read the docs: the maximum is 8192 tokens.",
    ],
)
def test_what_is_no_such_error_teaches_nothing(said: str) -> None:
    assert window_in(said) is None


def test_a_long_text_is_read_by_its_end() -> None:
    assert window_in("x" * 10**7 + WORDINGS[0][0]) == 8_192


def test_what_was_learnt_is_kept_for_30_days(
    any_store: Store, clock: FakeClock
) -> None:
    keep_window(any_store, "openai", "m", 8_192, now_us=clock())
    clock.advance(FORGET_US - 1)
    late = learned_window(any_store, "openai", "m", now_us=clock())
    clock.advance(1)

    assert late == 8_192
    assert learned_window(any_store, "openai", "m", now_us=clock()) is None
    assert learned_window(any_store, "azure", "m", now_us=clock()) is None


def test_the_newest_error_counts(any_store: Store, clock: FakeClock) -> None:
    asked = Asked("m", "openai")
    for said, _ in WORDINGS[:2]:
        learn(any_store, asked, said, now_us=clock())

    assert learned_window(any_store, "openai", "m", now_us=clock()) == 131_072
    assert not learn(any_store, asked, "exit code 1", now_us=clock())
    assert not learn(any_store, Asked(), WORDINGS[0][0], now_us=clock())
