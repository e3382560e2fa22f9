"""Any other command: it reads the prompt from its input, and prints its answer.

What a job says stands where the command has a place for it: `{prompt}`, `{model}`,
`{provider}`, `{base_url}`. A model that a command has no place for cannot be asked for: it
would be on record as the one that answered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from oldhand.cron.runner.agents.agent import CannotRun, Line
from oldhand.cron.runner.agents.plain import PlainReader
from oldhand.cron.runner.protocol import Task

_PROMPT = "{prompt}"
_PLACE = re.compile(r"\{(?:prompt|model|provider|base_url)\}")


def line_of(task: Task) -> Line:
    """Return how the command is run.

    Raises:
        CannotRun: The job wants what the command has no place for.
    """
    program = task.command[0]
    if not task.has_local_tools:
        raise CannotRun(f"{program} cannot be told to run without local tools")
    values = {
        "{model}": task.model,
        "{provider}": task.provider,
        "{base_url}": task.base_url,
    }
    for place, value in values.items():
        is_there = any(place in word for word in task.command)
        if value and not is_there:
            raise CannotRun(
                f"{program} cannot be told of {place[1:-1]} {value}: write {place} where "
                "it goes in the command"
            )
        if is_there and not value:
            raise CannotRun(f"{program}: the job says nothing for {place}")
    is_word = any(_PROMPT in word for word in task.command)
    values[_PROMPT] = _as_word(task.prompt)
    return Line(
        tuple(_filled(word, values) for word in task.command),
        PlainReader(),
        stdin="" if is_word else task.prompt,
    )


def _as_word(prompt: str) -> str:
    r"""Return a prompt as a word that is no option, whatever it begins with.

    Example:
        >>> _as_word("-rf is what?")
        '\n-rf is what?'
    """
    return f"\n{prompt}" if prompt.startswith("-") else prompt


def _filled(word: str, values: Mapping[str, str | None]) -> str:
    """Fill the places of a word; what stands in a value is no place."""
    return _PLACE.sub(lambda found: values[found[0]] or "", word)
