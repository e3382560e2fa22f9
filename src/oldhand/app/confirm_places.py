"""Where the parts of the daemon lie on this machine."""

from __future__ import annotations

from pathlib import Path

from oldhand.canonical_json import sha256_of
from oldhand.confirm.doctor import Places
from oldhand.settings import AGENT_TOKEN_FILE, KEY_FILE, Settings
from oldhand.store.open import file_named_by

POLICY_FILE = "policy.toml"


def checkpoints_file(settings: Settings) -> Path:
    """Return where the checkpoints of the log go: to a file for each database.

    In one file those of another database would look like a log that was swapped.
    """
    named = file_named_by(settings.database)
    if named == settings.home / "oldhand.db":
        return settings.home / "checkpoints.jsonl"
    place = str(named) if named else settings.database.rpartition("@")[2]
    return settings.home / f"checkpoints-{sha256_of(place.encode())[:8]}.jsonl"


def places_of(settings: Settings, *, checkpoints: Path | None = None) -> Places:
    """Return where the parts lie.

    Args:
        settings: Where oldhand's home is.
        checkpoints: The file outside, where it lies elsewhere than in the home.
    """
    policy = settings.home / POLICY_FILE
    outside = checkpoints or checkpoints_file(settings)
    return Places(
        database=file_named_by(settings.database),
        key=settings.home / KEY_FILE,
        token=settings.home / AGENT_TOKEN_FILE,
        policy=policy if policy.exists() else None,
        checkpoints=outside if outside.exists() else None,
        home=settings.user_home,
    )
