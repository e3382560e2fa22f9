"""The fields of a job as options: one set, for making a job and for changing one."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from oldhand.cli.face import talk
from oldhand.errors import InvalidInput, UnreadableSource

R = TypeVar("R")
_MAX_BYTES = 4_000_000
"""Of a file with a prompt: more than a prompt may have, in any encoding."""

if TYPE_CHECKING:
    _Type = click.ParamType[float | None]
else:
    _Type = click.ParamType  # generic in newer versions only


class _NumberOrNothing(_Type):
    """A number; an empty text clears the field, and is None."""

    name = "number"

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole

    def convert(
        self,
        value: object,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float | None:
        text = str(value).strip().replace("_", "")
        if not text:
            return None
        try:
            return int(text) if self._whole else float(text)
        except ValueError:
            expected = "a whole number" if self._whole else "a number"
            self.fail(f"{text[:40]!r}; expected {expected}, or '' for none", param, ctx)


RUN = click.IntRange(1, (1 << 62) - 1)
"""A run's id, as it is typed."""
_WHOLE, _NUMBER = _NumberOrNothing(whole=True), _NumberOrNothing(whole=False)
_LIMITS = {
    "max_seconds": "wall_seconds",
    "max_turns": "turns",
    "max_tokens": "tokens",
    "max_cost_usd": "cost_usd",
}
_LISTS = {"deliver": "deliver", "skill": "skills", "ab": "ab"}
_OF_THEIR_OWN = {"deliver", "skill", "ab", "origin", "runner", "prompt_file", *_LIMITS}

_NAMES = (
    "schedule",
    "name",
    "zone",
    "repeat",
    "deliver",
    "origin",
    "skill",
    "model",
    "provider",
    "base_url",
    "script",
    "requires_local_infra",
    "min_context",
    "runner",
    "workdir",
    "on_misfire",
    "grace_seconds",
    "on_overlap",
    *_LIMITS,
    "retries",
    "side_effects",
    "ab",
    "prompt_file",
)
_OPTIONS = (
    click.option(
        "--schedule",
        metavar="WHEN",
        help="When it fires; see `oldhand jobs add --help`.",
    ),
    click.option("--name", help="Of one line.  [default: the prompt's first words]"),
    click.option(
        "--zone",
        metavar="NAME",
        help="The time zone, as Europe/Berlin.  [default: this machine's]",
    ),
    click.option(
        "--repeat", type=_WHOLE, metavar="N", help="So many firings, then it is over."
    ),
    click.option(
        "--deliver",
        multiple=True,
        metavar="WHERE",
        help="Where results go: origin, local (nowhere but here), all, or a channel; "
        "repeatable.  [default: local]",
    ),
    click.option(
        "--origin",
        multiple=True,
        metavar="KEY=VALUE",
        help="Where it was asked for, as platform=telegram; repeatable.",
    ),
    click.option(
        "--skill", multiple=True, metavar="NAME", help="The agent uses it; repeatable."
    ),
    click.option("--model", metavar="NAME", help="For the agent.  [default: its own]"),
    click.option("--provider", metavar="NAME", help="The same."),
    click.option("--base-url", metavar="URL", help="Of the provider."),
    click.option(
        "--script",
        metavar="FILE",
        help="In ~/.oldhand/scripts; what it prints stands before the prompt.",
    ),
    click.option(
        "--requires-local-infra/--no-requires-local-infra",
        default=None,
        help="It needs this machine's tools; with a provider in the cloud it runs without.",
    ),
    click.option(
        "--min-context",
        type=_WHOLE,
        metavar="TOKENS",
        help="The model's window must hold so many.",
    ),
    click.option(
        "--runner",
        metavar="COMMAND",
        help="What runs the agent, as 'claude -p'.  [default: OLDHAND_CRON_RUNNER, else "
        "the first of claude, codex and hermes that is found]",
    ),
    click.option(
        "--workdir", metavar="DIR", help="Where it runs.  [default: your home]"
    ),
    click.option(
        "--on-misfire",
        metavar="HOW",
        help="Firings that nobody was there for: once (the last), all, skip.  "
        "[default: once]",
    ),
    click.option(
        "--grace-seconds",
        type=_NUMBER,
        metavar="N",
        help="So late it may still start.  [default: 86400]",
    ),
    click.option(
        "--on-overlap",
        metavar="HOW",
        help="While a run goes on the next is skipped (skip), waits (queue), or runs beside "
        "it (allow).  [default: skip]",
    ),
    click.option(
        "--max-seconds",
        type=_NUMBER,
        metavar="N",
        help="Longest run, waits for a person left out.  [default: 3600]",
    ),
    click.option("--max-turns", type=_WHOLE, metavar="N", help="Of the model, a run."),
    click.option(
        "--max-tokens", type=_WHOLE, metavar="N", help="Read and written, a run."
    ),
    click.option(
        "--max-cost-usd", type=_NUMBER, metavar="USD", help="What a run may cost."
    ),
    click.option(
        "--retries",
        type=_WHOLE,
        metavar="N",
        help="A run that failed is tried again; with --no-side-effects.  [default: 0]",
    ),
    click.option(
        "--side-effects/--no-side-effects",
        default=None,
        help="Whether it does what must not be done twice.  [default: it does]",
    ),
    click.option(
        "--ab", multiple=True, metavar="A,B", help="Models; each run draws one of them."
    ),
    click.option(
        "--prompt-file",
        type=click.Path(path_type=Path, allow_dash=True),
        metavar="FILE",
        help="Read the prompt from it; - is stdin.",
    ),
)


