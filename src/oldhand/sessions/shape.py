"""What a call looks like without its particulars, at four levels of detail.

    tool    Bash                 Edit
    keys    Bash(command)        Edit(file_path,new_string,old_string)
    shape   Bash:git diff        Edit(file_path:path.go,new_string:text,old_string:str)
    flags   Bash:git diff --stat|   (of other tools: the same as the shape)

Two calls of one shape are the same kind of work: the one shows how the other is done. A
shape depends on the call alone, never on how often something was seen, so that what is
stored today equals what is asked for tomorrow. Values do not get in: of a path its
ending, of an option its name, of a short word from a closed list the word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from oldhand.named_tuple import NamedTuple
from oldhand.sessions.call_view import MAX_PARSED_CHARS, CallView
from oldhand.sessions.known_tools import code_of
from oldhand.shell import Command, CommandLine

MAX_CHARS = 200
_MAX_NAME_CHARS = 60
_MAX_FLAGS = 6
_MAX_VALUE_CHARS = 4_000

_UNSHOWN_KEYS = frozenset({"description", "timeout"})
_CHOICES = """
    mode type kind status state operation action level format method order sort direction
    severity priority language lang unit units strategy scope role category effort model
    view verbosity encoding engine provider cabin insurance isolation visibility stage
"""
_CHOICE_KEYS = frozenset(_CHOICES.split())
_LITERALS = {None: "null", True: "true", False: "false"}
_CHOICE = re.compile(r"[A-Za-z][a-z]*(?:[_-][a-z]+)*")
_MAX_CHOICE_CHARS = 24
_PATH_ENDING = re.compile(r"\.([A-Za-z0-9]{1,6})$")
_FILE_NAME = re.compile(r"[\w.@+*?{},-]{1,100}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w{1,40})", re.MULTILINE)
_FIRST_WORD = re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:\w+=\S*\s+)*(\S{1,80})")
_PROGRAM = re.compile(r"[\w.+@-]{1,48}")
_TOKEN_LIKE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_]{20,}")

_NUMBER = "-N"  # of `head -20`: a particular
_LONG_FLAG_CHARS = 30
_SHORT_FLAG_CHARS = 5
_WORDS = """
    -run -tags -race -short -timeout -count -cover -coverprofile -bench -benchmem -json
    -list -mod -trimpath -ldflags -parallel -failfast -shuffle -fuzz -name -iname -path
    -ipath -type -maxdepth -mindepth -exec -execdir -print -print0 -delete -prune -regex
    -size -mtime -mmin -newer -empty -perm -user -group -version -help -classpath -auto-approve
    -target -var-file -input -output -no-color -filter_complex -verbose
"""
_WORDY_FLAGS = frozenset(_WORDS.split())


class Shape(NamedTuple):
    """What a call looks like, from the coarsest level to the finest.

    Each is printable text of at most 200 characters.
    """

    tool: str
    keys: str
    shape: str
    flags: str


def shape_of(tool: str, arguments: Mapping[str, Any]) -> Shape:
    """Return the shape of a call; the order of its arguments does not matter.

    Example:
        >>> shape_of("Bash", {"command": "cd x && git diff --stat a.py | head -5"}).flags
        'Bash:git diff --stat|&'
        >>> shape_of("Grep", {"pattern": "def f", "output_mode": "content"}).shape
        'Grep(output_mode=content,pattern:str)'
    """
    return shape_of_view(CallView(tool, arguments))


def shape_of_view(view: CallView) -> Shape:
    """Return the shape of a call whose view is at hand; else as `shape_of`."""
    tool, keys = _tool_and_keys(view.tool, *view.arguments)
    if view.command is not None:
        shape, flags = _of_command(tool, view)
    else:
        code = code_of(view.tool, view.arguments) if view.use == "code" else None
        shape = flags = _of_code(tool, code) if code else _of_values(view, tool)
    return Shape(tool, keys, shape, flags)


@lru_cache(maxsize=256)  # a session has few tools, each called with few sets of names
def _tool_and_keys(tool: str, *names: str) -> tuple[str, str]:
    tool = _bounded(tool, _MAX_NAME_CHARS) or "?"
    shown = sorted(name for name in map(str, names) if name not in _UNSHOWN_KEYS)
    return tool, _bounded(f"{tool}({','.join(shown)})")


def _of_command(tool: str, view: CallView) -> tuple[str, str]:
    words, flags = view.ask(_words_and_flags)
    if words is None:
        shape = _bounded(f"{tool}:{_first_word(view.command or '')}")
        return shape, shape
    shape = _bounded(f"{tool}:{words}")
    return shape, _bounded(f"{shape}{flags}")


def _words_and_flags(line: CommandLine | None) -> tuple[str | None, str]:
    """Return a line's first program with its subcommand, and what stands behind it."""
    if line is None or not line.commands:
        return None, ""
    first = line.first or line.commands[0]
    operators = {command.before for command in line.commands}
    flags = {_flag(flag, by) for by in line.commands for flag in by.flags}
    flags.discard(_NUMBER)
    shown = "".join(f" {flag}" for flag in sorted(flags)[:_MAX_FLAGS])
    piped = "|" if not operators.isdisjoint({"|", "|&"}) else ""
    chained = "&" if "&&" in operators else ""
    words = f"{_program(first.program)} {first.subcommand}".rstrip()
    return words, f"{shown}{piped}{chained}"


