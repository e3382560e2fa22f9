"""Signed words on how far the log had come, kept outside the database as well.

A chain alone cannot show that its newest rows were cut off, or that all of it was written
anew. A checkpoint can: it names a row by number and hash, signed, and is appended to a file
that is best kept where an agent cannot write.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.clock import Clock
from oldhand.confirm.grants import Sign, Verify
from oldhand.errors import UnreadableSource
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")


class Checkpoint(NamedTuple):
    """So far the log had come; the signature is over the other fields."""

    seq: int
    hash: str
    at_us: int
    key_id: str
    signature: str


def make_checkpoint(
    store: Store, *, key_id: str, sign: Sign, file: Path | None, clock: Clock
) -> Checkpoint | None:
    """Sign the end of the log, keep it in the database and append it to a file.

    Args:
        store: Where the requests are.
        key_id: Names the key that signs.
        sign: Signs with the daemon's key.
        file: Made with mode 0600 where it is not there; None: the database alone.
        clock: Tells the time.

    Returns:
        None where nothing was appended to the log since the last one.

    Raises:
        OSError: The file cannot be written; the checkpoint stands in the database.
    """
    with store.transaction():
        end = store.query_one(_SQL["end_of_chain"])
        last = store.query_one(_SQL["newest_checkpoint"])
        if end is None or (last is not None and last[0] >= end[0]):
            return None
        seq, named, _ = end
        at_us = clock()
        signature = sign(_signed(seq, named, at_us, key_id)).hex()
        made = Checkpoint(seq, named, at_us, key_id, signature)
        store.execute(_SQL["add_checkpoint"], made)
    if file is not None:
        _append(file, made)
    return made


def checkpoints_in(store: Store) -> list[Checkpoint]:
    """Return the checkpoints that the database holds, in order."""
    return [Checkpoint(*row) for row in store.query_all(_SQL["checkpoints"])]


def read_checkpoints(file: Path) -> list[Checkpoint]:
    """Read a file of checkpoints.

    Raises:
        UnreadableSource: A line of it is no checkpoint, or it cannot be read.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        said = fault.strerror if isinstance(fault, OSError) else "no UTF-8"
        raise UnreadableSource(f"{file}: {said}") from fault
    found = []
    for at, line in enumerate(lines, start=1):
        try:
            found.append(Checkpoint(**json.loads(line)))
        except (ValueError, TypeError) as fault:
            raise UnreadableSource(f"{file}:{at}: no checkpoint") from fault
    return found


def is_signed_by(checkpoint: Checkpoint, verify: Verify) -> bool:
    """Say whether a checkpoint's signature is of the key."""
    seq, named, at_us, key_id, signature = checkpoint
    try:
        return verify(bytes.fromhex(signature), _signed(seq, named, at_us, key_id))
    except ValueError:
        return False


def write_lines(checkpoints: Iterable[Checkpoint]) -> str:
    """Write checkpoints as JSON lines."""
    return "".join(canonical_json(each._asdict()) + "\n" for each in checkpoints)


def _signed(seq: int, named: str, at_us: int, key_id: str) -> bytes:
    return canonical_json(["oldhand.checkpoint.v1", seq, named, at_us, key_id]).encode()


def _append(file: Path, made: Checkpoint) -> None:
    mode = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    with os.fdopen(os.open(file, mode, 0o600), "a", encoding="utf-8") as opened:
        opened.write(write_lines([made]))
        opened.flush()
        os.fsync(opened.fileno())
