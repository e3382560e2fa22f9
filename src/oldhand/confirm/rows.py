"""Rows of the tables as what they mean."""

from __future__ import annotations

import json
from typing import Any

from oldhand.confirm.model import AuditRow, Principal, Request, StandingGrant
from oldhand.store import Row

_JSON_AT = tuple(map(Request._fields.index, ("details", "original_details", "result")))


def principal_of(row: Row) -> Principal:
    """Read a row of `principals`, with its owner's name."""
    number, name, kind, owner, owner_id, is_disabled = row
    return Principal(number, name, kind, owner, owner_id, bool(is_disabled))


def request_of(row: Row) -> Request:
    """Read a row of `requests`, with its requester's name."""
    fields = list(row)
    for at in _JSON_AT:
        fields[at] = _value(row[at])
    return Request(*fields)


def standing_grant_of(row: Row) -> StandingGrant:
    """Read a row of `standing_grants`, with its requester's name."""
    fields = dict(zip(StandingGrant._fields, row, strict=True))
    fields["literal"] = _value(fields["literal"])
    return StandingGrant(**fields)


def audit_row_of(row: Row) -> AuditRow:
    """Read a row of `audit`."""
    seq, at_us, kind, request_id, principal, body, named = row
    return AuditRow(seq, at_us, kind, request_id, principal, _value(body), named)


def _value(text: str | None) -> Any:  # noqa: ANN401 - JSON
    return None if text is None else json.loads(text)