def _of_code(tool: str, code: str) -> str:
    found = _IMPORT.search(code[:MAX_PARSED_CHARS])
    return _bounded(f"{tool}:{found[1] if found else ''}")


def _of_values(view: CallView, tool: str) -> str:
    parts = [
        _of_value(str(name), value)
        for name, value in view.arguments.items()
        if name not in _UNSHOWN_KEYS
    ]
    parts.sort()
    return _bounded(f"{tool}({','.join(parts)})")


def _of_value(name: str, value: object) -> str:
    if isinstance(value, str):
        if len(value) <= _MAX_CHOICE_CHARS and _is_choice(name, value):
            return f"{name}={value}"
        return f"{name}:{_class_of_text(name, value)}"
    if value is None or isinstance(value, bool):
        return f"{name}={_LITERALS[value]}"
    if isinstance(value, int | float):
        return f"{name}:num"
    return f"{name}:{'list' if isinstance(value, list | tuple) else 'obj'}"


def _is_choice(name: str, value: str) -> bool:
    """Say whether a short value is one of a closed list: the key's last word tells."""
    last = name.rpartition("_")[2].lower()
    return last in _CHOICE_KEYS and _CHOICE.fullmatch(value) is not None


def _class_of_text(name: str, value: str) -> str:
    start = value[:_MAX_VALUE_CHARS]
    if "\n" in start:
        return "text"
    if start.startswith(("http://", "https://")):
        return "url"
    has_slash = "/" in start[:MAX_CHARS]
    is_file = "file" in name or "path" in name or "glob" in name
    is_path = has_slash or (is_file and _FILE_NAME.fullmatch(start))
    if is_path and (ending := _PATH_ENDING.search(value[-8:])):
        return f"path.{ending[1].lower()}"
    if has_slash and " " not in start:
        return "path"
    return "date" if _DATE.match(start) else "str"


def _flag(flag: str, command: Command) -> str:
    """Keep the name of an option and drop a value that is glued to it, as `-pSECRET`."""
    if flag.startswith("--"):
        return flag[:_LONG_FLAG_CHARS]
    if flag in _WORDY_FLAGS:
        return flag
    is_bundle = len(flag) <= _SHORT_FLAG_CHARS and flag[1:].isalpha()
    return flag if is_bundle and not _takes_password(command) else flag[:2]


def _takes_password(command: Command) -> bool:
    return command.program.startswith(("mysql", "maria", "sshpass", "curl"))


def _program(name: str) -> str:
    if not _PROGRAM.fullmatch(name) or _TOKEN_LIKE.fullmatch(name):
        return "?"
    return name


def _first_word(command: str) -> str:
    found = _FIRST_WORD.match(command[:MAX_PARSED_CHARS])
    return _program(found[1].rpartition("/")[2]) if found else "?"


def _bounded(text: str, limit: int = MAX_CHARS) -> str:
    text = text[:limit]
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else "?" for char in text)
