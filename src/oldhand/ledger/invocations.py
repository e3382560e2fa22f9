"""One call for a runner that is not ours: a skill was used, and this is how it went."""

from __future__ import annotations

from oldhand.clock import Clock, system_clock
from oldhand.ledger import checks
from oldhand.ledger.checks import Moment, Money
from oldhand.ledger.links import POSITION_BITS
from oldhand.ledger.model import END_STATE_OF, Run, SkillUse
from oldhand.ledger.settle import settle, start_run
from oldhand.store import Store


def record_skill_invocation(  # noqa: PLR0913 - one parameter for each thing a runner knows
    store: Store,
    *,
    skill_name: str,
    invoked_at: Moment,
    session_id: str | None = None,
    cron_id: str | None = None,
    skill_version: str | None = None,
    completed_at: Moment | None = None,
    model: str | None = None,
    provider: str | None = None,
    duration_seconds: float | None = None,
    input_tokens: int | None = None,
    output_tokens: int | None = None,
    cache_read_tokens: int | None = None,
    cache_write_tokens: int | None = None,
    estimated_cost_usd: Money | None = None,
    success: bool | None = None,
    end_reason: str | None = None,
    quality_score: float | None = None,
    clock: Clock = system_clock,
) -> int:
    """Record that a skill was used in a run of its own; None is unknown, and never 0.

    Where one run used several skills, `open_run`, `link_skills` and `close_run` count its
    cost once.

    Args:
        store: Where runs are.
        skill_name: The skill's.
        invoked_at: When it began: an aware datetime, ISO 8601, or seconds since 1970.
        session_id: Of the session, which need not be on record.
        cron_id: Of the job that fired it.
        skill_version: As `skills.version_of` makes it, or the runner's own word.
        completed_at: When it was over; default: `invoked_at` and `duration_seconds`.
        model: That really answered.
        provider: The same.
        duration_seconds: Default: from `invoked_at` to `completed_at`.
        input_tokens: Not read from a cache.
        output_tokens: Written by the model.
        cache_read_tokens: Read from a cache.
        cache_write_tokens: Put into a cache.
        estimated_cost_usd: Dollars; 0 is said only of what costs nothing.
        success: Whether it did what it was for.
        end_reason: In the runner's own words.
        quality_score: 0 to 1.
        clock: Says now.

    Returns:
        The id of the invocation.

    Raises:
        InvalidInput: A value is not one that the ledger takes; it names field and value,
            and nothing is written.

    Example:
        >>> from oldhand.store import open_database
        >>> store = open_database(":memory:")
        >>> record_skill_invocation(
        ...     store, skill_name="triage", invoked_at="2026-01-05T09:00:00Z",
        ...     duration_seconds=41.5, model="qwen3", success=True,
        ... )
        256
        >>> store.close()
    """
    now_us = clock()
    began_us, over_us, lasted_us = _times(
        invoked_at, completed_at, duration_seconds, now_us=now_us
    )
    use = SkillUse(
        checks.name("skill_name", skill_name),
        checks.optional_name("skill_version", skill_version),
        share=1.0,
    )
    is_success = checks.truth("success", success)
    run = Run(
        source="runner",
        started_at_us=began_us,
        job=checks.optional_name("cron_id", cron_id),
        session_uid=checks.optional_name(
            "session_id", session_id, most=checks.MAX_REASON_CHARS
        ),
        state=END_STATE_OF[is_success],
        end_reason=checks.optional_name(
            "end_reason", end_reason, most=checks.MAX_REASON_CHARS
        ),
        model=checks.optional_name("model", model),
        provider=checks.optional_name("provider", provider),
        ended_at_us=over_us,
        duration_us=lasted_us,
        input_tokens=checks.tokens("input_tokens", input_tokens),
        output_tokens=checks.tokens("output_tokens", output_tokens),
        cache_read_tokens=checks.tokens("cache_read_tokens", cache_read_tokens),
        cache_write_tokens=checks.tokens("cache_write_tokens", cache_write_tokens),
        cost_microusd=checks.microusd("estimated_cost_usd", estimated_cost_usd),
        success=is_success,
        quality=checks.number("quality_score", quality_score, most=1),
    )
    with store.transaction():
        written = start_run(store, run, [use])
        settle(store, written)
    return written.id << POSITION_BITS


def _times(
    invoked_at: Moment,
    completed_at: Moment | None,
    duration_seconds: float | None,
    *,
    now_us: int,
) -> tuple[int, int, int | None]:
    """Return start, end and duration in microseconds; None: nothing says how long."""
    began_us = checks.moment_us("invoked_at", invoked_at, now_us=now_us)
    if began_us is None:
        raise checks.wrong("invoked_at", invoked_at, "a time")
    lasted_us = checks.duration_us("duration_seconds", duration_seconds)
    over_us = checks.moment_us("completed_at", completed_at, now_us=now_us)
    if over_us is None:
        return began_us, began_us + (lasted_us or 0), lasted_us
    if over_us < began_us:
        raise checks.wrong("completed_at", completed_at, "no time before invoked_at")
    return began_us, over_us, over_us - began_us if lasted_us is None else lasted_us
