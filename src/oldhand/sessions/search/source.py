"""What of a message can be searched, redacted: what is found and shown is this, and no more.

Text that people and models wrote counts in full. Of a tool's result the beginning does: the
rest is bulk that would be most of the index. Of a call the values of its arguments count;
their names are the same in all calls of a tool and would only make hits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from oldhand.redact import redact
from oldhand.sessions.payloads import content_of
from oldhand.store import Queries, Store

RESULT_CHARS = 2_000
_READ_CHARS = 4_000  # of a result: a secret must not lose its end, by which it is known
_SQL = Queries("oldhand.sessions")


class Source(NamedTuple):
    """A message as it stands in the tables, so that a change shows by comparing."""

    id: int
    role: str
    content: str
    arguments: tuple[str, ...]

    def text(self) -> str:
        """Return what of it can be searched, redacted."""
        said = redact(self.content)
        if self.role == "tool":
            said = said[:RESULT_CHARS]
        parts = [said, *map(_values_of, self.arguments)]
        return "\n".join(part for part in parts if part)


def read_sources(
    store: Store, first_id: int, after_id: int, *, limit: int
) -> list[Source]:
    """Return messages from `first_id` up to, and without, `after_id`."""
    rows = store.query_all(
        _SQL["search_sources"],
        {"first": first_id, "after": after_id, "chars": _READ_CHARS, "limit": limit},
    )
    if not rows:
        return []
    arguments: dict[int, list[str]] = {}
    span = {"first": rows[0][0] << 10, "after": rows[-1][0] + 1 << 10}
    for message_id, text in store.query_all(_SQL["search_arguments"], span):
        arguments.setdefault(message_id, []).append(text)
    return [
        Source(
            row_id, role, _cut(role, content, body), tuple(arguments.get(row_id, ()))
        )
        for row_id, role, content, body in rows
    ]


def _cut(role: str, content: str, body: bytes | None) -> str:
    text = content_of(content, body)
    return text[:_READ_CHARS] if role == "tool" else text


def _values_of(arguments: str) -> str:
    """Return the values of a call's arguments as lines, without JSON's escapes."""
    clean = redact(arguments)
    try:
        value = orjson.loads(clean)
    except orjson.JSONDecodeError:
        return clean
    top = list(value.values()) if isinstance(value, dict) else [value]
    return "\n".join(_texts(top))


def _texts(values: list[Any]) -> Iterator[str]:
    """Yield strings and numbers in order, and the keys below the first level."""
    left = values[::-1]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            left.extend(value[::-1])
        elif isinstance(value, dict):
            left.extend(part for item in reversed(value.items()) for part in item[::-1])
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield str(value)
