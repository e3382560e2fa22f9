"""Record a live agent's session, message by message, durable when `append` returns.

A session has no row before its first message, so that an agent which is started and left
alone leaves nothing behind. An append that fails has recorded none of its messages, and
the next one tries again: a Recorder never gives up. Where it cannot be known whether a
failed append was committed, as after a connection that broke, the next one looks first.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Unpack

from oldhand.clock import Clock, system_clock
from oldhand.errors import Conflict, InvalidInput, NotFound
from oldhand.sessions.live.append import Batch, draft_batch, is_written, write_batch
from oldhand.sessions.live.facts import SessionFacts, session_of
from oldhand.sessions.live.intake import Entry
from oldhand.sessions.live.tail import Tail, end_session, no_tail, read_tail
from oldhand.sessions.model import Message
from oldhand.sessions.storable_text import storable
from oldhand.sessions.vocabulary import Vocabulary
from oldhand.store import Store


class _Doubt(NamedTuple):
    """An append that failed, perhaps after its commit."""

    entries: list[Entry]
    batch: Batch


class Recorder:
    """Records one session into a store. Several threads may share it.

    A uid that was erased is not recorded again. One that was pruned is: its sessions went
    for their age, and an agent may use one name for years.

    Args:
        store: Where to. It belongs to the caller, who closes it.
        clock: The time of messages that name none.
        facts: See `SessionFacts`; all of it is carried into the session's row, which is
            made with the first message.

    Raises:
        InvalidInput: A relation is not known or has no parent, or `model_config` is no
            JSON object.
        TypeError: A fact is not one of `SessionFacts`.

    Example:
        >>> from oldhand import open_store
        >>> recorder = Recorder(open_store(":memory:"), source="my-agent", model="m-1")
        >>> recorder.append([{"role": "user", "content": "Hello"}])
        1
        >>> recorder.end("done")
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock = system_clock,
        **facts: Unpack[SessionFacts],
    ) -> None:
        """Note what is known; nothing is written yet."""
        self._store = store
        self._clock = clock
        self._session = session_of(facts, clock=clock)
        self._tail = no_tail()
        self._doubt: _Doubt | None = None
        self._vocabulary = Vocabulary(store)
        self._lock = threading.Lock()

    @classmethod
    def resume(cls, store: Store, uid: str, *, clock: Clock = system_clock) -> Recorder:
        """Go on with a recorded session, as in a later process.

        Calls that were open are answered by the results that come.

        Raises:
            NotFound: There is no such session.
        """
        tail = read_tail(store, uid)
        if tail is None:
            raise NotFound(f"no session {uid!r} to go on with")
        # Its row is there, so that the source given here goes nowhere.
        recorder = cls(store, clock=clock, uid=uid, source="resumed", principal="")
        recorder._tail = tail
        return recorder

    @property
    def uid(self) -> str:
        """The session's uid, known before its first message."""
        return self._session.uid

    @property
    def seq(self) -> int:
        """The place of the last message recorded; 0 before the first."""
        return self._tail.seq

    def append(
        self, messages: Iterable[Entry], *, expect_seq: int | None = None
    ) -> int:
        """Record messages after those that are recorded; return when they are durable.

        Either all of them are recorded or, where this raises, none. Call it again then,
        with the same messages or with those and more: what the failed call did commit is
        not recorded twice. A message with a `native_id` that the session has already is
        left out, so that a caller who was killed and is not sure can hand it over again;
        so is one whose `native_id` names a message that was erased, in any session.

        Args:
            messages: Dicts as in OpenAI's chat completions, or `Message`s. A dict may
                also have `timestamp`, `native_id`, `usage` and `cost_usd`. NUL and lone
                surrogates become U+FFFD.
            expect_seq: What `seq` must be before, for a caller that shares the session.

        Returns:
            The new `seq`.

        Raises:
            Conflict: Another writer has added to the session: look at `seq`, the next
                append goes on from there. Or the session, or the one that it is a part
                of, has been erased: then no append will do.
            InvalidInput: One of them is no message.
            StoreError: It cannot be written now; StoreBusy, StoreReadOnly and StoreFull
                say why.
        """
        entries = list(messages) if isinstance(messages, list) else _listed(messages)
        with self._lock:
            entries = self._left_of(entries, expect_seq)
            is_done = False
            while not is_done:
                batch = draft_batch(self._tail, entries, clock=self._clock)
                is_done = not batch.rows.messages or self._write(entries, batch)
            return self._tail.seq

    def end(self, reason: str | None = None) -> None:
        """Note that the session has ended; a session without a message leaves no row.

        What came later in it may move the confidence of judgements then, and its long
        texts are compressed: an append is what an agent waits for. A message that comes
        later opens the session again.

        Args:
            reason: In the agent's own words.

        Raises:
            StoreError: It cannot be written now; call again.
        """
        # With zstd, and for a moment when nobody waits
        from oldhand.sessions.payloads import compact_session  # noqa: PLC0415
        from oldhand.sessions.rejudge import look_back  # noqa: PLC0415

        with self._lock:
            tail = self._tail if self._doubt is None else self._read_tail()
            if tail.session_id is None:
                return
            at_us = self._clock()
            said = None if reason is None else storable(reason)
            end_session(self._store, tail, at_us=at_us, reason=said)
            look_back(self._store, tail.session_id)
            compact_session(self._store, tail.session_id, clock=lambda: at_us)

    def _left_of(self, entries: list[Entry], expect_seq: int | None) -> list[Entry]:
        """Return what is to be recorded, now that the fate of a failed append is known."""
        seq = self._tail.seq
        if self._doubt is not None:
            failed, batch = self._doubt
            self._tail = self._read_tail()
            self._doubt = None
            if is_written(self._store, batch, self._tail):
                is_retry = entries[: len(failed)] == failed
                entries = entries[len(failed) :] if is_retry else entries
                seq = seq if is_retry else self._tail.seq
            elif self._tail.seq != seq:
                raise Conflict(
                    f"session {self.uid!r} ends with message {self._tail.seq}, and ended "
                    f"with {seq}: another writer came between; nothing was written"
                )
        if expect_seq is not None and expect_seq != seq:
            raise Conflict(
                f"session {self.uid!r} ends with message {seq}, and the caller expected "
                f"{expect_seq}; nothing was written"
            )
        return entries

    def _write(self, entries: list[Entry], batch: Batch) -> bool:
        """Write a batch; False where it must be drafted again, without what was erased."""
        try:
            tail = write_batch(
                self._store, self._session, batch, vocabulary=self._vocabulary
            )
        except BaseException as fault:
            self._vocabulary = Vocabulary(self._store)
            self._doubt = _Doubt(entries, batch)
            if isinstance(fault, Conflict):
                self._tail = self._read_tail()
                self._doubt = None
            raise
        if tail is None:
            return False
        self._tail = tail
        return True

    def _read_tail(self) -> Tail:
        tail = read_tail(self._store, self.uid)
        if tail is None and self._tail.session_id is not None:
            raise Conflict(f"session {self.uid!r} was erased; record a new one")
        return no_tail() if tail is None else tail


def _listed(messages: Iterable[Entry]) -> list[Entry]:
    if isinstance(messages, (str, bytes, Mapping, Message)):
        raise InvalidInput("append takes a list of messages, and was given one value")
    return list(messages)
