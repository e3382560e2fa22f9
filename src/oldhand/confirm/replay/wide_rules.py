"""Rules that a person might write for the calls of an agent, wide enough to be worth it.

A call belongs to a family: command lines of one set of shapes (`git diff`, `go test`),
calls of a tool within one directory, or calls of a tool at all. Nothing wide is made of
programs that run whatever they are given: `python`, `bash`, `npx`, `curl`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from oldhand.confirm.policy import Asked
from oldhand.confirm.policy.command_lines import Part, line_of
from oldhand.confirm.policy.shell_patterns import climbs
from oldhand.confirm.policy.values import value_at
from oldhand.shell.programs import subcommand_of

COMMAND_KEYS = ("command", "cmd")
_PATH_KEYS = ("file_path", "path", "notebook_path", "directory", "filename", "file")
_CODE_KEYS = frozenset({"code", "source", "script", "sql", "statement", "input"})

# Programs whose words are programs again, or that reach out: no pattern holds them.
_NEVER_WIDE_ROWS = """
    sh bash zsh dash ksh ash fish eval source . exec trap alias export declare local
    typeset readonly set unset read printf env xargs parallel find fd fdfind ssh scp sftp
    rsync curl wget nc ncat socat telnet python python3 pypy node deno bun ruby perl php
    lua awk gawk mawk sed ed vi vim nano emacs npx bunx pnpx uvx pipx docker podman kubectl
    oc screen tmux at batch crontab nohup su sudo doas chroot psql mysql sqlite3 rg sort
    uniq tee dd cp mv ln install chmod chown rm rmdir kill
"""
_NEVER_WIDE = frozenset(_NEVER_WIDE_ROWS.split())
_NEVER_WIDE_SHAPES = frozenset(
    {"uv run", "poetry run", "pdm run", "hatch run", "pipenv run", "go run", "git grep"}
    | {"npm exec", "pnpm exec", "yarn exec", "pnpm dlx", "yarn dlx", "git config"}
    | {"mise exec", "mise x", "cargo run", "bundle exec", "go generate", "git bisect"}
    | {"git rebase", "git submodule", "git difftool", "git mergetool", "gh alias"}
)
# Of these the next word says what is done.
_DEEPER = frozenset(
    {"mise run", "npm run", "pnpm run", "yarn run", "bun run", "gh pr", "gh issue"}
    | {"gh run", "gh repo", "gh release", "glab mr", "git stash", "git remote"}
    | {"git worktree", "git notes", "go mod", "go tool"}
)
_LOOKING_ROWS = """
    cd|ls|cat|head|tail|wc|grep|egrep|fgrep|cut|tr|pwd|echo|true|diff|stat|du|df|which
    basename|dirname|whoami|uname|date|jq|sleep|git status|git diff|git log|git show
    git rev-parse|git ls-files|git ls-tree|git blame|git merge-base|git cat-file
"""
LOOKING = frozenset(
    shape
    for row in _LOOKING_ROWS.strip().splitlines()
    for shape in row.strip().split("|")
)
"""Shapes that only look, and stand beside others in most lines.

Not `test`: with -v bash runs what stands in the brackets of its argument.
"""

_PLAIN_WORD = re.compile(r"\w[\w:./-]*")
_LEAST_DIRECTORIES = 3  # of an absolute path: neither `/` nor all homes


class Lines(NamedTuple):
    """Command lines of a tool, all parts of which have one of these shapes."""

    action: str
    key: str
    shapes: frozenset[str]


class Within(NamedTuple):
    """Calls of a tool about what lies in one of these directories, each with its slash."""

    action: str
    key: str
    directories: tuple[str, ...]


class Plain(NamedTuple):
    """Calls of a tool without a command line, a path or a program text.

    Attributes:
        action: The tool.
        absent: A field that others of its calls have, and these not; or empty.
    """

    action: str
    absent: str = ""


Family = Lines | Within | Plain


def families_of(asked: Asked) -> Iterator[Family]:
    """Yield the families that a call belongs to, for a directory each one above it.

    Of a command line, `Lines` has the shapes that do more than look.
    """
    key = _present(asked, COMMAND_KEYS)
    if key:
        shapes = _shapes_of(asked.details[key])
        if shapes is not None:
            yield Lines(asked.action, key, shapes - LOOKING)
        return
    if not _CODE_KEYS.isdisjoint(asked.details):
        return
    key = _present(asked, _PATH_KEYS)
    if not key:
        yield Plain(asked.action)
        return
    path = asked.details[key]
    if isinstance(path, str) and not climbs(path):
        for directory in _directories(path.rpartition("/")[0]):
            yield Within(asked.action, key, (directory,))


def path_key_of(asked: Asked) -> str:
    """Return the field that holds a path, or an empty text."""
    return _present(asked, _PATH_KEYS)


def shapes_of(asked: Asked) -> frozenset[str]:
    """Return all shapes of a call's command line, those that only look among them."""
    key = _present(asked, COMMAND_KEYS)
    return (_shapes_of(asked.details[key]) if key else None) or frozenset()


