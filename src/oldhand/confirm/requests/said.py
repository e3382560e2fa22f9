"""What a model is told of its request, in a sentence or two."""

from __future__ import annotations

import json

from oldhand.confirm.model import Request
from oldhand.confirm.requests.differences import differences

_SENTENCES = {
    "pending": "A person has been asked, and has not decided yet. Do not do it meanwhile.",
    "auto_approved": "This was let pass by the rule {rule}. Use it once, as it was asked.",
    "approved": "{by} approved this. Use it once, as it stands in details.",
    "denied": "{by} denied this. Do not try it another way.",
    "expired": "Nobody decided in time, so this was not approved. Do not do it.",
    "cancelled": "You cancelled this request. Do not do it.",
    "lapsed": "This was approved and not used in time. Ask again if it is still wanted.",
    "revoked": "The approval was taken back before it was used. Do not do it.",
    "blocked": "A rule blocks this: {why} Do not try it another way.",
    "consumed": "This approval is used. Report the result.",
    "succeeded": "This was done, and is over.",
    "failed": "This was tried and failed. Ask again before trying again.",
    "unknown": "This was approved and used; nobody reported what came of it.",
}


def message_for_model(request: Request) -> str:
    """Say what became of a request, and what to do now.

    A person's reason and edits are quoted as JSON, so that where they end is plain.
    """
    said = _SENTENCES[request.state].format(
        by=request.decided_by or "a person", rule=request.rule, why=request.why
    )
    if (
        request.state in {"approved", "consumed"}
        and request.original_details is not None
    ):
        edits = differences(request.original_details, request.details)
        changed = json.dumps(edits, ensure_ascii=False)
        said += f" It was changed first, and only this may run: {changed}."
    if request.reason:
        said += f" The reason given: {json.dumps(request.reason, ensure_ascii=False)}."
    return said
