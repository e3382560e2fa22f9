"""What every importer offers: which agent it reads, where, and how.

An importer is a module-level `Source`. It finds files and turns each into sessions; it
knows nothing of our database. What was read before, what changed and how it is written
is the driver's part, in `run`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import Session


@dataclass(slots=True, frozen=True, kw_only=True)
class ReadContext:
    """What a reader may use while it reads one file.

    Attributes:
        tally: Counts what was passed over.
        is_current: `is_current(uid, revision)` says that our copy of that session has
            that revision, so that the reader of a database need not fetch it again.
        progress: Called with the number of bytes read since the last call.
    """

    tally: Tally
    is_current: Callable[[str, str], bool] = lambda _uid, _revision: False
    progress: Callable[[int], None] = lambda _bytes: None


@dataclass(slots=True, frozen=True, kw_only=True)
class Source:
    """One agent's sessions.

    Attributes:
        name: As in `oldhand import NAME` and in `sessions.source`.
        homes: From the environment and the user's home directory, the directories (or
            files) in which this agent keeps sessions, whether they exist or not.
        find: The files below one such directory, or the file itself, in a stable order.
        files: What its files are called, for a person who has none of them.
        read: The sessions in one file. Raises `UnreadableSource` where the file as a
            whole cannot be read as this format; what is wrong inside it is counted.
    """

    name: str
    homes: Callable[[Mapping[str, str], Path], list[Path]]
    find: Callable[[Path], Iterator[Path]]
    read: Callable[[Path, ReadContext], Iterator[Session]]
    files: str = "*.jsonl"
