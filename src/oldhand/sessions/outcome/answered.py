"""What the rules ask of the answers of tools that are no shell: JSON, or a sentence."""

from __future__ import annotations

from oldhand.sessions.outcome import signs
from oldhand.sessions.outcome.case import Case
from oldhand.sessions.status_words import FAILED, SUCCEEDED

_SHORT_CHARS = 600
_SENTENCE_CHARS = 250
_ERROR_STATUS = 400
_FAILED = FAILED | {"interrupted"}  # the call went through: what it ran did not
_ERROR_KEYS = ("error", "errors", "exception", "isError", "is_error")
_SHOWS = frozenset({"read", "delegate"})


def always(_case: Case) -> bool:
    """Whatever was not decided before."""
    return True


def has_no_text(case: Case) -> bool:
    """Nothing came back but blanks."""
    return not case.text


def has_body(case: Case) -> bool:
    """The result is JSON."""
    return case.body is not None


def body_says_failed(case: Case) -> bool:
    """The result is a JSON object that names an error or denies success."""
    body = case.body
    if not isinstance(body, dict):
        return False
    if any(body.get(key) for key in _ERROR_KEYS):
        return True
    if body.get("success") is False or body.get("ok") is False:
        return True
    if str(body.get("status", "")).lower() in _FAILED:
        return True
    codes = (body.get("status_code"), body.get("statusCode"), body.get("status"))
    return any(type(code) is int and code >= _ERROR_STATUS for code in codes)


def body_says_success(case: Case) -> bool:
    """The result is a JSON object that claims success."""
    body = case.body
    if not isinstance(body, dict):
        return False
    if body.get("success") is True or body.get("ok") is True:
        return True
    return str(body.get("status", "")).lower() in SUCCEEDED


def body_holds_nothing(case: Case) -> bool:
    """The result is JSON without content: an empty list, or an object of empty lists."""
    body = case.body
    if body in ({}, []):
        return True
    if not isinstance(body, dict):
        return False
    has_list = any(isinstance(value, list) for value in body.values())
    return has_list and not any(value for value in body.values() if value is not True)


def says_nothing_found(case: Case) -> bool:
    """A short text says that nothing was found."""
    if not case.text or len(case.text) > _SENTENCE_CHARS:
        return False
    text = case.text.lower()
    return text.startswith(signs.NOTHING) or text in signs.NOTHING_EXACT


def opens_with_error(case: Case) -> bool:
    """The text begins as errors of tools do; what a reader shows must be short as well."""
    if case.view.use in _SHOWS and len(case.text) > _SHORT_CHARS:
        return False
    return signs.OPENS_WITH_ERROR.match(case.head) is not None


def names_http_failure(case: Case) -> bool:
    """A short text names an HTTP status of 400 or above."""
    if case.view.use in _SHOWS or len(case.text) > _SHORT_CHARS:
        return False
    if "HTTP" not in case.head and "tatus" not in case.head:
        return False
    return signs.HTTP_FAILURE.search(case.head) is not None
