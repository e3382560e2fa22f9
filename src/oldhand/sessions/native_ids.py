"""The ids that agents give the entries of their own records."""

from __future__ import annotations


def is_real_id(native_id: str) -> bool:
    """Say whether an agent gave this id; readers number entries without one as `#12`."""
    return not native_id.startswith("#")
