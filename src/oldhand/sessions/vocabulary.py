"""Tools and shapes as small integers, each stored once."""

from __future__ import annotations

from oldhand.sessions.shape import Shape
from oldhand.store import Queries, Store

_SQL = Queries(__package__)


class Vocabulary:
    """The ids of tools and shapes, read once and added to as new ones are met."""

    def __init__(self, store: Store) -> None:
        """Read what is known."""
        self._store = store
        self._tools: dict[str, int] = {}
        self._shapes: dict[tuple[int, str, str, str], int] = {}
        self._read()

    def tool_id(self, name: str) -> int:
        """Return a tool's id; inside a transaction, as it may be new."""
        known = self._tools.get(name)
        return self._add_tool(name) if known is None else known

    def shape_id(self, tool: str, shape: Shape) -> int:
        """Return a shape's id; inside a transaction, as it may be new."""
        key = (self.tool_id(tool), shape.keys, shape.shape, shape.flags)
        known = self._shapes.get(key)
        return self._add_shape(key) if known is None else known

    def _read(self) -> None:
        for tool_id, name in self._store.query_all(_SQL["all_tools"]):
            self._tools[name] = tool_id
        for shape_id, *key in self._store.query_all(_SQL["all_shapes"]):
            self._shapes[key[0], key[1], key[2], key[3]] = shape_id

    def _add_tool(self, name: str) -> int:
        row = self._store.query_one(_SQL["add_tool"], {"name": name})
        if row is None:  # another process was quicker
            self._read()
            return self._tools[name]
        self._tools[name] = int(row[0])
        return self._tools[name]

    def _add_shape(self, key: tuple[int, str, str, str]) -> int:
        row = self._store.query_one(_SQL["add_shape"], key)
        if row is None:
            self._read()
            return self._shapes[key]
        self._shapes[key] = int(row[0])
        return self._shapes[key]
