"""Our confirmation daemon as a server to measure: as it is served, with its rate limit off.

python -P confirmation.py DATABASE    prints its port and what signs its callers in
"""

from __future__ import annotations

import gc
import json
import sys

from oldhand.clock import system_clock
from oldhand.confirm.credentials import issue_token
from oldhand.confirm.model import Rules
from oldhand.confirm.people import open_session
from oldhand.confirm.principals import add_principal
from oldhand.store import open_database
from oldhand.web.server import ConfirmationServer, Parts

_OBJECTS_BETWEEN_COLLECTIONS = 50_000  # as `oldhand` has it, `oldhand/__main__.py`


def main() -> None:
    """Serve until the process is ended."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    store = open_database(sys.argv[1])
    add_principal(store, "ann", kind="person", by=None, clock=system_clock)
    ben = add_principal(store, "ben", kind="person", by=None, clock=system_clock)
    bot = add_principal(
        store, "bot", kind="agent", owner="ann", by=None, clock=system_clock
    )
    session = open_session(store, ben, via="bench", clock=system_clock)
    token = issue_token(store, bot, by=None, clock=system_clock)
    parts = Parts(rules=Rules(per_hour=0, max_pending=0))
    with ConfirmationServer(store, port=0, parts=parts) as server:
        said = {
            "port": int(server.url.rsplit(":", 1)[1]),
            "url": server.url,
            "token": token,
            "session": session.token,
            "csrf": session.csrf,
        }
        print(json.dumps(said), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
