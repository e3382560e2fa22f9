"""What an experiment is: arms, the chance of each, and who stays cold for good."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from oldhand.clock import to_iso
from oldhand.errors import InvalidInput

Arm = Literal["cold", "warm", "placebo"]
"""`cold` is given nothing, `warm` what helps, `placebo` as much that does not."""

ARMS: tuple[Arm, ...] = get_args(Arm)
COLD: Arm = "cold"
DEFAULT_HOLDOUT = 0.1
DEFAULT_HORIZON = 20
MAX_HOLDOUT = 0.5
_MAX_HORIZON = 1_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_ROUNDING = 1e-3  # three shares of 0.333 are meant to be all


class Experiment(NamedTuple):
    """An experiment as it was started; it never changes but that it is stopped.

    Attributes:
        name: Letters, digits, `-` and `_`.
        shares: The chance of each arm for a session that is not held out; together 1.
        holdout: The chance to be held out, 0 to 0.5: cold for good.
        horizon: How many of a session's first working calls are looked at.
        description: For people.
        salt: Makes its lots independent of those of other experiments.
        started_at_us: Microseconds since 1970-01-01 UTC.
        stopped_at_us: The same; None while it runs.
        id: Its row; 0 where it is not stored.
    """

    name: str
    shares: Mapping[Arm, float]
    holdout: float
    horizon: int
    description: str
    salt: str
    started_at_us: int
    stopped_at_us: int | None = None
    id: int = 0

    @property
    def arms(self) -> tuple[Arm, ...]:
        """Its arms, in the order in which they were named."""
        return tuple(self.shares)

    def chance_of(self, arm: Arm) -> float:
        """Return the chance that a session is in an arm, from 0 to 1."""
        drawn = (1 - self.holdout) * self.shares[arm]
        return drawn + self.holdout if arm == COLD else drawn

    def chance_between(self, arm: Arm, other: Arm) -> float:
        """Return the chance of an arm among the sessions of that arm and another."""
        chance = self.chance_of(arm)
        return chance / (chance + self.chance_of(other))

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        stopped = self.stopped_at_us
        return {
            "name": self.name,
            "description": self.description,
            "shares": dict(self.shares),
            "holdout": self.holdout,
            "horizon": self.horizon,
            "started_at": to_iso(self.started_at_us),
            "stopped_at": None if stopped is None else to_iso(stopped),
        }


def shares_of(arms: Sequence[str], shares: Sequence[float] | None) -> dict[Arm, float]:
    """Give each arm its chance; by default all the same.

    Raises:
        InvalidInput: There is no `cold`, an arm is unknown or named twice, or the shares
            are not one for each arm that sum to 1.
    """
    unknown = [arm for arm in arms if arm not in ARMS]
    if unknown:
        raise InvalidInput(f"no arm {unknown[0]!r}; expected some of {', '.join(ARMS)}")
    if len(set(arms)) < len(arms):
        raise InvalidInput(f"an arm is named twice in {','.join(arms)}")
    if COLD not in arms or len(arms) == 1:
        raise InvalidInput(
            f"arms {','.join(arms)}: expected cold, with which the others are compared, "
            "and at least one other"
        )
    parts = list(shares) if shares else [1 / len(arms)] * len(arms)
    if len(parts) != len(arms):
        raise InvalidInput(
            f"shares: {len(parts)}, arms: {len(arms)}; expected one share for each arm"
        )
    total = math.fsum(parts)
    if not (min(parts) > 0 and abs(total - 1) <= _ROUNDING):  # nan is neither
        raise InvalidInput(
            f"shares {', '.join(f'{part:g}' for part in parts)} sum to {total:g}; "
            "expected each above 0, and 1 together"
        )
    known = {arm: arm for arm in ARMS}
    return {known[arm]: part / total for arm, part in zip(arms, parts, strict=True)}  # type: ignore[index]  # all are known


def check_plan(name: str, *, holdout: float, horizon: int) -> None:
    """Refuse what no experiment can be.

    Raises:
        InvalidInput: The name, the holdout or the horizon is none.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name!r} is no name of an experiment; expected 1 to 64 letters, digits, "
            "- and _, the first a letter or digit"
        )
    if not 0 <= holdout <= MAX_HOLDOUT:
        raise InvalidInput(f"a holdout of {holdout:g}; expected 0 to {MAX_HOLDOUT}")
    if not 1 <= horizon <= _MAX_HORIZON:
        raise InvalidInput(f"a horizon of {horizon}; expected 1 to {_MAX_HORIZON:,}")


def shares_to_text(shares: Mapping[Arm, float]) -> str:
    """Write shares as they are stored: a JSON object in the order of the arms."""
    return json.dumps(dict(shares))


def shares_from_text(text: str) -> dict[Arm, float]:
    """Read shares as `shares_to_text` writes them."""
    shares: dict[Arm, float] = json.loads(text)
    return shares
