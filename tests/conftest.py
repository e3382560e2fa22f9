"""What every test may ask for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.store import Store, open_database

REAL_SESSIONS = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture
def store() -> Iterator[Store]:
    """Open a database in memory, with all tables."""
    opened = open_database(":memory:")
    yield opened
    opened.close()


@pytest.fixture
def real_sessions() -> Path:
    """Return the folder of real sessions, or skip."""
    if not REAL_SESSIONS.is_dir():
        pytest.skip("no real sessions beside the checkout: ../shared/data")
    return REAL_SESSIONS


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty home directory the user's, with no setting from outside."""
    for name in ("OLDHAND_HOME", "OLDHAND_DATABASE", "OLDHAND_PRINCIPAL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "HERMES_HOME", "OLDHAND_EXCLUDE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USER", "ada")
    return tmp_path
