"""What is asked of a job, looked at before anything is written; and its form in JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from oldhand.cron.model import JobSpec, Limits, OnMisfire, OnOverlap
from oldhand.errors import InvalidInput

MAX_PROMPT_CHARS = 100_000
MAX_NAME_CHARS = 100
MAX_WORDS = 64
_MAX_TEXT_CHARS = 2_000
_LEAST_WALL_SECONDS, _MOST_WALL_SECONDS = 1, 7 * 86_400
_MOST_GRACE_SECONDS = 366 * 86_400
_MOST_RETRIES = 10
_MOST_COUNT = 10**12
_MOST_DOLLARS = 1_000_000
CHANNEL = re.compile(r"[a-z][a-z0-9_-]{0,63}(:[^\s,]{1,200}){0,2}")
_LISTS = ("deliver", "skills", "runner", "ab")
_TEXTS = ("schedule", "name")
_OPTIONAL = ("zone", "model", "provider", "base_url", "script", "workdir")


def checked_spec(spec: JobSpec) -> JobSpec:
    """Return a spec as it is kept: texts stripped, a name made, all of it possible.

    Raises:
        InvalidInput: A field is not what it must be; the message names it and its value.
    """
    _one_of("on_misfire", spec.on_misfire, get_args(OnMisfire))
    _one_of("on_overlap", spec.on_overlap, get_args(OnOverlap))
    for name in ("requires_local_infra", "side_effects"):
        if not isinstance(getattr(spec, name), bool):
            raise wrong(name, getattr(spec, name), "true or false")
    fields: dict[str, Any] = {
        **{name: _text(name, getattr(spec, name)) for name in _TEXTS},
        **{name: _text(name, getattr(spec, name) or "") or None for name in _OPTIONAL},
        **{name: _texts(name, getattr(spec, name)) for name in _LISTS},
    }
    kept = spec._replace(
        **fields,
        prompt=_prompt(spec),
        repeat=_whole("repeat", spec.repeat, least=1, most=_MOST_COUNT),
        min_context=_whole("min_context", spec.min_context, least=1, most=_MOST_COUNT),
        retries=_whole("retries", spec.retries, least=0, most=_MOST_RETRIES) or 0,
        grace_seconds=_number("grace_seconds", spec.grace_seconds, _MOST_GRACE_SECONDS)
        or 0,
        limits=_limits(spec.limits),
        origin=_origin(spec.origin),
    )
    kept = kept._replace(
        base_url=kept.base_url.rstrip("/") if kept.base_url else None,
        name=kept.name or name_from(kept.prompt or kept.script or ""),
        deliver=kept.deliver or ("local",),
    )
    _check_together(kept)
    return kept


def _check_together(spec: JobSpec) -> None:
    if len(spec.name) > MAX_NAME_CHARS:
        raise wrong("name", spec.name, f"at most {MAX_NAME_CHARS} characters")
    for each in spec.deliver:
        if not CHANNEL.fullmatch(each):
            raise wrong("deliver", each, "origin, local, all, or a channel's name")
    if "origin" in spec.deliver and not spec.origin:
        raise wrong("deliver", "origin", "an origin as well, as none was given")
    if spec.workdir and not spec.workdir.startswith("/"):
        raise wrong("workdir", spec.workdir, "a whole path")
    if spec.base_url and not re.match(r"https?://[^\s/]", spec.base_url):
        raise wrong("base_url", spec.base_url, "an http(s) address")
    if spec.ab and (len(spec.ab) < 2 or len(set(spec.ab)) < len(spec.ab)):  # noqa: PLR2004
        raise wrong("ab", ",".join(spec.ab), "two models or more, each once")
    if spec.ab and spec.model:
        raise wrong("model", spec.model, "none where ab names the models")
    if spec.retries and spec.side_effects:
        raise wrong(
            "retries", spec.retries, "0, or a job that says it has no side effects"
        )


def name_from(text: str) -> str:
    """Make a name from what a job is to do: its first words.

    Example:
        >>> name_from("Check the backups, then write a report of what is missing there.")
        'Check the backups, then write a report'
    """
    words = re.sub(r"[^\S ]+|[^\x20-\x7e\u00a0-\uffff]", " ", text).split()
    name = ""
    for word in words:
        if name and len(name) + 1 + len(word) > 40:  # noqa: PLR2004 - about a line
            break
        name = f"{name} {word}".strip()
    return name[:40].rstrip(" ,;:.-") or "job"


def spec_to_json(spec: JobSpec) -> str:
    """Write a spec as it is stored."""
    fields = spec._asdict()
    fields["origin"] = dict(spec.origin)
    fields["limits"] = spec.limits._asdict()
    return json.dumps(fields, ensure_ascii=False, sort_keys=True)


def spec_from_json(text: str) -> JobSpec:
    """Read a spec that was stored."""
    return spec_from(json.loads(text))


def spec_from(fields: Mapping[str, Any]) -> JobSpec:
    """Make a spec of an object as JSON has it; it is not looked at yet.

    Raises:
        InvalidInput: It has a field that no job has.
    """
    _known("field", fields, JobSpec._fields)
    made = dict(fields)
    for name in _LISTS:
        if name in made:
            made[name] = _listed(name, made[name])
    if "limits" in made:
        limits = made["limits"]
        if not isinstance(limits, Mapping):
            raise wrong("limits", limits, "an object")
        _known("limit", limits, Limits._fields)
        made["limits"] = Limits(**limits)
    return JobSpec(**made)


def changed_spec(spec: JobSpec, changes: Mapping[str, Any]) -> JobSpec:
    """Return a spec with other values in some fields; they are not looked at yet.

    Args:
        spec: What there was; `JobSpec()` for a new job.
        changes: New values by field; "" or None makes a field what it is where nobody says.
            Of `limits` only those named change, and "" or None is no limit.

    Raises:
        InvalidInput: No field is called so, or no schedule is left.
    """
    fields = spec._asdict()
    defaults = JobSpec._field_defaults
    for name, value in changes.items():
        if name not in fields:
            raise InvalidInput(
                f"{name}: no field of a job is called so; "
                f"there are {', '.join(JobSpec._fields)}"
            )
        if name == "limits" and value:
            fields[name] = _changed_limits(spec.limits, value)
        else:
            fields[name] = defaults[name] if value in ("", None) else value
    if not fields["schedule"]:
        raise wrong("schedule", "", "when it is to fire, as 'daily 09:00'")
    return spec_from({**fields, "limits": fields["limits"]._asdict()})


def _changed_limits(limits: Limits, changes: object) -> Limits:
    if not isinstance(changes, Mapping):
        raise wrong("limits", changes, "an object")
    for name in changes:
        if name not in Limits._fields:
            raise InvalidInput(
                f"{name}: no limit of a job is called so; "
                f"there are {', '.join(Limits._fields)}"
            )
    cleared = {name: None if value == "" else value for name, value in changes.items()}
    return limits._replace(**cleared)


def wrong(field: str, value: object, expected: str) -> InvalidInput:
    """Make the error for a field's value."""
    said = repr(value)
    shown = said if len(said) <= 200 else said[:200] + "…"  # noqa: PLR2004 - a line
    return InvalidInput(f"{field}: {shown}; expected {expected}")


