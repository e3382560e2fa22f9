"""Change a JSON text in place: what is not changed keeps every byte.

A settings file is a person's: parsed and written anew it would lose how they broke its
lines, wrote its numbers and escaped its letters. So values are found by their place in the
text, and only the text of a new or a removed value is put in or cut out, laid out as its
neighbours are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from oldhand.errors import InvalidInput

_SPACE = " \t\r\n"
_DEFAULT_INDENT = "  "


class Part(NamedTuple):
    """One value inside an object or an array.

    Attributes:
        key: Its name; None in an array.
        start: Where its text begins, with its name.
        value: Where the value itself begins.
        end: Where it ends.
    """

    key: str | None
    start: int
    value: int
    end: int


class Layout(NamedTuple):
    """How a text is broken into lines.

    Attributes:
        indent: What a level is indented by; None where all stands on one line.
        newline: What ends a line.
    """

    indent: str | None
    newline: str


def parse(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Read a JSON text as strictly as JavaScript does.

    Raises:
        InvalidInput: It is none, or one that programs read in different ways.
    """
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except InvalidInput:
        raise
    except json.JSONDecodeError as fault:
        hint = "; comments are not JSON" if _is_comment(text, fault.pos) else ""
        raise InvalidInput(
            f"line {fault.lineno}, column {fault.colno}: {fault.msg}{hint}"
        ) from fault
    except (ValueError, RecursionError) as fault:
        raise InvalidInput(f"no JSON that can be read: {fault}") from fault


def find(text: str, path: Sequence[str | int]) -> int | None:
    """Return where a value begins; None where there is none.

    Args:
        text: That `parse` takes.
        path: Names and numbers that lead there from the top.
    """
    at = _skip_space(text, 0)
    for step in path:
        if text[at] not in "{[":
            return None
        found = [
            part
            for number, part in enumerate(parts(text, at))
            if (part.key if isinstance(step, str) else number) == step
        ]
        if not found:
            return None
        at = found[0].value
    return at


def parts(text: str, at: int) -> list[Part]:
    """Return what stands in the object or array that begins at a place, in order."""
    is_object = text[at] == "{"
    decode = json.JSONDecoder().raw_decode
    found: list[Part] = []
    at = _skip_space(text, at + 1)
    while text[at] not in "}]":
        start, key = at, None
        if is_object:
            key, at = decode(text, at)
            at = _skip_space(text, _skip_space(text, at) + 1)
        _, end = decode(text, at)
        found.append(Part(key, start, at, end))
        at = _skip_space(text, end)
        if text[at] == ",":
            at = _skip_space(text, at + 1)
    return found


def append(text: str, at: int, value: Any, *, key: str | None = None) -> str:  # noqa: ANN401 - any JSON value
    """Return the text with a value put at the end of an object or array.

    Args:
        text: That `parse` takes.
        at: Where the object or array begins.
        value: Any JSON value.
        key: Its name; None in an array.
    """
    layout = layout_of(text)
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    found = parts(text, at)
    if not found:
        end = text.index("}" if text[at] == "{" else "]", at)
        outer = _line_indent(text, at)
        if layout.indent is None:
            middle = name + _written(value, Layout(None, ""), "")
        else:
            inner = outer + layout.indent
            shown = name + _written(value, layout, inner)
            middle = f"{layout.newline}{inner}{shown}{layout.newline}{outer}"
        return text[: at + 1] + middle + text[end:]
    last = found[-1]
    inner = _line_indent(text, last.start)
    if layout.indent is None or not _begins_line(text, last.start):
        shown = f", {name}{_written(value, Layout(None, ''), '')}"
    else:
        shown = f",{layout.newline}{inner}{name}{_written(value, layout, inner)}"
    return text[: last.end] + shown + text[last.end :]


def cut(text: str, at: int, number: int) -> str:
    """Return the text without one value of the object or array that begins at a place."""
    found = parts(text, at)
    part = found[number]
    if number > 0:
        return text[: found[number - 1].end] + text[part.end :]
    if len(found) > 1:
        return text[: part.start] + text[found[1].start :]
    end = text.index("}" if text[at] == "{" else "]", part.end)
    return text[: at + 1] + text[end:]


def layout_of(text: str) -> Layout:
    """Return how a text is laid out, judged by the first value in it."""
    newline = "\r\n" if "\r\n" in text else "\n"
    start = _skip_space(text, 0)
    found = parts(text, start) if text[start] in "{[" else []
    if not found:
        return Layout(_DEFAULT_INDENT, newline)
    if not _begins_line(text, found[0].start):
        return Layout(None, newline)
    return Layout(_line_indent(text, found[0].start), newline)


def _written(value: Any, layout: Layout, indent: str) -> str:  # noqa: ANN401 - any JSON value
    """Return a value's text, its further lines indented."""
    shown = json.dumps(value, indent=layout.indent, ensure_ascii=False)
    return shown.replace("\n", layout.newline + indent)


def _line_indent(text: str, at: int) -> str:
    """Return the space that the line of a place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _begins_line(text: str, at: int) -> bool:
    start = text.rfind("\n", 0, at)
    return start >= 0 and not text[start:at].strip(_SPACE)


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _refuse(name: str) -> NoReturn:
    raise InvalidInput(f"{name} is no JSON value")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(f"{twice!r} stands twice in the same object")
    return value


def _is_comment(text: str, at: int) -> bool:
    return text[at : at + 2] in {"//", "/*"} or text[at : at + 1] == "#"
