"""Make a call general: what only one session said gives way to placeholders.

    Bash {"command":"grep -n 'hunter' /home/ada/x.go | head -5"}
    Bash {"command":"grep -n '<str>' '<dir>/<file>.go' | head -5"}

What makes the shape stays: the tool, the names of its arguments, programs with subcommands
and flags, words of closed lists. All else is kept only where the caller knows it, which is
where other sessions say it too. The shape itself is asked whether it is still the same, so
that no rule about shapes stands here a second time; a call of which that cannot be had, as a
command line that is not plain, is not made general, and so not shown to others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from oldhand.experience.guard.generalise_command import (
    command_literals,
    general_command,
)
from oldhand.experience.guard.placeholder import STRING, candidates, tells_nothing
from oldhand.lazy_pattern import LazyPattern
from oldhand.sessions.known_tools import code_of, command_of
from oldhand.sessions.shape import shape_of

_MAX_KNOWN_CHARS = 200
_MAX_NUMBER = 9_999
_MAX_DEPTH = 20
_KEY = LazyPattern(r"[A-Za-z_][\w.-]{0,29}")
_IMPORT = LazyPattern(r"^[ \t]*(?:from|import)[ \t]+(\w{1,40})", re.MULTILINE)

Known = Callable[[str], bool]
"""Says of a literal whether it may stay."""


def generalise(
    tool: str, arguments: Mapping[str, Any], *, is_known: Known
) -> dict[str, Any] | None:
    """Replace the particulars of a call by placeholders; its shape stays the same.

    Args:
        tool: The tool's name.
        arguments: Of the call, any JSON values.
        is_known: Which literals stay.

    Returns:
        The arguments as they may be shown to anybody; None where that cannot be had.

    Example:
        >>> generalise("Read", {"file_path": "/home/ada/x.go"}, is_known=lambda text: False)
        {'file_path': '<dir>/<file>.go'}
    """
    wanted = shape_of(tool, arguments)
    made: dict[str, Any] = dict(arguments)
    command = command_of(tool, arguments)
    for key, value in arguments.items():
        if command is not None and _is_command(value, command):
            line = general_command(value, is_known=is_known, shape=wanted.flags)
            if line is None:
                return None
            made[key] = line
        else:
            made[key] = _of_key(tool, made, key, is_known)
    return made if shape_of(tool, made) == wanted else None


def literals_of(tool: str, arguments: Mapping[str, Any]) -> set[str]:
    """Return the literals of a call: what `generalise` asks about."""
    command = command_of(tool, arguments)
    found: set[str] = set()
    for value in arguments.values():
        if command is not None and _is_command(value, command):
            found.update(command_literals(value))
        else:
            found.update(_texts_in(value, _MAX_DEPTH))
    return {text for text in found if len(text) <= _MAX_KNOWN_CHARS}


def _is_command(value: object, command: str) -> bool:
    return value == command or isinstance(value, list)


def _of_key(tool: str, made: Mapping[str, Any], key: str, is_known: Known) -> Any:  # noqa: ANN401 - any JSON value
    """Return what stands for one argument, such that the shape stays."""
    value = made[key]
    if not isinstance(value, str):
        return _general(value, is_known, _MAX_DEPTH)
    if _stays(value, is_known):
        return value
    wanted = shape_of(tool, made)
    code = code_of(tool, made)
    options = candidates(value)
    if code is not None and value == code and (found := _IMPORT.compiled.search(code)):
        options = [f"import {found[1]}\n<code>", *options]
    for option in (*options, value):
        if shape_of(tool, {**made, key: option}) == wanted:
            # A word of a closed list is part of the shape: nothing else would keep it.
            return option
    return STRING


def _general(value: Any, is_known: Known, max_depth: int) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return value if _stays(value, is_known) else candidates(value)[0]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return value if abs(value) <= _MAX_NUMBER else _rough(value)
    if max_depth == 0:
        return STRING
    if isinstance(value, Mapping):
        return {
            _key(str(key), number, is_known): _general(item, is_known, max_depth - 1)
            for number, (key, item) in enumerate(value.items(), start=1)
        }
    return [_general(item, is_known, max_depth - 1) for item in value]


def _rough(number: float) -> float:
    """Return a number of about that size: an id says nothing then, a timeout enough.

    Example:
        >>> _rough(120_000), _rough(-47_110_815)
        (100000, -40000000)
    """
    if not math.isfinite(number):
        return 0
    digits = str(abs(int(number)))
    rough: int = int(digits[0]) * 10 ** (len(digits) - 1)
    return -rough if number < 0 else rough


def _key(key: str, number: int, is_known: Known) -> str:
    is_name = _KEY.compiled.fullmatch(key) is not None
    return key if is_name or is_known(key) else f"<key {number}>"


def _stays(text: str, is_known: Known) -> bool:
    return tells_nothing(text) or (len(text) <= _MAX_KNOWN_CHARS and is_known(text))


def _texts_in(value: object, max_depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif max_depth and isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts_in(item, max_depth - 1)
    elif max_depth and isinstance(value, list | tuple):
        for item in value:
            yield from _texts_in(item, max_depth - 1)
