"""What the daemon says of a request, read strictly: what is not understood is no yes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from oldhand.confirm.requests.states import STATES, USABLE
from oldhand.errors import Unreachable


class Held(NamedTuple):
    """A request, as its answer tells of it.

    Attributes:
        status: One of `oldhand.confirm.requests.states.STATES`.
        rev: With `digest`, what a person must have seen to decide; 0 where a submission
            is answered, which tells neither.
        details: What may run, as edited where a person did; {} in the answer to a
            submission.
        url: Where a person decides.
        message_for_model: What to tell a model, in a sentence or two.
        value: The answer whole.
    """

    id: str
    status: str
    rev: int
    action: str
    details: Mapping[str, Any]
    target: str
    digest: str
    url: str
    message_for_model: str
    value: Mapping[str, Any]

    @property
    def is_usable(self) -> bool:
        """Whether a grant can be had, once."""
        return self.status in USABLE

    @property
    def is_pending(self) -> bool:
        """Whether a person has yet to decide."""
        return self.status == "pending"


class Used(NamedTuple):
    """An approval that was used: the daemon's signed word, and for what it is.

    Attributes:
        grant: Signed; `oldhand.confirm.grants.read_grant` verifies it.
        details: What may run, once.
        message_for_model: What to tell a model.
    """

    id: str
    grant: str
    details: Mapping[str, Any]
    message_for_model: str


def held_of(value: Mapping[str, Any], *, request_id: str | None = None) -> Held:
    """Read what a GET says of a request.

    Args:
        value: The answer.
        request_id: For which it was asked.

    Raises:
        Unreachable: It is no such answer, or of another request.
    """
    held = Held(
        id=_text(value, "id"),
        status=_state(value),
        rev=_number(value, "rev"),
        action=_text(value, "action"),
        details=_object(value, "details"),
        target=_text(value, "target", may_lack=True),
        digest=_text(value, "digest"),
        url=_text(value, "url", may_lack=True),
        message_for_model=_text(value, "message_for_model"),
        value=value,
    )
    if request_id is not None and held.id != request_id:
        raise Unreachable("the daemon answered of another request than was asked for")
    return held


def submitted_of(value: Mapping[str, Any], *, status: str) -> Held:
    """Read the answer to a submission, which must say a status that its HTTP code allows.

    Raises:
        Unreachable: It is no such answer.
    """
    if _state(value) != status:
        raise Unreachable(f"the daemon answered {value.get('status')!r} for {status}")
    said = _text(value, "message_for_model", may_lack=True) or _text(
        value, "message", may_lack=True
    )
    return Held(
        id=_text(value, "id"),
        status=status,
        rev=0,
        action=_text(value, "action", may_lack=True),
        details={},
        target="",
        digest=_text(value, "digest", may_lack=True),
        url=_text(value, "url", may_lack=True),
        message_for_model=said,
        value=value,
    )


def used_of(value: Mapping[str, Any], *, request_id: str) -> Used:
    """Read the answer to a consumption.

    Raises:
        Unreachable: It is no such answer, or of another request.
    """
    used = Used(
        id=_text(value, "id"),
        grant=_text(value, "grant"),
        details=_object(value, "details"),
        message_for_model=_text(value, "message_for_model", may_lack=True),
    )
    if used.id != request_id or value.get("status") != "consumed" or not used.grant:
        raise Unreachable("the daemon answered something else than that it was used")
    return used


def _state(value: Mapping[str, Any]) -> str:
    found = value.get("status")
    if not isinstance(found, str) or found not in STATES:
        raise Unreachable(f"the daemon says a status that there is not: {found!r:.50}")
    return found


def _text(value: Mapping[str, Any], key: str, *, may_lack: bool = False) -> str:
    found = value.get(key)
    if isinstance(found, str):
        return found
    if found is None and may_lack:
        return ""
    raise Unreachable(f"the daemon's answer has no {key}")


def _number(value: Mapping[str, Any], key: str) -> int:
    found = value.get(key)
    if isinstance(found, int) and not isinstance(found, bool):
        return found
    raise Unreachable(f"the daemon's answer has no {key}")


def _object(value: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = value.get(key)
    if isinstance(found, dict):
        return found
    raise Unreachable(f"the daemon's answer has no {key}")
