"""The details of a request as a person reads them: each field once, by what it is.

A command line is shown with every part that runs; what replaces a text by another as the
lines that go and come; SQL, requests to servers and long texts plainly; all else as an
indented table, which comes first where a long text follows: it says of which file. Nothing
is left out or cut short. What is too long to be laid out well is shown whole as JSON in
ASCII.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.web.pages.command_parts import Part, parts_of
from oldhand.web.pages.lookalikes import LETTERS
from oldhand.web.pages.text_changes import Line, changes

MOST_CHARS = 200_000
"""Of details as JSON: above it, they are shown as JSON alone."""
_MOST_ODD = 20_000
_MOST_SHORT_CHARS = 1_200
_MOST_SHORT_LINES = 12
_LINE_CHARS = 100

_COMMAND_KEYS = ("command", "cmd", "command_line", "script", "commands")
_SQL_KEYS = ("sql", "query", "statement")
_SQL_WORDS = frozenset(
    [
        "select",
        "insert",
        "update",
        "delete",
        "drop",
        "create",
        "alter",
        "truncate",
        "with",
        "grant",
        "revoke",
        "merge",
        "replace",
        "explain",
        "begin",
        "vacuum",
        "pragma",
        "call",
    ]
)
_OF_HTTP = ("headers", "params", "body", "json", "data")
_PAIRS = (
    ("old_string", "new_string"), ("old_text", "new_text"), ("old_str", "new_str"),
    ("old", "new"), ("before", "after"), ("old_content", "new_content"),
)  # fmt: skip


class Row(NamedTuple):
    """A row of the table; `kind` is `text`, `number`, `word` (true, null), `object`, `list`."""

    depth: int
    key: str
    kind: str
    value: str


class Fact(NamedTuple):
    """Some fields of the details, laid out.

    Attributes:
        kind: `command`, `change`, `sql`, `http`, `text`, `table` or `json`.
        label: The name of the field, or of what they are together.
        text: Of a command, SQL, a text or JSON.
        parts: Of a command; None where it cannot be taken apart.
        lines: Of a change.
        rows: Of a table, or of what else belongs to a request to a server.
    """

    kind: str
    label: str
    text: str = ""
    parts: tuple[Part, ...] | None = None
    lines: tuple[Line, ...] = ()
    rows: tuple[Row, ...] = ()


def facts_of(details: Mapping[str, Any]) -> list[Fact]:
    """Lay details out; each field is in exactly one fact.

    Example:
        >>> [(fact.kind, fact.label) for fact in facts_of({"command": "ls", "n": 1})]
        [('command', 'command'), ('table', 'further details')]
    """
    raw = canonical_json(details)
    if len(raw) > MOST_CHARS or _odd_count(raw) > _MOST_ODD:
        return [Fact("json", "details", text=ascii_json(details))]
    left = dict(details)
    found = list(_special(left))
    if not left and found:
        return found
    is_of_a_file = any(fact.kind in {"change", "text"} for fact in found)
    label = "further details" if found and not is_of_a_file else "details"
    table = Fact("table", label, rows=tuple(_rows(left, 0)))
    return [table, *found] if is_of_a_file else [*found, table]


def ascii_json(value: object) -> str:
    r"""Write JSON in ASCII, so that no character of it can hide.

    Example:
        >>> print(ascii_json({"a": "\u202e"}))
        {"a":"\u202e"}
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def short_facts_of(details: Mapping[str, Any]) -> list[Fact] | None:
    """Lay details out where they are so short that a list can show all of them.

    Example:
        >>> short_facts_of({"text": "word " * 1000}) is None
        True
    """
    if len(canonical_json(details)) > _MOST_SHORT_CHARS:
        return None
    facts = facts_of(details)
    return facts if sum(map(_height, facts)) <= _MOST_SHORT_LINES else None


