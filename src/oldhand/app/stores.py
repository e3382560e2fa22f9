"""Open oldhand's database where the settings say it is."""

from __future__ import annotations

from oldhand import settings
from oldhand.store import Store, open_database


def open_store(url: str | None = None) -> Store:
    """Open oldhand's database, and make it where it is not there.

    Args:
        url: A path, `sqlite:///PATH` or `:memory:`; by default what the settings say.

    Raises:
        StoreError: The database cannot be used; the subclass says why.
    """
    return open_database(settings.load(database=url).database)
