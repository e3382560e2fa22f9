"""Sessions of an agent that never was: the same ones for every store, from a seed.

Sessions have 2 to 400 messages, about 100 on average: a question, then calls with JSON
arguments and their results, then an answer. Results have a log-normal length with a median
of 1.1 kB, from 200 B to 20 kB. The text is slices of made-up words, frequent as words are;
how well it compresses says nothing about real text.

The standard library suffices, since a peer's environment reads this too.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

Message = dict[str, Any]

MAX_MESSAGES = 400
_SYLLABLES = (
    *("ka", "lo", "mi", "ter", "son", "ble", "cra", "ven", "tu", "ris", "pol", "gan"),
    *("de", "fi", "nor", "sta", "lu", "ber", "qui", "zan", "xo", "hel", "mar", "ti"),
)
_VOCABULARY = 20_000
_TEXT_WORDS = 150_000
_FAILED_SHARE = 0.12
_COMMANDS = (
    "ls -la {0}",
    "git status --short",
    "git diff --stat {0}",
    "git log --oneline -n 20",
    "grep -rn {1} {0}",
    "sed -n 1,80p {0}",
    "python -m pytest -q {0}",
    "cat {0} | head -40",
    "find {0} -name '*.py'",
    "make test",
)


class Session(NamedTuple):
    """One session: its id and its messages as OpenAI's chat completions write them."""

    uid: str
    messages: list[Message]


class Workload:
    """Draws sessions and queries; the same seed gives the same ones.

    Args:
        seed: Also stands in the uids, so that two seeds make no session twice.
    """

    def __init__(self, seed: int = 1) -> None:
        """Make the text that everything is cut from."""
        self._seed = seed
        self._draw = random.Random(seed)
        self._text = _text(random.Random(7))

    def sessions(self, count: int) -> Iterator[Session]:
        """Yield so many sessions."""
        for number in range(count):
            length = 2 + int((MAX_MESSAGES - 1) * self._draw.random() ** 3)
            yield self.session(number, length)

    def session(self, number: int, length: int) -> Session:
        """Return one session of so many messages."""
        uid = f"bench-{self._seed}-{number:06}"
        return Session(uid, list(itertools.islice(self._messages(uid), length)))

    def queries(self, count: int) -> list[str]:
        """Return so many searches of one or two words, words drawn as they occur."""
        return [
            " ".join(self._draw.choices(self._words(400), k=self._draw.randint(1, 2)))
            for _ in range(count)
        ]

    def _messages(self, uid: str) -> Iterator[Message]:
        for turn in itertools.count():
            yield {"role": "user", "content": self._some(40, 400)}
            for step in range(self._draw.randint(0, 8)):
                yield from self._call(f"call_{uid}_{turn}_{step}")
            yield {"role": "assistant", "content": self._some(80, 1_200)}

    def _call(self, call_id: str) -> Iterator[Message]:
        tool, arguments = self._arguments()
        function = {"name": tool, "arguments": json.dumps(arguments)}
        yield {
            "role": "assistant",
            "content": "" if self._draw.random() < 0.6 else self._some(30, 200),
            "tool_calls": [{"id": call_id, "type": "function", "function": function}],
        }
        yield {
            "role": "tool",
            "tool_call_id": call_id,
            "name": tool,
            "content": self._result(),
        }

    def _arguments(self) -> tuple[str, dict[str, Any]]:
        path = "/".join(self._words(40)[:3])
        kind = self._draw.randrange(5)
        if kind == 0:
            return "read_file", {"path": path, "limit": self._draw.randint(1, 500)}
        if kind == 1:
            return "search_files", {"pattern": self._words(20)[0], "path": path}
        if kind == 2:
            return "write_file", {"path": path, "content": self._some(200, 3_000)}
        command = self._draw.choice(_COMMANDS).format(path, self._words(20)[0])
        return "terminal", {"command": command, "timeout": 60}

    def _result(self) -> str:
        length = int(min(20_000, max(200, self._draw.lognormvariate(7.0, 1.1))))
        if self._draw.random() < _FAILED_SHARE:
            return json.dumps({"success": False, "error": self._some(60, 300)})
        return json.dumps({"output": self._some(length, length), "exit_code": 0})

    def _words(self, chars: int) -> list[str]:
        """Return the whole words of a slice, one at least."""
        return self._some(chars, chars).split()[1:-1] or ["kalo"]

    def _some(self, least: int, most: int) -> str:
        length = self._draw.randint(least, most)
        start = self._draw.randrange(len(self._text) - length)
        return self._text[start : start + length]


def text_bytes(message: Message) -> int:
    """Return how much was said: the text and the arguments, without any wrapping."""
    calls = message.get("tool_calls", ())
    said = len((message["content"] or "").encode())
    return said + sum(len(call["function"]["arguments"].encode()) for call in calls)


def _text(draw: random.Random) -> str:
    """Return lines of made-up words, few of them frequent and most of them rare."""
    vocabulary = [
        "".join(draw.choices(_SYLLABLES, k=draw.randint(2, 4)))
        for _ in range(_VOCABULARY)
    ]
    words = (
        vocabulary[int(draw.paretovariate(0.6)) % _VOCABULARY]
        for _ in range(_TEXT_WORDS)
    )
    lines = []
    while line := list(itertools.islice(words, draw.randint(4, 14))):
        lines.append(" ".join(line))
    return "\n".join(lines)
