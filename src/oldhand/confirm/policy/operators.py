"""What a condition can ask of a value: eq, in, glob, le … each made into a test.

A test of an allow rule says yes only when it is sure. A test of a deny or ask rule errs to
the other side where a value can't be compared at all: a text where a number should be, NaN.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from oldhand.confirm.policy.globs import Glob
from oldhand.confirm.policy.model import MISSING, Anchor, Condition, Effect, Test
from oldhand.confirm.policy.shell_patterns import climbs, program_of, shell_test
from oldhand.confirm.policy.values import is_number, key_of
from oldhand.errors import InvalidInput

_MAX_PATTERN_CHARS = 1_000
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}

Path = tuple[str, ...]


def make_condition(path: Path, name: str, operand: object, effect: Effect) -> Condition:
    """Make one condition of a rule.

    Args:
        path: Of the value that it is about.
        name: One of `OPERATORS`.
        operand: What the file says.
        effect: Of the rule.

    Raises:
        InvalidInput: The operand is not what the operator takes.
    """
    return _MAKERS[name](path, name, operand, effect)


def _equal(path: Path, name: str, operand: object, _effect: Effect) -> Condition:
    key = _key(operand, name)
    anchors = (Anchor("equal", path, key),)
    return Condition(
        path, name, operand, lambda v: key_of(v) == key, anchors, len(str(operand)) + 1
    )


def _key(operand: object, name: str) -> object:
    key = key_of(operand)
    if key is None:
        raise InvalidInput(
            f"{name} is {operand!r}; expected a text, number or truth value"
        )
    return key


def _among(path: Path, name: str, operand: object, effect: Effect) -> Condition:
    keys = frozenset(_key(value, name) for value in _list(operand, name))
    if name == "in":
        anchors = tuple(Anchor("equal", path, key) for key in keys)
        return Condition(path, name, operand, lambda v: key_of(v) in keys, anchors)

    def is_none_of(value: object) -> bool:
        # Leaving a field out must not get round a deny rule, nor earn an allow rule's yes.
        if value is MISSING:
            return effect != "allow"
        key = key_of(value)
        return effect != "allow" if key is None else key not in keys

    return Condition(path, name, operand, is_none_of)


def _glob(path: Path, name: str, operand: object, effect: Effect) -> Condition:
    texts = [operand] if isinstance(operand, str) else _list(operand, name)
    globs = tuple(Glob(_pattern(text, name)) for text in texts)
    test = _glob_test(globs, effect)
    anchors = tuple(_anchor_of(path, glob) for glob in globs)
    has_any = not all(glob.inside for glob in globs)
    weight = min(glob.literal_chars for glob in globs)
    return Condition(path, name, operand, test, () if has_any else anchors, weight)


def _anchor_of(path: Path, glob: Glob) -> Anchor:
    if glob.is_literal:
        return Anchor("equal", path, ("text", glob.text))
    if glob.head:
        return Anchor("prefix", path, glob.head)
    return Anchor("inside", path, glob.inside)


def _glob_test(globs: tuple[Glob, ...], effect: Effect) -> Test:
    def fits(value: object) -> bool:
        return isinstance(value, str) and any(
            glob.matches(value) and not (effect == "allow" and _escapes(glob, value))
            for glob in globs
        )

    return fits


def _escapes(glob: Glob, value: str) -> bool:
    """Say whether `..` leads out of the directory that a glob names."""
    return "/" in glob.text and ".." not in glob.text and climbs(value)


def _starts_with(path: Path, name: str, operand: object, effect: Effect) -> Condition:
    texts = [operand] if isinstance(operand, str) else _list(operand, name)
    starts = tuple(_pattern(text, name) for text in texts)
    may_climb = effect != "allow" or not any("/" in start for start in starts)

    def begins(value: object) -> bool:
        return (
            isinstance(value, str)
            and value.startswith(starts)
            and (may_climb or not climbs(value))
        )

    anchors = tuple(Anchor("prefix", path, start) for start in starts)
    return Condition(path, name, operand, begins, anchors, min(map(len, starts)))


def _order(path: Path, name: str, operand: object, effect: Effect) -> Condition:
    if not is_number(operand):
        raise InvalidInput(f"{name} is {operand!r}; expected a finite number")
    compare = _ORDERS[name]

    def is_on_side(value: object) -> bool:
        if is_number(value):
            return compare(value, operand)
        return value is not MISSING and effect != "allow"

    return Condition(path, name, operand, is_on_side)


def _exists(path: Path, name: str, operand: object, _effect: Effect) -> Condition:
    if not isinstance(operand, bool):
        raise InvalidInput(f"exists is {operand!r}; expected true or false")
    return Condition(path, name, operand, lambda v: (v is not MISSING) == operand)


def _shell(path: Path, name: str, operand: object, effect: Effect) -> Condition:
    if name == "shell_all" and effect != "allow":
        raise InvalidInput(
            f"shell_all is for allow rules, as adding a command would get round this "
            f"{effect} rule; expected shell_any"
        )
    patterns = [_command_pattern(text, name) for text in _list(operand, name)]
    programs = [program_of(pattern) for pattern in patterns]
    anchors = (
        ()
        if None in programs
        else tuple(
            Anchor("program", path, program) for program in dict.fromkeys(programs)
        )
    )
    weight = min(Glob(pattern).literal_chars for pattern in patterns)
    return Condition(
        path, name, patterns, shell_test(patterns, effect), anchors, weight
    )


def _pattern(text: object, name: str) -> str:
    if not isinstance(text, str) or not text:
        raise InvalidInput(f"{name} holds {text!r}; expected a text that is not empty")
    if len(text) > _MAX_PATTERN_CHARS:
        raise InvalidInput(
            f"{name} holds {len(text)} characters; expected {_MAX_PATTERN_CHARS} at most"
        )
    return text


def _command_pattern(text: object, name: str) -> str:
    pattern = _pattern(text, name)
    if pattern != " ".join(pattern.split()):
        raise InvalidInput(
            f"{name} holds {text!r}; expected words with one blank between them"
        )
    return pattern


def _list(operand: object, name: str) -> Sequence[object]:
    if not isinstance(operand, list) or not operand:
        raise InvalidInput(
            f"{name} is {operand!r}; expected a list with something in it"
        )
    return operand


_MAKERS: dict[str, Callable[[Path, str, object, Effect], Condition]] = {
    "eq": _equal,
    "in": _among,
    "not_in": _among,
    "glob": _glob,
    "starts_with": _starts_with,
    **dict.fromkeys(_ORDERS, _order),
    "exists": _exists,
    "shell_any": _shell,
    "shell_all": _shell,
}

OPERATORS = frozenset(_MAKERS)
"""The names of all operators."""
