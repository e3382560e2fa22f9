"""A call's arguments as an object, whatever the agent wrote: the one place that says how.

Most agents write a JSON object. A tool may also be given free text, as Codex's
`apply_patch`, or any other JSON value; it is seen as an object with one key, so that such
a call has keys and a shape, and can be shown. What is stored stays as it was said.
"""

from __future__ import annotations

from typing import Any

FREE_TEXT_KEY = "input"


def arguments_in(text: str) -> dict[str, Any]:
    """Return the arguments that a text holds.

    Example:
        >>> arguments_in('{"path": "a.py"}'), arguments_in("*** Begin Patch")
        ({'path': 'a.py'}, {'input': '*** Begin Patch'})
        >>> arguments_in('["ls", "-l"]'), arguments_in("")
        ({'input': ['ls', '-l']}, {})
    """
    import orjson  # noqa: PLC0415 - with all that it imports a tenth of what a hook has

    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = text
    if type(value) is dict:
        return value
    return {FREE_TEXT_KEY: value} if value else {}
