"""Take a terminal's colours out of a text that is to be shown."""

from __future__ import annotations

from oldhand.redact import redact
from oldhand.terminal import without_colours


def uncoloured(text: str) -> str:
    r"""Drop a terminal's colours, and redact what they had kept apart.

    `jq` and others put colours between a name and its value, `grep` into a word: redacting
    the text as it was stored could not know such a secret.

    Example:
        >>> uncoloured('"password"\x1b[0m: \x1b[32m"hunter2!"')
        '"password": "[redacted:password]"'
    """
    return redact(without_colours(text)) if "\x1b" in text else text
