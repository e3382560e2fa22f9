"""The database as a hook opens it: only where there is one."""

from __future__ import annotations

from oldhand.errors import NotFound
from oldhand.settings import Settings
from oldhand.store import Store, open_database
from oldhand.store.open import file_named_by


def open_existing(settings: Settings) -> Store:
    """Open the database, and make none: a hook is no way to begin with oldhand.

    Raises:
        NotFound: There is no database yet.
        StoreError: It cannot be used; the subclass says why.
    """
    path = file_named_by(settings.database)
    if path is not None and not path.exists():
        raise NotFound(f"{path}: no database yet; run `oldhand import`")
    return open_database(settings.database)
