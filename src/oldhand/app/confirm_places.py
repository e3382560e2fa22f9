"""Where the parts of the daemon lie on this machine."""

from __future__ import annotations

from pathlib import Path

from oldhand.confirm.doctor import Places
from oldhand.settings import AGENT_TOKEN_FILE, Settings
from oldhand.store.open import file_named_by

KEY_FILE = "confirm.key"
POLICY_FILE = "policy.toml"
CHECKPOINTS_FILE = "checkpoints.jsonl"


def places_of(settings: Settings, *, checkpoints: Path | None = None) -> Places:
    """Return where the parts lie.

    Args:
        settings: Where oldhand's home is.
        checkpoints: The file outside, where it lies elsewhere than in the home.
    """
    policy = settings.home / POLICY_FILE
    outside = checkpoints or settings.home / CHECKPOINTS_FILE
    return Places(
        database=file_named_by(settings.database),
        key=settings.home / KEY_FILE,
        token=settings.home / AGENT_TOKEN_FILE,
        policy=policy if policy.exists() else None,
        checkpoints=outside if outside.exists() else None,
        home=settings.user_home,
    )
