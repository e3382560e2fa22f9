"""What can be wrong with an HTTP request before anybody asks what it wants."""

from __future__ import annotations

from oldhand.errors import Forbidden, InvalidInput, NotFound, OldhandError


class TooLarge(OldhandError):
    """The body is longer than anything that is wanted here."""

    code = "too_large"
    http_status = 413


class WrongContent(InvalidInput):
    """The body is of a kind that is not read here."""

    code = "wrong_content_type"
    http_status = 415


class WrongHost(OldhandError):
    """The request is for a host that this is not, as after DNS rebinding."""

    code = "wrong_host"
    http_status = 421


class ForeignOrigin(Forbidden):
    """A page of somebody else's sent the request, or nothing shows that it did not."""

    code = "foreign_origin"


class NoSuchMethod(OldhandError):
    """There is such a place, and this cannot be done there."""

    code = "method_not_allowed"
    http_status = 405

    def __init__(self, message: str, allowed: str) -> None:
        """Say it, and what can be done, as `GET, POST`."""
        super().__init__(message)
        self.allowed = allowed


class NoSuchPlace(NotFound):
    """There is nothing at this address."""


class TooSlow(OldhandError):
    """The body did not come in time."""

    code = "too_slow"
    http_status = 408


class GoneAway(InvalidInput):
    """The client left before the body had come whole."""

    code = "gone_away"
