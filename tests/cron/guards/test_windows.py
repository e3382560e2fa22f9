"""Who is believed about a window, and what happens where nobody knows."""

from __future__ import annotations

import importlib.util

import pytest

from oldhand.cron.guards.blocked import Blocked, ModelContextError
from oldhand.cron.guards.context import (
    SCRIPT_TOKENS,
    WORK_TOKENS,
    check_window,
    need_of,
)
from oldhand.cron.guards.learned import keep_window, learned_window
from oldhand.cron.guards.table import table_window
from oldhand.cron.guards.windows import Asked, Window, Windows
from oldhand.cron.model import JobSpec
from oldhand.store import Store
from oldhand.testing import FakeClock
from oldhand.tokens import estimate

HERE = "http://localhost:8080/v1"


def windows(
    own: dict[str, int] | None = None,
    served: int | None = None,
    listed: int | None = None,
) -> Windows:
    return Windows(
        own or {}, ask=lambda _url, _model: served, look_up=lambda _model, _who: listed
    )


def test_the_users_word_goes_before_all(store: Store, clock: FakeClock) -> None:
    keep_window(store, HERE, "m", 3_000, now_us=clock())

    found = windows({"m": 1_000}, 2_000, 4_000).find(
        store, Asked("m", None, HERE), now_us=clock()
    )

    assert found == Window(1_000, "your own word")


def test_the_server_goes_before_what_was_learnt_and_corrects_it(
    store: Store, clock: FakeClock
) -> None:
    keep_window(store, HERE, "m", 3_000, now_us=clock())

    found = windows(served=2_000).find(store, Asked("m", None, HERE), now_us=clock())

    assert found == Window(2_000, f"the server at {HERE}")
    assert learned_window(store, HERE, "m", now_us=clock()) is None


def test_what_was_learnt_goes_before_the_tables(store: Store, clock: FakeClock) -> None:
    keep_window(store, "openai", "m", 3_000, now_us=clock())

    found = windows(listed=4_000).find(store, Asked("m", "openai"), now_us=clock())

    assert found == Window(3_000, "an error of an earlier run")


def test_the_tables_go_last_and_not_for_what_is_served_here(
    store: Store, clock: FakeClock
) -> None:
    known = windows(listed=4_000)

    assert known.find(store, Asked("m", "openai"), now_us=clock()) == Window(
        4_000, "the tables of genai-prices"
    )
    assert known.find(store, Asked("m", "ollama"), now_us=clock()) is None
    assert known.find(None, Asked(), now_us=clock()) is None


@pytest.mark.skipif(
    importlib.util.find_spec("genai_prices") is None, reason="without genai-prices"
)
@pytest.mark.parametrize(
    ("model", "provider", "is_known"),
    [
        ("claude-sonnet-4-5", "anthropic", True),
        ("claude-sonnet-4-5", None, True),
        ("claude-sonnet-4-5[1m]", None, False),
        ("qwen3:8b", None, False),
        ("gpt-5.1", "no such provider", False),
        ("", None, False),
    ],
)
def test_the_tables(model: str, provider: str | None, is_known: bool) -> None:
    assert (table_window(model, provider) is not None) is is_known


def test_a_job_needs_its_prompt_its_skills_its_scripts_output_and_room_to_work() -> (
    None
):
    prompt, skill = "Look at it. " * 300, "Do so. " * 500

    bare = need_of(JobSpec(), prompt)
    whole = need_of(JobSpec(script="a.sh"), prompt, [skill])

    assert bare.tokens == estimate(prompt) + WORK_TOKENS
    assert whole.tokens == bare.tokens + estimate(skill) + SCRIPT_TOKENS


@pytest.mark.parametrize(
    ("own", "least", "tokens"),
    [
        (None, 0, WORK_TOKENS),
        (2_000, 0, 2_000),
        (90_000, 0, 90_000),
        (2_000, 64_000, 64_000),
        (None, 64_000, 64_000),
        (90_000, 64_000, 90_000),
    ],
)
def test_min_context_takes_its_place_and_the_settings_least_is_for_all(
    own: int | None, least: int, tokens: int
) -> None:
    assert need_of(JobSpec(min_context=own), "", least_tokens=least).tokens == tokens


def test_a_window_that_is_too_small_blocks_and_says_both_numbers_and_what_to_do() -> (
    None
):
    need = need_of(JobSpec(min_context=64_000), "")

    with pytest.raises(ModelContextError) as caught:
        check_window(Asked("qwen3"), Window(8_192, "the server at x"), need)

    fault = caught.value
    assert isinstance(fault, Blocked)
    assert (fault.code, fault.window_tokens, fault.needed_tokens) == (
        "model_context", 8_192, 64_000,
    )  # fmt: skip
    for word in ("qwen3", "8,192", "64,000", "the server at x", "[context_windows]"):
        assert word in str(fault)


def test_one_that_is_just_large_enough_is_taken() -> None:
    need = need_of(JobSpec(min_context=8_192), "")

    assert check_window(Asked("m"), Window(8_192, "x"), need) == ""


def test_one_that_nobody_knows_is_noted_and_runs() -> None:
    noted = check_window(Asked("m"), None, need_of(JobSpec(), ""))

    assert noted.startswith("the context window of m is not known")
