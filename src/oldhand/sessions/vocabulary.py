"""Tools and shapes as small integers, each stored once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oldhand.store import Parameters, Queries, Store

if TYPE_CHECKING:
    from oldhand.sessions.shape import Shape

_SQL = Queries(__package__)


class Vocabulary:
    """The ids of tools and shapes, each looked up when it is first met.

    After a transaction that was rolled back, make a new one: what it remembers may not be
    in the database.
    """

    def __init__(self, store: Store) -> None:
        """Remember nothing yet."""
        self._store = store
        self._tools: dict[str, int] = {}
        self._shapes: dict[tuple[int, str, str, str], int] = {}

    def tool_id(self, name: str) -> int:
        """Return a tool's id; inside a transaction, as it may be new."""
        known = self._tools.get(name)
        if known is None:
            known = self._tools[name] = self._find_or_add("tool", (name,))
        return known

    def shape_id(self, tool: str, shape: Shape) -> int:
        """Return a shape's id; inside a transaction, as it may be new."""
        key = (self.tool_id(tool), shape.keys, shape.shape, shape.flags)
        known = self._shapes.get(key)
        if known is None:
            known = self._shapes[key] = self._find_or_add("shape", key)
        return known

    def _find_or_add(self, noun: str, key: Parameters) -> int:
        find, add = _SQL[f"find_{noun}"], _SQL[f"add_{noun}"]
        row = self._store.query_one(find, key)
        if row is None:
            row = self._store.query_one(add, key)
        if row is None:  # another process was quicker
            row = self._store.query_one(find, key)
        assert row is not None  # noqa: S101 - found, or added, or found
        return int(row[0])
