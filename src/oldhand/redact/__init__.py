"""Secrets: found by rules, and replaced by a mark that names their kind.

A keyword leads to each rule, so that text without any costs nearly nothing. E-mail
addresses go whole, but for remotes (`git@host:path`), hosts to log in to and `noreply@`;
phone numbers and addresses of machines stay, since too much else looks like them. Rules
miss things; look at what you share.
"""

from __future__ import annotations

from oldhand.redact.find import find_secrets, redact
from oldhand.redact.json_values import redact_json
from oldhand.redact.rules import Secret

__all__ = ["Secret", "find_secrets", "redact", "redact_json"]
