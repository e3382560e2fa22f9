"""A session's calls as mining looks at them, with the particulars that two calls may share.

A call's particulars are its paths and other words that are not its options: an `Edit` of a
file and the `Read` of it before share the file's name. They are looked at and never kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from oldhand.lazy_pattern import LazyPattern
from oldhand.named_tuple import NamedTuple
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.keys import calls_of
from oldhand.sessions.known_tools import is_idle, use_of
from oldhand.sessions.payloads import content_of
from oldhand.store import Queries, Store

_SQL = Queries(__package__)
WORKED = frozenset(("ok", "empty"))
FAILED = "error"
"""A call that was a mistake. One whose checker says no is none: it is put right by other
work, and not by being called otherwise."""

_MAX_TEXT_CHARS = 2_000
_MAX_WORDS = 40
_UNTELLING_KEYS = frozenset(("description", "timeout"))
_WORD = LazyPattern(r"[\w.@:/~+-]{4,}")
# A path, a file, an address, or an id of letters and digits.
_TELLING = LazyPattern(r"(?=.*[A-Za-z])(?:.*[/.]|.*\d)")


class PastCall(NamedTuple):
    """One call of a session.

    Attributes:
        id: Its key in the database.
        tool_id: Of its tool.
        shape_id: Of its shape, at the finest level.
        outcome: How it went.
        error_kind: What kind of mistake it was; None where it was none.
        price: What it takes to show it, in tokens.
        arguments: As they are stored.
    """

    id: int
    tool_id: int
    shape_id: int
    outcome: str
    error_kind: str | None
    price: int
    arguments: str

    @property
    def message(self) -> int:
        """The key of the message that made it: calls of one message run together."""
        return self.id >> 10

    @property
    def has_worked(self) -> bool:
        """Whether it did what it was made for, found it or not."""
        return self.outcome in WORKED

    @property
    def has_failed(self) -> bool:
        """Whether it was a mistake."""
        return self.outcome == FAILED


class Names(NamedTuple):
    """What mining must know of the names of tools and shapes, by their ids.

    Attributes:
        idle_tools: Those that do no work.
        shells: Those that run command lines.
        first_of_shape: Of each shape the least id that has the same tool and shape: those
            that differ by their options alone count as one.
    """

    idle_tools: frozenset[int]
    shells: frozenset[int]
    first_of_shape: Mapping[int, int]

    def step(self, call: PastCall) -> int:
        """Return what stands for a call that came before another.

        Returns:
            The id of its tool; of a shell the least id of its shape, below 0.
        """
        if call.tool_id in self.shells:
            return -self.first_of_shape.get(call.shape_id, call.shape_id)
        return call.tool_id


def read_names(store: Store) -> Names:
    """Read what mining must know of the names."""
    tools = store.query_all(_SQL["tool_names"])
    first: dict[tuple[int, str], int] = {}
    first_of_shape = {}
    for shape_id, tool_id, shape in store.query_all(_SQL["shape_names"]):
        first_of_shape[shape_id] = first.setdefault((tool_id, shape), shape_id)
    return Names(
        frozenset(key for key, name in tools if is_idle(name)),
        frozenset(key for key, name in tools if use_of(name) == "shell"),
        first_of_shape,
    )


def read_calls(store: Store, session_id: int) -> list[PastCall]:
    """Return the calls of a session that count, in order."""
    rows = store.query_all(_SQL["session_calls"], calls_of(session_id))
    return [PastCall(*row) for row in rows]


def result_of(store: Store, call: int) -> str:
    """Return the text that a call brought back; "" where there is none."""
    row = store.query_one(_SQL["result_of"], {"id": call})
    return "" if row is None else content_of(*row)


def particulars_of(arguments: Mapping[str, Any]) -> frozenset[str]:
    """Return the words of a call by which it can be seen to be about the same as another.

    A path stands for itself by its last two parts: agents write it from the root, and from
    where they are.

    Example:
        >>> sorted(particulars_of({"command": "cd /srv && cat src/app/main.py -n 20"}))
        ['/srv', 'app/main.py']
        >>> sorted(particulars_of({"file_path": "/srv/src/app/main.py", "limit": 20}))
        ['app/main.py']
    """
    found: list[str] = []
    for text in _texts_of(arguments):
        for word in _WORD.findall(text[:_MAX_TEXT_CHARS]):
            if word[0] != "-" and _TELLING.compiled.match(word):
                found.append("/".join(word.rstrip("/.:").split("/")[-2:]))
                if len(found) >= _MAX_WORDS:
                    return frozenset(found)
    return frozenset(found)


def particulars_in(arguments: str) -> frozenset[str]:
    """Return the particulars of a call from its arguments as they are stored."""
    return particulars_of(arguments_in(arguments))


def _texts_of(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of one line, or of a command line; others are contents."""
    for name, value in arguments.items():
        if name in _UNTELLING_KEYS:
            continue
        for text in value if isinstance(value, list) else (value,):
            if isinstance(text, str) and ("\n" not in text or name == "command"):
                yield text
