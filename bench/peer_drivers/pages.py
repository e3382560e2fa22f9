"""Pages that an append writes to the write-ahead log: of ours, and of one INSERT.

A reader that holds a snapshot keeps the log from being started anew, so that its length
is what was written.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from bench.peer_drivers.contract import Answer, Keeper, Task, run_tasks
from bench.peer_drivers.floor import Floor
from bench.peer_drivers.ours import Ours
from bench.store_workload import Workload

_FRAME_HEAD_BYTES = 24


def pages_of(open_keeper: Callable[[str], Keeper]) -> Task:
    """Return a task that counts the pages of a store which APSW opens."""

    def count(path: str, arguments: dict[str, Any]) -> Answer:
        keeper = open_keeper(path)
        reader = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        page_bytes = reader.pragma("page_size")
        reader.execute("BEGIN; SELECT count(*) FROM sqlite_master").fetchall()
        log = Path(f"{path}-wal")
        before, appends = log.stat().st_size, 0
        for session in Workload(arguments["seed"]).sessions(arguments["sessions"]):
            for message in session.messages:
                keeper.append(session.uid, keeper.shaped(message))
                appends += 1
        frames = (log.stat().st_size - before) / (page_bytes + _FRAME_HEAD_BYTES)
        reader.close()
        keeper.close()
        return {"pages": frames / appends, "appends": appends}

    return count


if __name__ == "__main__":
    run_tasks(ours=pages_of(Ours), floor=pages_of(Floor))
