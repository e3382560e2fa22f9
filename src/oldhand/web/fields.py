"""What stands in a body or a query, checked: each fault names its field."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from starlette.requests import Request

from oldhand.confirm.requests.facts import BadField
from oldhand.errors import NotFound
from oldhand.web.bodies import read_value
from oldhand.web.desk import Desk

GREATEST = 2**53 - 1
"""Of a whole number: what every JSON reader holds exactly, and a database's column."""
_ID = re.compile(r"[0-9a-hjkmnp-tv-z]{26}")
_LONGEST_NUMBER = 10
_DECIMAL = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?")
_NAME = re.compile(r"[a-z0-9][a-z0-9._@:+-]{0,99}")


async def read_fields(
    desk: Desk,
    request: Request,
    *,
    known: Collection[str],
    needed: Collection[str] = (),
    is_open: bool = False,
) -> Mapping[str, Any]:
    """Read a body that is a JSON object.

    Args:
        desk: Where we are.
        request: What came in; no body at all counts as an empty object.
        known: The fields that there may be.
        needed: Those that must be there.
        is_open: Nobody need be known; then it is to be short.

    Raises:
        BadField: It is none, or a field is missing or unknown.
        WrongContent: It is said to be something else.
    """
    value = await read_value(desk, request, is_open=is_open)
    try:
        return _checked(value, known, needed)
    except BadField:
        if not is_open:  # what a body should hold is told to nobody
            await desk.caller(request)
        raise


def text(fields: Mapping[str, Any], name: str, *, most: int, default: str = "") -> str:
    """Return a field that is a text of at most so many characters; null is missing.

    Raises:
        BadField: It is something else.
    """
    value = fields.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise BadField(f"{name} is no text", name)
    if len(value) > most:
        raise BadField(f"{name} has {len(value)} characters; at most {most}", name)
    if "\0" in value or not _is_unicode(value):
        raise BadField(f"{name} holds a character that is no text", name)
    return value


def name_of(fields: Mapping[str, Any], field: str) -> str | None:
    """Return a field that names a principal; None where it is missing or null.

    An empty one is none: it must not come to mean anybody.

    Raises:
        BadField: It cannot be a name.
    """
    if fields.get(field) is None:
        return None
    value = text(fields, field, most=100)
    if not _NAME.fullmatch(value):
        raise BadField(f"{field} is {value!r}, which cannot be a name", field)
    return value


def whole(
    fields: Mapping[str, Any], name: str, *, least: int = 1, most: int = GREATEST
) -> int | None:
    """Return a field that is a whole number; None where it is missing or null.

    Raises:
        BadField: It is something else.
    """
    value = fields.get(name)
    if value is None:
        return None
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or not least <= value <= most:
        raise BadField(f"{name} is not a whole number from {least} to {most}", name)
    return int(value)


def needed_whole(fields: Mapping[str, Any], name: str) -> int:
    """Return a field that must be a whole number from 1 on.

    Raises:
        BadField: It is something else, or missing.
    """
    value = whole(fields, name)
    if value is None:
        raise BadField(f"{name} is missing", name)
    return value


def truth(fields: Mapping[str, Any], name: str) -> bool:
    """Return a field that must be true or false.

    Raises:
        BadField: It is something else, or missing.
    """
    value = fields.get(name)
    if not isinstance(value, bool):
        raise BadField(f"{name} is neither true nor false", name)
    return value


def texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    """Return a field that is a list of texts; None where it is missing or null.

    Raises:
        BadField: It is something else.
    """
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise BadField(f"{name} is no list of texts", name)
    return tuple(text({name: each}, name, most=1000) for each in value)


def asked_whole(
    request: Request, name: str, *, least: int, most: int, default: int
) -> int:
    """Return a whole number of the query.

    Raises:
        BadField: It is something else.
    """
    if not request.scope["query_string"] or name not in request.query_params:
        return default
    value = asked_text(request, name, most=20)
    # isdigit alone takes digits of other scripts.
    is_whole = value.isascii() and value.isdigit()
    if not is_whole or not least <= int(value) <= most:
        raise BadField(f"{name} is not a whole number from {least} to {most}", name)
    return int(value)


def asked_number(request: Request, name: str, *, most: float) -> float | None:
    """Return a number above 0 of the query; None where it is missing.

    Raises:
        BadField: It is something else.
    """
    said = asked_text(request, name, most=40)
    if not said:
        return None
    value = float(said) if _DECIMAL.fullmatch(said) else 0.0
    if not 0 < value <= most:
        raise BadField(f"{name} is not a number above 0, at most {most:g}", name)
    return value


def asked_text(request: Request, name: str, *, most: int = 200) -> str:
    """Return a text of the query, "" where it is missing.

    Raises:
        BadField: It stands there twice, or is too long.
    """
    values = request.query_params.getlist(name)
    if len(values) > 1:
        raise BadField(f"{name} stands twice", name)
    return text({name: values[0] if values else None}, name, most=most)


def request_id(request: Request) -> str:
    """Return the id in the path; what cannot be one becomes "-", which nothing has.

    So an id of another form is refused where a wrong one is, and in the same words.
    """
    value = str(request.path_params["id"])
    return value if _ID.fullmatch(value) else "-"


def path_number(request: Request) -> int:
    """Return the number in the path.

    Raises:
        NotFound: It is none.
    """
    value = str(request.path_params["number"])
    if not (value.isascii() and value.isdigit() and len(value) < _LONGEST_NUMBER):
        raise NotFound(f"there is no credential {value[:100]}")
    return int(value)


def principal_name(request: Request) -> str:
    """Return the name in the path.

    Raises:
        NotFound: It cannot be one.
    """
    value = str(request.path_params["name"])
    if not _NAME.fullmatch(value):
        raise NotFound(f"there is no principal {value[:100]!r}")
    return value


def _checked(
    value: object, known: Collection[str], needed: Collection[str]
) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadField("the body is no object", "")
    for field in sorted(value.keys() - set(known)):
        said = ", ".join(sorted(known)) or "none"
        raise BadField(f"{field[:100]!r} is no field; there are {said}", field)
    for field in needed:
        if field not in value:
            raise BadField(f"{field} is missing", field)
    return value


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
