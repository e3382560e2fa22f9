"""Draw an arm for a session: by hash, so that the same session always draws the same.

A digest of the experiment's salt and the session's uid is as good as a lot that nobody can
foresee or draw again. Who is held out depends on the uid alone: it is the same in every
experiment, so that some sessions stay cold for good and show what all the warmth has done.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from oldhand.experience.experiment.model import COLD, Arm, Experiment

_HOLDOUT_SALT = "oldhand holdout"
_PARTS = 1 << 53


class Draw(NamedTuple):
    """What a session drew.

    Attributes:
        arm: Its arm.
        is_held_out: It is cold for good, and did not take part in the draw.
    """

    arm: Arm
    is_held_out: bool


def draw(experiment: Experiment, session: str) -> Draw:
    """Draw the arm of a session.

    Args:
        experiment: Its salt, shares and holdout count.
        session: The session's uid.
    """
    if lot(_HOLDOUT_SALT, session) < experiment.holdout:
        return Draw(COLD, is_held_out=True)
    number = lot(experiment.salt, session)
    for arm, share in experiment.shares.items():
        if number < share:
            return Draw(arm, is_held_out=False)
        number -= share
    return Draw(experiment.arms[-1], is_held_out=False)  # the shares' last rounding


def lot(salt: str, session: str) -> float:
    """Return a number from 0 up to, and without, 1.

    Example:
        >>> lot("a", "s-1") == lot("a", "s-1") != lot("b", "s-1")
        True
    """
    text = f"{salt}\0{session}".encode("utf-8", "surrogatepass")
    return (int.from_bytes(hashlib.sha256(text).digest()[:8]) >> 11) / _PARTS