def first_word(asked: Asked) -> str:
    """Return the program that a call's command line runs first, or an empty text.

    Example:
        >>> first_word(Asked("Bash", {"command": "cd x && go test ./..."}))
        'go'
    """
    for key in COMMAND_KEYS:
        line = line_of(value_at(asked, ("details", key)))
        if line is not None:
            return line.first_program or "?"
    return ""


def rule_text(rule_id: str, family: Family, shapes: Iterable[str] = ()) -> str:
    """Write the allow rule of a family as text for a policy file.

    Args:
        rule_id: Its id.
        family: What it allows.
        shapes: Of the command lines, for `Lines`.
    """
    match = f"action = {_exactly(family.action)}"
    if isinstance(family, Lines):
        patterns = [p for shape in sorted(shapes) for p in (shape, f"{shape} *")]
        written = ",\n".join(f"    {_text(pattern)}" for pattern in patterns)
        return (
            f'[[rule]]\nid = "{rule_id}"\neffect = "allow"\n'
            f"match.{match}\nmatch.details.{_key(family.key)}.shell_all = [\n{written},\n]\n"
        )
    if isinstance(family, Within):
        starts = ", ".join(map(_text, family.directories))
        where = f"{{ starts_with = [{starts}] }}"
        match += f", details.{_key(family.key)} = {where}"
    elif family.absent:
        match += f", details.{_key(family.absent)} = {{ exists = false }}"
    return f'[[rule]]\nid = "{rule_id}"\neffect = "allow"\nmatch = {{ {match} }}\n'


def name_of(family: Family) -> str:
    """Say in a few words what a family is, fit for the id of a rule.

    Example:
        >>> name_of(Within("Read", "file_path", ("/srv/project/",)))
        'read-in-project'
    """
    if isinstance(family, Lines):
        programs = sorted({shape.split()[0] for shape in family.shapes})
        said = "-".join(programs[:3]) or "looking"
        said = f"{family.action}-{said}"
    elif isinstance(family, Within):
        said = f"{family.action}-in-{family.directories[0].split('/')[-2]}"
    else:
        said = family.action
    return re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-")[:50] or "rule"


def _present(asked: Asked, keys: Iterable[str]) -> str:
    return next((key for key in keys if key in asked.details), "")


def _shapes_of(value: object) -> frozenset[str] | None:
    line = line_of(value)
    if line is None or line.parts is None:
        return None
    shapes = [_shape_of(part) for part in line.parts]
    return None if None in shapes else frozenset(filter(None, shapes))


def _shape_of(part: Part) -> str | None:
    """Return the program, with its subcommand where it has one; None where it is unfit."""
    program, *words = part.words
    if program.rpartition("/")[2] in _NEVER_WIDE or not _PLAIN_WORD.fullmatch(
        program.removeprefix("./").removeprefix(".")
    ):
        return None
    if "/" in program and climbs(part.text):
        return None
    if not part.subcommand:
        # Of `git --version` nothing narrower than `git *` could be made.
        has_subcommands = subcommand_of(program.rpartition("/")[2], ("x",)) != ""
        return None if has_subcommands else program
    if words[0] != part.subcommand:
        return None
    return _deeper(f"{program} {part.subcommand}", words[1:])


def _deeper(shape: str, words: list[str]) -> str | None:
    if shape in _NEVER_WIDE_SHAPES:
        return None
    if shape not in _DEEPER or not words:
        return shape
    return f"{shape} {words[0]}" if _PLAIN_WORD.fullmatch(words[0]) else None


@lru_cache(maxsize=4096)  # an agent works in few directories
def _directories(directory: str) -> tuple[str, ...]:
    """Return a directory and those above it, the narrowest first, each with its slash."""
    least = _LEAST_DIRECTORIES if directory.startswith("/") else 1
    parts = directory.split("/")
    return tuple(
        "/".join(parts[:count]) + "/"
        for count in range(len(parts), 0, -1)
        if len([part for part in parts[:count] if part]) >= least
    )


def _exactly(name: str) -> str:
    """Write a name where a glob stands, so that a wildcard in it stays itself."""
    is_wild = "*" in name or "?" in name
    return f"{{ eq = {_text(name)} }}" if is_wild else _text(name)


def _text(text: str) -> str:
    # What JSON escapes, TOML reads; DEL alone TOML wants escaped and JSON does not.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)