def _known(noun: str, given: Iterable[str], known: tuple[str, ...]) -> None:
    for name in set(given).difference(known):
        raise InvalidInput(
            f"{name}: no {noun} of a job is called so; there are {', '.join(known)}"
        )


def _listed(name: str, value: object) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise wrong(name, value, "a list of texts")
    return tuple(value)


def _prompt(spec: JobSpec) -> str:
    prompt: object = spec.prompt
    if not isinstance(prompt, str) or len(prompt) > MAX_PROMPT_CHARS:
        raise wrong(
            "prompt", prompt, f"a text of at most {MAX_PROMPT_CHARS} characters"
        )
    _storable("prompt", prompt)
    if not prompt.strip() and not spec.script:
        raise wrong("prompt", prompt, "what the agent is to do")
    return prompt.strip()


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT_CHARS:
        raise wrong(name, value, f"a text of at most {_MAX_TEXT_CHARS} characters")
    if not value.isprintable():
        raise wrong(name, value, "one line, all of which can be printed")
    return value.strip()


def _texts(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, tuple | list) or len(value) > MAX_WORDS:
        raise wrong(name, value, f"a list of at most {MAX_WORDS} texts")
    if name != "runner":
        return tuple(dict.fromkeys(filter(None, (_text(name, v) for v in value))))
    for word in value:  # a word of a command stays as it is
        if not isinstance(word, str) or len(word) > _MAX_TEXT_CHARS:
            raise wrong(name, word, f"a text of at most {_MAX_TEXT_CHARS} characters")
        _storable(name, word)
    return tuple(value)


def _storable(name: str, value: str) -> None:
    if "\0" in value or not _is_unicode(value):
        raise wrong(name, value, "text without NUL or halves of characters")


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _origin(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping) or len(value) > 20:  # noqa: PLR2004 - a place
        raise wrong("origin", value, "an object of texts")
    return {_text("origin", key): _text("origin", each) for key, each in value.items()}


def _limits(value: object) -> Limits:
    if not isinstance(value, Limits):
        raise wrong("limits", value, "limits")
    wall = _number("limits.wall_seconds", value.wall_seconds, _MOST_WALL_SECONDS)
    if wall is not None and wall < _LEAST_WALL_SECONDS:
        raise wrong("limits.wall_seconds", wall, f"{_LEAST_WALL_SECONDS} or more")
    return Limits(
        wall_seconds=wall,
        turns=_whole("limits.turns", value.turns, least=1, most=_MOST_COUNT),
        tokens=_whole("limits.tokens", value.tokens, least=1, most=_MOST_COUNT),
        cost_usd=_number("limits.cost_usd", value.cost_usd, _MOST_DOLLARS),
    )


def _one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise wrong(name, value, f"one of {', '.join(choices)}")


def _whole(name: str, value: object, *, least: int, most: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong(name, value, "a whole number")
    if not least <= value <= most:
        raise wrong(name, value, f"a whole number from {least} to {most}")
    return value


def _number(name: str, value: object, most: float) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong(name, value, "a number")
    if not (math.isfinite(value) and 0 <= value <= most):
        raise wrong(name, value, f"a number from 0 to {most:g}")
    return float(value)
