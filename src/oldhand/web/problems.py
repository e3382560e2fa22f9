"""Faults as answers: `application/problem+json`, in one place.

What we raise on purpose says what was wrong. Anything else is told by an id alone, under
which the log has the trace.

Source: RFC 9457.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from oldhand.confirm.requests.facts import BadField
from oldhand.errors import (
    OldhandError,
    RequestConflict,
    StoreError,
    TooMany,
    Unauthenticated,
)
from oldhand.ids import new_id
from oldhand.web.answers import to_json
from oldhand.web.faults import NoSuchMethod

logger = logging.getLogger(__name__)


def problem_of(fault: Exception) -> dict[str, Any]:
    """Say a fault as RFC 9457 wants it: `type`, `title`, `status`, `detail`, and `code`.

    A fault that was not foreseen is logged here, under the `id` in what is returned.
    """
    if not isinstance(fault, OldhandError):
        name = new_id()
        logger.error("internal error %s", name, exc_info=fault)
        return _problem(500, "internal", f"internal error {name}") | {"id": name}
    detail = str(fault)
    if isinstance(fault, StoreError):  # which says where the database is
        logger.error("the database refused: %s", fault)
        detail = "the database refused for now; the daemon's log says why"
    return _problem(fault.http_status, fault.code, detail) | _particulars(fault)


def answer_fault(fault: Exception) -> Response:
    """Answer with a fault."""
    problem = problem_of(fault)
    return problem_response(problem, headers=_headers(fault))


def problem_response(
    problem: Mapping[str, Any],
    *,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Answer with a problem, by the HTTP status that it names.

    Args:
        problem: As `problem_of` makes it.
        headers: To be sent along.
    """
    return Response(
        to_json(problem),
        status_code=problem["status"],
        media_type="application/problem+json",
        headers=headers,
    )


def _problem(status: int, code: str, detail: str) -> dict[str, Any]:
    return {
        "type": f"urn:oldhand:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
    }


def _particulars(fault: OldhandError) -> dict[str, Any]:
    if isinstance(fault, BadField):
        return {"field": fault.field}
    if isinstance(fault, RequestConflict):
        return {"why": fault.why}
    if isinstance(fault, TooMany):
        return {
            "remaining": 0,
            "window_seconds": fault.window_seconds,
            "retry_after_seconds": fault.retry_after_seconds,
        }
    return {}


def _headers(fault: Exception) -> dict[str, str]:
    if isinstance(fault, TooMany):
        return {"Retry-After": str(fault.retry_after_seconds)}
    if isinstance(fault, Unauthenticated):
        return {"WWW-Authenticate": 'Bearer realm="oldhand"'}
    if isinstance(fault, NoSuchMethod):
        return {"Allow": fault.allowed}
    return {}
