"""Context windows learnt from errors: what a provider said when a prompt was too long.

An error's words are a stranger's, so only a known wording counts, and only a number that a
window may have; it is forgotten after 30 days, as models are replaced under their names.
"""

from __future__ import annotations

import json
import re

from oldhand.store import Queries, Store

LEAST_TOKENS, MOST_TOKENS = 512, 100_000_000
FORGET_US = 30 * 86_400_000_000
MAX_CHARS = 20_000
_SQL = Queries("oldhand.cron")
_N = r"(?P<n>\d{1,3}(?:[,_ ]\d{3})+|\d+)"
_TOKENS = r"(?:[ -]?tokens?)?"
# As they were seen in reports; the number is the window, and not what was sent.
_WORDINGS = [
    re.compile(wording, re.IGNORECASE)
    for wording in (
        # OpenAI, Azure, DeepSeek, OpenRouter, vLLM, Groq
        rf"maximum (?:context|model|prompt|sequence) length (?:is|of) {_N}{_TOKENS}",
        # Anthropic
        rf"prompt is too long: \d+{_TOKENS} > {_N}{_TOKENS} maximum",
        # Anthropic
        rf"exceed context limit: \d+ \+ \d+ > {_N}",
        # Google
        rf"maximum number of tokens allowed \(?{_N}",
        # llama.cpp
        rf"exceeds the available context size \(?{_N}{_TOKENS}",
        # llama.cpp, as JSON
        rf"exceed_context_size_error.{{0,200}}?\bn_ctx\W{{1,4}}{_N}",
        # Mistral
        rf"too large for model with {_N} maximum context length",
        # Moonshot
        rf"exceeded model token limit:? {_N}",
        # Qwen
        rf"range of input length should be \[\d+, {_N}\]",
        # Cohere
        rf"tokens in the prompt cannot exceed {_N}",
        # LM Studio
        rf"loaded with (?:a )?context length of (?:only )?{_N}{_TOKENS}",
        # Copilot
        rf"token count of \d+ exceeds the limit of {_N}",
        # Cerebras
        rf"current length is \d+ while limit is {_N}",
        # TGI, Together
        rf"tokens`? ?\+ ?`?max_new_tokens`? must be <= {_N}",
    )
]


def window_in(text: str) -> int | None:
    """Return the window that an error names; None where it is no such error.

    Args:
        text: An error's words, or an answer that holds them; its end counts.

    Example:
        >>> window_in("400 prompt is too long: 215000 tokens > 200000 maximum")
        200000
    """
    for wording in _WORDINGS:
        found = wording.search(text[-MAX_CHARS:])
        if found:
            tokens = int(re.sub(r"\D", "", found["n"]))
            return tokens if LEAST_TOKENS <= tokens <= MOST_TOKENS else None
    return None


def keep_window(
    store: Store, place: str, model: str, tokens: int, *, now_us: int
) -> None:
    """Keep a model's window; in the caller's transaction or its own.

    Args:
        store: Where it is kept.
        place: Who served the model: the base address, else the provider, else "".
        model: As it was asked for.
        tokens: That it holds.
        now_us: In microseconds since 1970-01-01 UTC.
    """
    kept = json.dumps({"tokens": tokens, "at_us": now_us})
    store.execute(_SQL["set_kv"], {"key": _key(place, model), "value": kept})


def learned_window(store: Store, place: str, model: str, *, now_us: int) -> int | None:
    """Return what was learnt of a model less than 30 days ago, or None."""
    row = store.query_one(_SQL["kv"], (_key(place, model),))
    if row is None:
        return None
    kept = json.loads(row[0])
    return kept["tokens"] if now_us - kept["at_us"] < FORGET_US else None


def forget_window(store: Store, place: str, model: str) -> None:
    """Drop what was learnt of a model, as it is not so any more."""
    store.execute(_SQL["forget_kv"], (_key(place, model),))


def _key(place: str, model: str) -> str:
    return f"cron.window {place} {model}"
