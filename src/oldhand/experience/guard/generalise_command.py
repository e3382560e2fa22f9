"""Make a command line general: programs, subcommands and flags stay, other words go.

A word is replaced as a whole, in quotes, and so is what stands in a string, a substitution
or the body of a heredoc. A program that is neither well known nor part of the shape, nor
known to the caller, is a word of one session's own: then there is no general form.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from functools import lru_cache

from oldhand.experience.guard.command_words import Word, words_in
from oldhand.experience.guard.placeholder import STRING, candidates, tells_nothing
from oldhand.experience.kind import is_known_program
from oldhand.lazy_pattern import LazyPattern
from oldhand.sessions.shape import shape_of
from oldhand.shell import CommandLine, parse
from oldhand.shell.command import PREPARES, SHELLS
from oldhand.shell.grammar import CONTROL

Known = Callable[[str], bool]

_MAX_CHARS = 20_000  # as much as a shape looks at
_MAX_KNOWN_CHARS = 200
_FLAG = LazyPattern(r"(--?[A-Za-z][\w.-]{0,28})(?:=(.*))?", re.DOTALL)
_GLUED = LazyPattern(r"(-[A-Za-z])([\w.-]{5,})")
_ASSIGNMENT = LazyPattern(r"([A-Za-z_]\w{0,29})=(.*)", re.DOTALL)
_SPEAKING = frozenset({"echo", "printf", "sleep", "test", "[", "xargs", "tee", "time"})
_CONTROLS = CONTROL | {"in", "((", "]]"}


class NotGeneral(Exception):
    """A line that holds something which can neither stay nor go."""


def general_command(
    value: str | list[str], *, is_known: Known, shape: str
) -> str | list[str] | None:
    """Return a command with placeholders for what is not known; None where there is none.

    Args:
        value: A command line, or the words of a command.
        is_known: Which literals stay.
        shape: Of the call, at its finest level: what it names may stay.
    """
    try:
        if isinstance(value, str):
            return _general_line(value, is_known, shape)
        return _general_words(value, is_known, shape)
    except NotGeneral:
        return None


def command_literals(value: str | list[str]) -> Iterator[str]:
    """Yield the literals of a command: what `general_command` asks about."""
    words = _split(value)
    for word in words or ():
        yield word.value
        found = _FLAG.compiled.fullmatch(word.value) or _ASSIGNMENT.compiled.fullmatch(
            word.value
        )
        if found and found[2]:
            yield found[2]


def _split(value: str | list[str]) -> list[Word] | None:
    if isinstance(value, str):
        return words_in(value[:_MAX_CHARS])
    if _is_script(value):
        return words_in(value[2][:_MAX_CHARS])
    return [Word(0, 0, word) for word in value]


def _is_script(words: list[str]) -> bool:
    return len(words) == 3 and words[0].endswith("sh") and words[1] in {"-c", "-lc"}  # noqa: PLR2004 - as `command_of`


def _general_words(words: list[str], is_known: Known, shape: str) -> list[str]:
    if _is_script(words):
        return [*words[:2], _general_line(words[2], is_known, shape)]
    names = _names_in(parse(shlex.join(words)), is_known, shape)
    return [_general_word(word, names, is_known) for word in words]


def _general_line(line: str, is_known: Known, shape: str) -> str:
    words = words_in(line) if len(line) <= _MAX_CHARS else None
    if words is None:
        raise NotGeneral
    names = _names_in(parse(line), is_known, shape)
    parts, at, before = [], 0, ""
    for word in words:
        parts += [line[at : word.start], _shown(line, word, before, names, is_known)]
        at = word.end
        before = word.value
    return "".join([*parts, line[at:]])


def _shown(
    line: str, word: Word, before: str, names: frozenset[str], is_known: Known
) -> str:
    written = line[word.start : word.end]
    if word.role == "comment":
        return ""
    if word.role == "body":
        return "<text>" if word.value else ""
    if before in {"for", "select"} or word.value in _CONTROLS:
        return written
    general = _general_word(word.value, names, is_known)
    return written if general == word.value else shlex.quote(general)


def _general_word(word: str, names: frozenset[str], is_known: Known) -> str:
    if tells_nothing(word) or word in names or _is_short(word, is_known):
        return word
    if "/" in word and (name := word.rpartition("/")[2]) in names:
        return name if is_known_program(name) else f"<dir>/{name}"
    if flag := _GLUED.compiled.fullmatch(word):
        return _glued(flag[1], flag[2], word)
    for pattern in (_FLAG, _ASSIGNMENT):
        if found := pattern.compiled.fullmatch(word):
            value = found[2]
            if value is None or tells_nothing(value) or _is_short(value, is_known):
                return word
            return f"{found[1]}={candidates(value)[0]}"
    if word.startswith("-") and word[1:2].isalpha():
        raise NotGeneral  # a flag too long to be one
    return candidates(word)[0].rstrip("\n")


def _glued(flag: str, rest: str, word: str) -> str:
    """Return a flag with what may be a value glued to it, as `-pSECRET`, or a long name."""
    if _shape_takes_whole(word):
        return word
    return flag if rest.isdigit() else f"{flag}{STRING}"


@lru_cache(maxsize=256)
def _shape_takes_whole(flag: str) -> bool:
    return flag in shape_of("Bash", {"command": f"find {flag}"}).flags.split()


def _is_short(text: str, is_known: Known) -> bool:
    return len(text) <= _MAX_KNOWN_CHARS and is_known(text)


def _names_in(line: CommandLine | None, is_known: Known, shape: str) -> frozenset[str]:
    """Return the programs and subcommands of a line, which stay.

    Raises:
        NotGeneral: The line is not plain, or one of them is nobody's but its session's.
    """
    if line is None:
        raise NotGeneral
    of_shape = frozenset(shape.partition(":")[2].split())
    names: set[str] = set()
    for command in line.commands:
        program = command.program
        if program and not (
            program in of_shape or _is_common(program) or is_known(program)
        ):
            raise NotGeneral
        names.update((program, *command.wrappers))
        names.update(
            word
            for word in command.subcommand.split()
            if word in of_shape or len(word) <= 30  # noqa: PLR2004 - no sentence has room
        )
    return frozenset(names - {""})


def _is_common(program: str) -> bool:
    return (
        is_known_program(program)
        or program in PREPARES
        or program in SHELLS
        or program in _SPEAKING
    )
