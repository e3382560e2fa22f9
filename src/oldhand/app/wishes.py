"""What a caller may wish for, as keywords: read by type checkers and by people.

No process imports this file: the first such class that is made takes a quarter of the
instructions of `python -c pass` (see `named_tuple`), and an agent waits for its hook.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from oldhand.experience.hint import RecentCall
from oldhand.experience.warm import WarmTarget
from oldhand.settings import Settings


class ScopeWishes(TypedDict, total=False):
    """Which sessions may teach; all keys may be left out.

    Keys:
        project: A directory; by default the current one's project.
        all_projects: Sessions of any project.
        kind: `code`, `file`, `research` or `mixed`.
        source: Sessions of one agent.
        before: Sessions that began before, ISO 8601.
        sessions: Only those of these uids; the beginning of one will do.
        max_sessions: The newest so many.
        min_messages: Sessions of so many messages or more.
    """

    project: str | None
    all_projects: bool
    kind: str | None
    source: str | None
    before: str | None
    sessions: Sequence[str]
    max_sessions: int
    min_messages: int


class TemplateWishes(ScopeWishes, total=False):
    """What a template is for, and which sessions may teach.

    Keys:
        task: What it is to help with.
        description: For people.
        tags: For finding it.
        addendum: Shown before the examples.
        tokens: What its examples may take.
        max_examples: At most so many.
        tools: The tools that it is for, by their names or definitions.
        generalise: Let what only one session said give way to placeholders.
        proposed: An agent asks for it: it is not given until a person accepts it.
        settings: Instead of those that are read.
    """

    task: str
    description: str
    tags: Iterable[str]
    addendum: str
    tokens: int
    max_examples: int | None
    tools: Iterable[str | Mapping[str, Any]] | None
    generalise: bool
    proposed: bool
    settings: Settings | None


class WarmWishes(ScopeWishes, total=False):
    """What a start is to be, and which sessions may teach; all keys may be left out.

    Keys:
        template: A name or `name@version`; by default the examples are chosen anew.
        task: What the session is to do.
        target: `text`, or `openai` or `anthropic` for native turns.
        tokens: What it may take at most.
        max_chars: What its text may have in characters.
        max_examples: At most so many.
        tools: The tools that the session has, by their names, or as they are defined to
            a provider: then examples that do not fit a definition are left out.
        generalise: Let what only one session said give way to placeholders.
        session: The uid of the session that it is for, for the log.
        settings: Instead of those that are read.
    """

    template: str | None
    task: str
    target: WarmTarget
    tokens: int
    max_chars: int | None
    max_examples: int | None
    tools: Iterable[str | Mapping[str, Any]] | None
    generalise: bool
    session: str | None
    settings: Settings | None


class HintWishes(TypedDict, total=False):
    """Where the call failed; all keys may be left out.

    Keys:
        session: The uid of its session: what that did itself goes before all else, where
            it is on record.
        project: The directory it works in; by default the current one.
        before: Only what was there then counts, ISO 8601.
        recent: The calls of the session before it that worked, tool and arguments, where
            it is not on record.
        settings: Instead of those that are read.
    """

    session: str | None
    project: str | None
    before: str | None
    recent: Sequence[RecentCall] | None
    settings: Settings | None
