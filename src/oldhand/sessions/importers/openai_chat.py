"""Conversations in the shape of OpenAI's chat completions: the generic door.

Whatever an agent keeps can be turned into this: a JSON line `{"messages": […]}` for each
conversation, or one message on each line and a file for each conversation. A `.json` file
holds one conversation, a list of them, or a bare list of messages. Beside the messages
stand the facts of the session, at the top or under `metadata`:
`id` (or `session_id`, `uid`), `model`, `cwd`, `project`, `principal`, `title`, `agent`,
`started_at` (or `created_at`, `created`, `timestamp`).

A conversation without an id is named by how it begins, up to the first thing the user
says: the same line is the same session in whichever file it stands, and a longer version of
it is that session, grown. Several that begin alike in one file are told apart by order.
A file of single messages is named by its own name and by how it begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from oldhand.canonical_json import digest
from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.call_pairs import UniqueNames
from oldhand.sessions.importers.files import files_below
from oldhand.sessions.importers.json_document import read_json_document
from oldhand.sessions.importers.json_lines import read_json_lines
from oldhand.sessions.importers.openai_messages import Conversation, is_message
from oldhand.sessions.importers.source import ReadContext, Source
from oldhand.sessions.loose_values import object_in, text_in, time_us_of
from oldhand.sessions.model import Message, Session
from oldhand.sessions.storable_text import storable

_FILES = ("*.jsonl", "*.ndjson", "*.json")
_ID_KEYS = ("id", "session_id", "uid")
_TIME_KEYS = ("started_at", "created_at", "created", "timestamp")
_EXPECTED = 'expected JSON objects with "messages", or with "role" and "content"'


def homes(environment: Mapping[str, str], home: Path) -> list[Path]:
    """Return nothing: no agent keeps its sessions so; a path is always given."""
    return []


def find(root: Path) -> Iterator[Path]:
    """Yield the JSON files below a directory by path, or the file itself."""
    if root.is_file():
        yield root
        return
    yield from files_below(root, *_FILES)


def read(path: Path, context: ReadContext) -> Iterator[Session]:
    """Read one file, and yield each conversation as soon as it is read."""
    reader = _Reader(path, context)
    document = None
    if path.suffix == ".json":
        document = read_json_document(path, progress=context.progress)
    malformed = len(context.tally.malformed)
    number = 0
    if document is not None:
        number = 1
        yield from reader.take(0, document)
    else:
        lines = read_json_lines(path, tally=context.tally, progress=context.progress)
        for number, line in lines:
            yield from reader.take(number, line)
    yield from reader.finish()
    if not reader.found and (number or len(context.tally.malformed) > malformed):
        raise UnreadableSource(f"{path}: holds no conversation; {_EXPECTED}")


SOURCE = Source(
    name="openai", homes=homes, find=find, read=read, files=", ".join(_FILES)
)


class _Reader:
    """Turns the values of one file into sessions.

    Attributes:
        found: How many conversations and single messages there were.
    """

    def __init__(self, path: Path, context: ReadContext) -> None:
        self.found = 0
        self._path = path
        self._tally = context.tally
        self._uids = UniqueNames(joint="-")
        self._given: dict[tuple[str, str], str] = {}
        self._single = Conversation(context.tally)

    def take(self, number: int, value: object) -> Iterator[Session]:
        """Yield the sessions that one value holds; a lone message waits for the end.

        Args:
            number: The line that it stands on, from 1; 0 for a whole file.
            value: A conversation, a message, or a list of either.
        """
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, dict):
                self._tally.report_malformed(self._path, number, "not a JSON object")
            elif isinstance(item.get("messages"), list):
                yield from self._conversation(number, item)
            elif is_message(item):
                self.found += 1
                self._single.add(item)
            else:
                self._tally.report_malformed(
                    self._path, number, "no messages, and no role with content"
                )

    def finish(self) -> Iterator[Session]:
        """Yield the session that the lone messages make."""
        if self._single.messages:
            messages = self._single.messages
            # Names as messages.jsonl repeat from directory to directory.
            uid = self._uids.take(
                f"{storable(self._path.stem)}-{_opening(messages)[:8]}"
            )
            yield Session(uid=uid, source=SOURCE.name, messages=messages)

    def _conversation(self, number: int, item: dict[str, Any]) -> Iterator[Session]:
        facts = object_in(item, "metadata") | {
            k: v for k, v in item.items() if v is not None
        }
        conversation = Conversation(self._tally, text_in(facts, "model"))
        for entry in item["messages"]:
            if isinstance(entry, dict):
                conversation.add(entry)
            else:
                self._tally.report_malformed(
                    self._path, number, "a message is no object"
                )
        if not conversation.messages and item["messages"]:
            self._tally.report_malformed(
                self._path, number, "no message is a known one"
            )
            return
        self.found += 1
        if not conversation.messages:
            self._tally.empty += 1
            return
        yield self._session(facts, conversation)

    def _session(self, facts: dict[str, Any], conversation: Conversation) -> Session:
        messages = conversation.messages
        models = (message.model for message in reversed(messages) if message.model)
        times = (time_us_of(facts.get(key)) for key in _TIME_KEYS)
        return Session(
            uid=self._uid(facts, messages),
            source=SOURCE.name,
            agent=text_in(facts, "agent"),
            model=next(models, conversation.model),
            principal=text_in(facts, "principal"),
            project=text_in(facts, "project"),
            cwd=text_in(facts, "cwd"),
            title=text_in(facts, "title"),
            started_at_us=next((time for time in times if time is not None), None),
            messages=messages,
        )

    def _uid(self, facts: dict[str, Any], messages: list[Message]) -> str:
        """Name a conversation; one id may stand on several lines, as it grows.

        Lines with one id that begin differently are different conversations all the same.
        """
        opening, given = _opening(messages), _given_uid(facts)
        if given is None:
            return self._uids.take(f"{SOURCE.name}-{opening[:16]}")
        if (given, opening) not in self._given:
            self._given[given, opening] = self._uids.take(given)
        return self._given[given, opening]


def _given_uid(facts: dict[str, Any]) -> str | None:
    """Return the id that a conversation was given; a bare number is nobody's alone."""
    for key in _ID_KEYS:
        value = facts.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return f"{SOURCE.name}-{value}"
    return None


def _opening(messages: list[Message]) -> str:
    """Return the digest of how a conversation begins, to the first word of the user."""
    roles = [message.role for message in messages]
    end = roles.index("user") + 1 if "user" in roles else 1
    return digest([[message.role, message.content] for message in messages[:end]])
