"""Which result answers which call, where ids are missing, or used twice.

Agents number calls anew in every turn, or not at all. Here each call gets an id that is
unique in its session, and each result finds the oldest call that it can answer.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field

from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import ToolCall


class UniqueNames:
    """Gives every name out once; who asks for a taken one gets it with a number.

    Example:
        >>> names = UniqueNames()
        >>> names.take("a"), names.take("a"), names.take("a~2")
        ('a', 'a~2', 'a~2~2')
    """

    def __init__(self, *, joint: str = "~") -> None:
        """Start with all names free; `joint` stands before the number."""
        self._joint = joint
        self._next: dict[str, int] = {}

    def take(self, name: str) -> str:
        """Return `name`, or the first free one made from it."""
        given = name
        while given in self._next:
            self._next[name] += 1
            given = f"{name}{self._joint}{self._next[name]}"
        self._next[given] = 1
        return given


@dataclass(slots=True)
class CallPairs:
    """The calls of one session that have no result yet.

    Attributes:
        tally: Counts results that answer no call, and second results of a call.
    """

    tally: Tally
    _names: UniqueNames = field(default_factory=UniqueNames)
    _open: set[str] = field(default_factory=set)
    _begun: list[str] = field(default_factory=list)
    _by_id: dict[str, deque[str]] = field(default_factory=dict)
    _by_tool: defaultdict[str | None, deque[str]] = field(
        default_factory=lambda: defaultdict(deque)
    )

    def begin(
        self, named: str | None, *, tool: str, arguments: str, fallback: str
    ) -> ToolCall:
        """Note a call.

        Args:
            named: The id that the agent gave, if it gave one.
            tool: The tool's name.
            arguments: The raw text of the arguments.
            fallback: The id of a call that has none.
        """
        call_id = self._names.take(named or fallback)
        self._open.add(call_id)
        self._begun.append(call_id)
        if named:
            self._by_id.setdefault(named, deque()).append(call_id)
        self._by_tool[tool].append(call_id)
        self._by_tool[None].append(call_id)
        return ToolCall(call_id, tool, arguments)

    def finish(self, named: str | None, *, tool: str | None = None) -> str | None:
        """Return the id of the call that a result answers; None, counted, for none.

        Args:
            named: The id of the call as the result gives it.
            tool: The tool's name, which decides where the result gives no id.
        """
        queue = self._by_id.get(named) if named else self._by_tool.get(tool)
        while queue:
            call_id = queue.popleft()
            if call_id in self._open:
                self._open.remove(call_id)
                return call_id
        if queue is None or not named:
            self.tally.orphans += 1
        else:
            self.tally.duplicates += 1
        return None

    def new_unanswered(self) -> list[str]:
        """Return the calls without a result that were begun since this was last asked."""
        begun, self._begun = self._begun, []
        return [call_id for call_id in begun if call_id in self._open]
