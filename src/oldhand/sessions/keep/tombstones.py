"""What was taken out stays out: salted digests of names, with the reason.

An import reads the same files again and again, so a session that was erased would be back
the next day. Its tombstone keeps it away and says nothing about it: without its name, the
digest under this database's own random salt leads nowhere. The entries of an erased
session are remembered as well, for a forked session's file holds copies of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from oldhand.sessions.model import Session
from oldhand.sessions.native_ids import is_real_id
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")
Noun = Literal["session", "message"]
Reason = Literal["erased", "pruned"]
# These speak of what their parent said; a fork or a resumed session is its own.
PARTS_OF_PARENT = ("subagent", "compression")


class Tombstones:
    """The tombstones of one database."""

    def __init__(self, store: Store) -> None:
        """Read nothing yet."""
        self._store = store
        self._salt: bytes | None = None

    def digest(self, noun: str, name: str) -> str:
        """Return what stands for a name: 40 hexadecimal digits, of this database alone."""
        if self._salt is None:
            row = self._store.query_one(_SQL["tombstone_salt"])
            self._salt = str(row[0] if row else "").encode()
        text = f"{noun}\0{name}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=20, key=self._salt).hexdigest()

    def path_name(self, path: Path | str) -> str:
        """Return what stands in `imports` for a file of which all was erased."""
        return f"erased:{self.digest('path', str(path))}"

    def reason_for(self, uid: str) -> Reason | None:
        """Return why a session was taken out; None where it was not."""
        row = self._store.query_one(
            _SQL["tombstone"],
            {"noun": "session", "digest": self.digest("session", uid)},
        )
        return row[0] if row else None

    def keeps_out(self, session: Session) -> Reason | None:
        """Say why a session must not be written; None where it may be.

        A subagent's session is part of its parent: where that one was erased, it is kept
        out too. Other sessions lose the name of an erased parent.
        """
        reason = self.reason_for(session.uid)
        if reason is not None or session.parent is None:
            return reason
        if self.reason_for(session.parent) == "erased":
            if session.relation in PARTS_OF_PARENT:
                return "erased"
            session.parent = None
        return None

    def erased_among(self, native_ids: Iterable[str]) -> set[str]:
        """Return those of an agent's own ids that name an erased message."""
        if self._store.query_one(_SQL["any_message_tombstone"]) is None:
            return set()
        return {
            name
            for name in native_ids
            if self._store.query_one(
                _SQL["tombstone"],
                {"noun": "message", "digest": self.digest("message", name)},
            )
        }

    def bury(
        self, noun: Noun, names: Iterable[str], *, reason: Reason, at_us: int
    ) -> None:
        """Set tombstones; ids that oldhand's readers made up name nothing elsewhere."""
        self._store.execute_many(
            _SQL["put_tombstone"],
            [
                (noun, self.digest(noun, name), reason, at_us)
                for name in names
                if noun == "session" or is_real_id(name)
            ],
        )

    def lift(self, uid: str) -> None:
        """Let a session back in."""
        self._store.execute(
            _SQL["delete_tombstone"],
            {"noun": "session", "digest": self.digest("session", uid)},
        )
