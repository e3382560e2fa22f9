"""The policy: what holds, what held before, and what it would say of a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.lists import PolicyVersion, list_policies, policy_text
from oldhand.confirm.policies import active_policy
from oldhand.confirm.policy import Asked, Verdict, decide
from oldhand.confirm.requests.facts import check_draft, read_json
from oldhand.errors import InvalidInput, NotFound
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.desk import Desk
from oldhand.web.forms import read_form
from oldhand.web.pages.frame import Frame, framed
from oldhand.web.pages.look import page
from oldhand.web.routes import Page

_EXAMPLE = '{"action": "Bash", "details": {"command": "git push --force"}}'
_MOST_VERSION = 2**31


class Shown(NamedTuple):
    """A version of the policy, all versions, and what one says of a call."""

    version: PolicyVersion
    versions: list[PolicyVersion]
    text: str
    verdict: Verdict | None


async def show(desk: Desk, request: Request) -> Response:
    """Show what holds, or an earlier version."""
    version = fields.asked_whole(
        request, "version", least=0, most=_MOST_VERSION, default=0
    )

    def part(store: Store, frame: Frame) -> Response:
        shown = _shown(store, version=version)
        return page("policy.html", frame=frame, shown=shown, tried=_EXAMPLE, fault="")

    return await framed(desk, request, part)


async def try_(desk: Desk, request: Request) -> Response:
    """Show what the policy would say of a call."""
    form = await read_form(desk, request)
    tried = form.fields.get("call", "")
    asked, fault = _asked(tried, form.fields)

    def part(store: Store, frame: Frame) -> Response:
        return page(
            "policy.html", status=400 if fault else 200, frame=frame,
            shown=_shown(store, asked=asked), tried=tried, fault=fault,
        )  # fmt: skip

    return await framed(desk, request, part)


def _asked(tried: str, form: Mapping[str, str]) -> tuple[Asked | None, str]:
    """Read a call; or say what is wrong with it."""
    try:
        draft = check_draft(read_json(tried.encode()))
    except InvalidInput as fault:
        return None, str(fault)
    asked = Asked(
        action=draft.action,
        details=draft.details,
        target=draft.target,
        requester=form.get("requester", "").strip(),
        session_key=draft.session_key,
        risk=draft.risk,
    )
    return asked, ""


def _shown(store: Store, *, version: int = 0, asked: Asked | None = None) -> Shown:
    active = active_policy(store)
    versions = list_policies(store)
    if active is None:
        raise NotFound("there is no policy yet")
    wanted = version or active.version
    found = next((each for each in versions if each.version == wanted), None)
    text = policy_text(store, wanted)
    if found is None or text is None:
        raise NotFound(f"there is no version {wanted} of the policy")
    verdict = decide(active.policy, asked) if asked is not None else None
    return Shown(found, versions, text, verdict)


PAGES = (Page("GET", "/policy", show), Page("POST", "/policy/test", try_))
