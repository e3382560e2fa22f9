"""How a run ended: which limit it passed, and what the ledger is told."""

from __future__ import annotations

from oldhand.cron.model import Limits
from oldhand.cron.runner.protocol import Done
from oldhand.ledger.checks import MAX_REASON_CHARS
from oldhand.ledger.model import RunEnd, RunState
from oldhand.redact import redact


def over(
    limits: Limits, *, turns: int | None, tokens: int | None, cost_usd: float | None
) -> str:
    """Say which limit was passed, or ""."""
    said = (
        ("turns", turns, limits.turns),
        ("tokens", tokens, limits.tokens),
        ("cost in US dollars", cost_usd, limits.cost_usd),
    )
    for name, used, most in said:
        if used is not None and most is not None and used > most:
            return (
                f"limit of {name}: {round(used, 6):,} used, {round(most, 6):,} allowed"
            )
    return ""


def end_of(done: Done, *, is_cancelled: bool) -> RunEnd:
    """Return how a run went as the ledger takes it."""
    state: RunState | None = None
    if done.is_blocked or is_cancelled:
        state = "blocked" if done.is_blocked else "cancelled"
    elif done.success is not None:
        state = "succeeded" if done.success else "failed"
    return RunEnd(
        state=state,
        success=None if done.is_blocked or is_cancelled else done.success,
        end_reason=_reason(done.end_reason),
        session_uid=done.session_uid,
        model=done.model,
        provider=done.provider,
        input_tokens=done.input_tokens,
        output_tokens=done.output_tokens,
        cache_read_tokens=done.cache_read_tokens,
        cache_write_tokens=done.cache_write_tokens,
        cost_usd=done.cost_usd,
        quality=done.quality,
    )


def words_of(fault: BaseException) -> str:
    """Return what a fault says, as a reason."""
    return f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__


def _reason(text: str | None) -> str | None:
    """Return a reason as the ledger takes it: one line, redacted."""
    if not text:
        return None
    line = "".join(c if c.isprintable() else " " for c in redact(text)).strip()
    return line[:MAX_REASON_CHARS] or None
