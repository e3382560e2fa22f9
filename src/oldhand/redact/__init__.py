"""Secrets: found by rules, and replaced by a mark that names their kind.

A keyword leads to each rule, so that text without any costs nearly nothing. E-mail
addresses go whole, but for remotes (`git@host:path`), hosts to log in to and `noreply@`;
phone numbers and addresses of machines stay, since too much else looks like them. Rules
miss things; look at what you share.

The rules are read when something is redacted for the first time: that takes some
milliseconds, and a start whose examples were looked at before has nothing to redact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oldhand.redact.rules import Secret

__all__ = ["find_secrets", "redact", "redact_json"]


def redact(text: str) -> str:
    """Replace every secret by a mark that names its kind.

    Redacting twice changes nothing more, and JSON text stays JSON text.

    Args:
        text: Anything: prose, code, the output of a command, JSON, a URL.

    Example:
        >>> redact("PGPASSWORD=hunter2 psql -h db")
        'PGPASSWORD=[redacted:password] psql -h db'
    """
    from oldhand.redact.find import redact_text  # noqa: PLC0415 - see above

    return redact_text(text)


def redact_json(value: Any, *, depth: int = 0) -> Any:  # noqa: ANN401 - any JSON value
    """Replace every secret in a JSON value, keys included.

    Under a key that ends in `password` a value goes whatever it looks like, under one that
    ends in `token`, `secret` and the like if it is long enough to be one.

    Args:
        value: Dicts, lists, strings, numbers, booleans and None.
        depth: How deep it lies in what it was taken from.

    Returns:
        The same shape anew. What lies deeper than 100 levels is left out.

    Example:
        >>> redact_json({"user": "ada", "password": "two words"})
        {'user': 'ada', 'password': '[redacted:password]'}
    """
    from oldhand.redact.json_values import redact_value  # noqa: PLC0415 - see above

    return redact_value(value, key="", depth=depth)


def find_secrets(text: str) -> list[Secret]:
    """Find passwords, tokens, keys, cookies, e-mail addresses and payment cards.

    Returns:
        In order of place, none overlapping another, none inside an earlier mark.

    Example:
        >>> find_secrets("git clone https://bob:hunter2@host/repo")
        [Secret(rule='url-password', start=22, end=29)]
    """
    from oldhand.redact.find import secrets_in  # noqa: PLC0415 - see above

    return secrets_in(text)
