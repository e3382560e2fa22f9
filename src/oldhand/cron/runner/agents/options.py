"""Options on a command line that a user wrote: which are there, and where ours go.

Ours are written `--name=value`, so that a value beginning with `-` stays a value. What a
user wrote is never said again, and never overruled.
"""

from __future__ import annotations

from collections.abc import Sequence

from oldhand.cron.runner.agents.agent import CannotRun


def has(words: Sequence[str], *names: str) -> bool:
    """Say whether an option stands there.

    Example:
        >>> has(["claude", "--model=opus"], "--model"), has(["claude", "--", "-p"], "-p")
        (True, False)
    """
    return any(word.partition("=")[0] in names for word in _options(words))


def value_of(words: Sequence[str], *names: str) -> str | None:
    """Return the value of an option, the last one where it stands twice; None: not there."""
    found = None
    options = _options(words)
    for at, word in enumerate(options):
        name, sign, value = word.partition("=")
        if name in names:
            found = value if sign else "".join(options[at + 1 : at + 2])
    return found


def asked(words: Sequence[str], names: tuple[str, ...], value: object) -> list[str]:
    """Return the option that says a value; none where there is no value, or it is said.

    Raises:
        CannotRun: The command says another one.
    """
    if value is None:
        return []
    said = value_of(words, *names)
    if said is None:
        return [f"{names[0]}={value}"]
    if said != str(value):
        raise CannotRun(
            f"its command says {names[0]} {said}, and the job {value}; say it once"
        )
    return []


def with_options(words: Sequence[str], added: Sequence[str]) -> tuple[str, ...]:
    """Return the words with options added where they are read as options."""
    end = len(_options(words))
    return (*words[:end], *added, *words[end:])


def _options(words: Sequence[str]) -> Sequence[str]:
    return words[: words.index("--")] if "--" in words else words
