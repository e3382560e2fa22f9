"""The rows of the list taken apart once, and held against commands.

A command meets only the rows of its own program and those for any program, so the cost
of a harmless one does not grow with the list.
"""

from __future__ import annotations

from collections.abc import Callable

from oldhand.lazy_pattern import LazyPattern
from oldhand.named_tuple import NamedTuple
from oldhand.risk import on_data, on_files, on_programs, paths
from oldhand.risk.options import has_long, has_short
from oldhand.risk.rules import RULES, Rule
from oldhand.shell import Command, CommandLine

_ANY_PROGRAM = "*"
_ANY_REDIRECT = ">"
_GAP = ".."

# In a line that cannot be read, a program of these rows alone means nothing: `echo` is
# risky only for what it prints.
_NEEDS_WORDS = frozenset(
    {on_data.prints_secret, on_data.prints_environment, on_data.posts_message}
    | {on_data.deletes_in_code, on_files.writes_to_system, on_files.discards_all}
    | {on_programs.is_release_task, on_programs.reads_download}
    | {on_programs.runs_download}
)

# Behind one of these a word is a value, though it may look like `--dry-run`.
_VALUED = frozenset(
    {"-o", "-e", "--push-option", "--exclude", "--repo", "--receive-pack", "--exec"}
    | {"--registry", "--tag", "--filename"}
)
_NOT_REALLY = frozenset({"none", "false", "0", "off"})
_SHORT = len("-x")
_MARKS = str.maketrans("", "", "'\"\\")
_WORDS = LazyPattern(r"[\w.:-]+")


Matcher = Callable[[Command, CommandLine], bool]


class Pattern(NamedTuple):
    """One row of a rule.

    Attributes:
        rule: The rule.
        order: Its place on the list, from 0.
        programs: Any one of these.
        operands: In this order, any one of each.
        first: The first of `operands`; one that is not in the words rules a row out.
        has_gap: The first operand may stand anywhere.
        options: All of these.
        unless: None of these.
        agrees: A function that must agree, or None.
    """

    rule: Rule
    order: int
    programs: frozenset[str]
    operands: tuple[frozenset[str], ...]
    first: frozenset[str]
    has_gap: bool
    options: tuple[str, ...]
    unless: tuple[str, ...]
    agrees: Matcher | None


def matching(command: Command, line: CommandLine) -> list[Pattern]:
    """Return the rows that a command of a line matches."""
    rows = _BY_PROGRAM.get(command.program) or _BY_PROGRAM.get(
        command.program.partition(".")[0], ()
    )
    words = command.words
    likely = [r for r in rows if not r.operands or not r.first.isdisjoint(words)]
    fitting = [*_FOR_ANY, *(row for row in likely if _fits(row, command))]
    if command.redirects:
        fitting += _FOR_REDIRECTS
    return [row for row in fitting if not row.agrees or row.agrees(command, line)]


def names_risky_program(line: str) -> bool:
    """Search a text that cannot be read for the programs and operands of the list.

    Example:
        >>> names_risky_program("echo 'x; /bin/r''m y"), names_risky_program("echo 'x")
        (True, False)
    """
    words = set(_WORDS.findall(line.translate(_MARKS)))
    words |= {word.rpartition(".")[0] for word in words if "." in word}
    if paths.SECRET_HINT.search(line) or "/dev/tcp" in line:
        return True
    return any(
        not row.programs.isdisjoint(words)
        and all(not needed.isdisjoint(words) for needed in row.operands)
        for row in _ROWS
        if row.agrees not in _NEEDS_WORDS
    )


def _fits(row: Pattern, command: Command) -> bool:
    if row.operands and not _has_operands(row, command):
        return False
    if not (row.options or row.unless):
        return True
    words = command.words
    given = words[: words.index("--")] if "--" in words else words
    return all(_has_option(given, option) for option in row.options) and not any(
        _is_exempt(given, option) for option in row.unless
    )


def _has_operands(row: Pattern, command: Command) -> bool:
    words = command.words
    operands = [word for word in words if word[:1] != "-"]
    is_sure = command.program == "git" or words[:1] == tuple(operands[:1])
    if is_sure and not row.has_gap:
        first = command.subcommand or (operands[0] if operands else "")
        if first not in row.operands[0]:
            return False
        operands = operands[operands.index(first) :]
    at = iter(operands)
    return all(any(word in needed for word in at) for needed in row.operands)


def _has_option(words: tuple[str, ...], option: str) -> bool:
    if option[-1] == "*":
        return any(word.startswith(option[:-1]) for word in words)
    if option[:2] == "--":
        return has_long(words, option)
    return has_short(words, option[1]) if len(option) == _SHORT else option in words


def _is_exempt(words: tuple[str, ...], option: str) -> bool:
    for before, word in zip(("", *words), words, strict=False):
        name, _, value = word.partition("=")
        is_option = name == option or (
            len(option) == _SHORT and has_short((word,), option[1])
        )
        if is_option and before not in _VALUED and value not in _NOT_REALLY:
            return True
    return False


def _pattern(rule: Rule, order: int, *, row: str) -> Pattern:
    programs, *rest = row.split()
    names = [token[1:] for token in rest if token[0] == "@"]
    operands = [token for token in rest if token[0] not in "-!@" and token != _GAP]
    needed = tuple(frozenset(token.split("|")) for token in operands)
    return Pattern(
        rule=rule,
        order=order,
        programs=frozenset(programs.split("|")),
        operands=needed,
        first=needed[0] if needed else frozenset(),
        has_gap=_GAP in rest,
        options=tuple(token for token in rest if token[0] == "-"),
        unless=tuple(token[1:] for token in rest if token[0] == "!"),
        agrees=_matcher(names[0]) if names else None,
    )


def _matcher(name: str) -> Matcher:
    modules = (on_files, on_programs, on_data)
    found: Matcher = next(getattr(m, name) for m in modules if hasattr(m, name))
    return found


def _patterns() -> list[Pattern]:
    return [
        _pattern(rule, order, row=row)
        for order, rule in enumerate(RULES)
        for row in rule.commands.strip().splitlines()
    ]


def _by_program(rows: list[Pattern]) -> dict[str, tuple[Pattern, ...]]:
    found: dict[str, tuple[Pattern, ...]] = {}
    for row in rows:
        for program in row.programs:
            found[program] = (*found.get(program, ()), row)
    return found


_ROWS = _patterns()
_BY_PROGRAM = _by_program(_ROWS)
_FOR_ANY = _BY_PROGRAM.pop(_ANY_PROGRAM)
_FOR_REDIRECTS = _BY_PROGRAM.pop(_ANY_REDIRECT)