def _height(fact: Fact) -> int:
    """Say how many lines of a page a fact takes, about."""
    texts = [
        fact.text,
        *(row.value for row in fact.rows),
        *(line.text for line in fact.lines),
    ]
    return sum(1 + text.count("\n") + len(text) // _LINE_CHARS for text in texts)


def _odd_count(raw: str) -> int:
    """Count the characters that may need a mark, each of which is long."""
    if raw.isascii():
        return 0
    return sum(
        char in LETTERS or not char.isalnum() for char in raw if not char.isascii()
    )


def _special(left: dict[str, Any]) -> Iterator[Fact]:
    """Yield the fields that are more than a row, and take them out."""
    for key in _COMMAND_KEYS:
        if isinstance(left.get(key), str):
            yield _command(key, left.pop(key))
    for old, new in _PAIRS:
        if isinstance(left.get(old), str) and isinstance(left.get(new), str):
            lines = changes(left.pop(old), left.pop(new))
            yield Fact("change", f"{old} → {new}", lines=tuple(lines))
    yield from _edits(left)
    for key in _SQL_KEYS:
        if isinstance(left.get(key), str) and _is_sql(left[key]):
            yield Fact("sql", key, text=left.pop(key))
    if isinstance(left.get("url"), str):
        yield _http(left)
    for key in [key for key in left if _is_long(left[key])]:
        yield Fact("text", key, text=left.pop(key))


def _command(key: str, line: str) -> Fact:
    return Fact("command", key, text=line, parts=parts_of(line))


def _edits(left: dict[str, Any]) -> Iterator[Fact]:
    """Yield a list of replacements, where it is nothing else."""
    edits = left.get("edits")
    if not isinstance(edits, list) or not edits:
        return
    found = []
    for at, edit in enumerate(edits):
        if not isinstance(edit, dict):
            return
        rest = dict(edit)
        pair = next(
            (p for p in _PAIRS if all(isinstance(rest.get(k), str) for k in p)), None
        )
        if pair is None:
            return
        lines = tuple(changes(rest.pop(pair[0]), rest.pop(pair[1])))
        rows = tuple(_rows(rest, 0))
        label = f"edits {at + 1}.: {pair[0]} → {pair[1]}"
        found.append(Fact("change", label, lines=lines, rows=rows))
    del left["edits"]
    yield from found


def _is_sql(text: str) -> bool:
    words = text.split(None, 1)
    return bool(words) and words[0].lower() in _SQL_WORDS


def _http(left: dict[str, Any]) -> Fact:
    method = left.pop("method", None) if isinstance(left.get("method"), str) else None
    url = left.pop("url")
    rest: dict[str, Any] = {key: left.pop(key) for key in _OF_HTTP if key in left}
    text = f"{method} {url}" if method else url
    label = "method, url" if method else "url"
    return Fact("http", label, text=text, rows=tuple(_rows(rest, 0)))


def _is_long(value: object) -> bool:
    return isinstance(value, str) and ("\n" in value or len(value) > 200)  # noqa: PLR2004


def _rows(value: Mapping[str, Any], depth: int) -> Iterator[Row]:
    for key, held in value.items():
        yield from _row(key, held, depth)


def _row(key: str, value: object, depth: int) -> Iterator[Row]:
    if isinstance(value, Mapping) and value:
        yield Row(depth, key, "object", "")
        yield from _rows(value, depth + 1)
    elif isinstance(value, list) and value:
        yield Row(depth, key, "list", "")
        for at, held in enumerate(value):
            yield from _row(f"{at + 1}.", held, depth + 1)
    elif isinstance(value, str):
        yield Row(depth, key, "text", value)
    elif isinstance(value, bool) or value is None:
        yield Row(depth, key, "word", canonical_json(value))
    elif isinstance(value, (int, float)):
        yield Row(depth, key, "number", canonical_json(value))
    else:
        yield Row(depth, key, "word", "{}" if isinstance(value, Mapping) else "[]")
