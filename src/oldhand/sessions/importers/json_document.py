"""Read a file that is one JSON value, whoever wrote it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.json_lines import storable_value


def read_json_document(path: Path, *, progress: Callable[[int], None]) -> Any:  # noqa: ANN401 - any JSON value
    """Return the JSON value that a file holds; None where it is no JSON.

    Args:
        path: A file in UTF-8, with a byte order mark or without.
        progress: Called with the number of bytes, where they were JSON.

    Raises:
        UnreadableSource: The file cannot be opened.
    """
    try:
        raw = path.read_bytes()
    except OSError as fault:
        raise UnreadableSource(f"{path}: {fault.strerror or fault}") from fault
    try:
        value = storable_value(_parsed(raw.removeprefix(b"\xef\xbb\xbf")))
    except (ValueError, RecursionError):
        return None
    progress(len(raw))
    return value


def _parsed(raw: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Parse quickly, and what that refuses and Python writes as well: NaN, surrogates."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return json.loads(raw.decode("utf-8", "replace"))
