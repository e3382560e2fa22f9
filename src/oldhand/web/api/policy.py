"""The policy that holds, and what it would say."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.model import Principal
from oldhand.confirm.policies import ActivePolicy, active_policy, put_policy
from oldhand.confirm.policy import Asked, decide
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.facts import BadField, check_details
from oldhand.errors import Conflict, NotFound
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation

_RISKS = ("low", "medium", "high", "")
_MOST_TEXT = 500_000
_FIELDS = ("action", "details", "target", "requester", "session_key", "risk")


async def show(desk: Desk, request: Request) -> Response:
    """Show the policy that holds."""
    version, policy = await desk.look(request, _active)
    return answer(
        {
            "version": version,
            "digest": policy.digest,
            "text": policy.text,
            "fault": desk.policy_fault,
        }
    )


async def put(desk: Desk, request: Request) -> Response:
    """Let another policy hold, where no file says which one does."""
    body = await fields.read_fields(desk, request, known=("text",), needed=("text",))
    text = fields.text(body, "text", most=_MOST_TEXT)

    def part(store: Store, by: Principal) -> ActivePolicy:
        check_is_person(by)
        if desk.has_policy_file():
            raise Conflict("the policy is in a file of the daemon: change it there")
        return put_policy(store, text, by=by.name, clock=desk.clock)

    version, policy = await desk.act(request, part)
    return answer({"version": version, "digest": policy.digest})


async def try_(desk: Desk, request: Request) -> Response:
    """Say what the policy would say; nothing is asked of anybody."""
    body = await fields.read_fields(
        desk, request, known=_FIELDS, needed=("action", "details")
    )
    risk = fields.text(body, "risk", most=10)
    if risk not in _RISKS:
        raise BadField(f"risk is {risk!r}; expected low, medium or high", "risk")
    action = fields.text(body, "action", most=200).strip()
    if not action:
        raise BadField("action is empty", "action")
    asked = Asked(
        action=action,
        details=check_details(body["details"]),
        target=fields.text(body, "target", most=1_000),
        requester=fields.text(body, "requester", most=100),
        session_key=fields.text(body, "session_key", most=200),
        risk=risk,
    )

    def part(store: Store, by: Principal) -> dict[str, Any]:
        version, policy = _active(store, by)
        verdict = decide(policy, asked)
        return {
            "effect": verdict.effect,
            "rule": verdict.rule,
            "why": verdict.why,
            "risk": verdict.risk,
            "policy_version": version,
        }

    return answer(await desk.look(request, part))


def _active(store: Store, by: Principal) -> ActivePolicy:
    check_is_person(by)
    active = active_policy(store)
    if active is None:
        raise NotFound("there is no policy yet")
    return active


OPERATIONS = (
    Operation(
        "PUT", "/policy", put, "Let another policy hold, where no file says which.",
        "person", {200: "PolicyPut"}, body="PolicyDraft", problems=(409,),
    ),
    Operation(
        "GET", "/policy", show, "Show the policy that holds.", "person",
        {200: "Policy"}, problems=(404,),
    ),
    Operation(
        "POST", "/policy/test", try_, "Say what the policy would say.", "person",
        {200: "Verdict"}, body="Asked", problems=(404,),
    ),
)  # fmt: skip