def job_options(function: Callable[..., R]) -> Callable[..., R]:
    """Give a command these options, and hand it what was said as `changes`, by field.

    "" and None in `changes` clear a field.
    """

    @functools.wraps(function)
    def command(*args: Any, **kwargs: Any) -> R:  # noqa: ANN401
        said = {name: kwargs.pop(name) for name in _NAMES}
        was_said = click.get_current_context().get_parameter_source
        given = {
            name: value
            for name, value in said.items()
            if was_said(name) is click.core.ParameterSource.COMMANDLINE
        }
        return function(*args, changes=_changes(given), **kwargs)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def prompt_of(text: str | None) -> str | None:
    """Return a prompt as it was said: `-` is what stands on stdin."""
    return _read(Path("-")) if text == "-" else text


def _changes(given: Mapping[str, Any]) -> dict[str, Any]:
    """Turn options that were said into fields of a job."""
    changes = {name: said for name, said in given.items() if name not in _OF_THEIR_OWN}
    for name, field in _LISTS.items():
        if name in given:
            changes[field] = _listed(given[name])
    limits = {field: given[name] for name, field in _LIMITS.items() if name in given}
    if limits:
        changes["limits"] = limits
    if "origin" in given:
        changes["origin"] = dict(map(_pair, filter(None, given["origin"])))
    if "runner" in given:
        changes["runner"] = _command(given["runner"])
    if given.get("workdir"):
        changes["workdir"] = _directory(given["workdir"])
    if "prompt_file" in given:
        changes["prompt"] = _read(given["prompt_file"])
    return changes


def _listed(values: tuple[str, ...]) -> tuple[str, ...]:
    words = (word.strip() for value in values for word in value.split(","))
    return tuple(filter(None, words))


def _pair(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise InvalidInput(f"--origin: {text!r}; expected KEY=VALUE")
    return key.strip(), value.strip()


def _command(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as fault:
        raise InvalidInput(f"--runner: {text!r}: {fault}") from fault


def _directory(said: str) -> str:
    """Return a directory as the scheduler finds it, wherever that runs."""
    path = Path(said).expanduser().absolute()
    if not path.is_dir():
        talk(f"--workdir {path}: there is no such directory on this machine")
    return str(path)


def _read(path: Path) -> str:
    name = "stdin" if str(path) == "-" else str(path)
    try:
        with click.open_file(str(path), "rb") as file:
            held: bytes = file.read(_MAX_BYTES + 1)
        if len(held) > _MAX_BYTES:
            raise UnreadableSource(f"{name}: larger than any prompt may be")
        return held.decode()
    except OSError as fault:
        raise UnreadableSource(f"{name}: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise UnreadableSource(f"{name}: no UTF-8 text") from fault
