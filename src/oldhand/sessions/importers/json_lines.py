"""Read the JSON objects of a .jsonl file that another program may be writing to.

Real files hold lines with two objects, lines that are no object, broken lines, and a last
line that is still being written. None of these stops the reader; each is counted with its
line number. Only what was in the file when it was opened is read, so that a file which
grows faster than we read ends.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any

import orjson

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.storable_text import storable

MAX_LINE_BYTES = 64 * 1024 * 1024
_BUFFER_BYTES = 256 * 1024  # a line seldom spans two: a quarter of the time of 8 KB
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DECODER = json.JSONDecoder()


def read_json_lines(
    path: Path,
    *,
    tally: Tally,
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of the line, from 1, and each JSON object on it.

    Args:
        path: A file of JSON lines in UTF-8.
        tally: Counts what could not be read.
        progress: Called with the number of bytes that were read since the last call.

    Raises:
        UnreadableSource: The file cannot be opened, or is binary.
    """
    try:
        with BufferedReader(FileIO(path), _BUFFER_BYTES) as file:
            end = os.fstat(file.fileno()).st_size
            _refuse_binary(path, file.peek(1024)[:1024])
            yield from _lines(path, file, end, tally=tally, progress=progress)
    except OSError as fault:
        raise UnreadableSource(f"{path}: {fault.strerror or fault}") from fault


def _refuse_binary(path: Path, head: bytes) -> None:
    if b"\0" in head or head.startswith((b"\x1f\x8b", b"PK\x03\x04")):
        raise UnreadableSource(
            f"{path}: a binary file; expected JSON lines (one JSON object a line)"
        )


def _lines(
    path: Path,
    file: Any,  # noqa: ANN401 - a BufferedReader, whose stub is not generic over readline
    end: int,
    *,
    tally: Tally,
    progress: Callable[[int], None] | None,
) -> Iterator[tuple[int, dict[str, Any]]]:
    number = position = 0
    while position < end:
        line = file.readline(MAX_LINE_BYTES)
        if not line:
            break
        number += 1
        position += len(line)
        if progress is not None:
            progress(len(line))
        if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            tally.report_malformed(path, number, "longer than 64 MB")
            position += _skip_line(file)
            continue
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        try:
            value = orjson.loads(line)
        except (orjson.JSONDecodeError, RecursionError):
            is_last = not line.endswith(b"\n")
            yield from _mend(path, number, line, is_last=is_last, tally=tally)
            continue
        if type(value) is dict:
            yield number, value
        else:
            tally.report_malformed(path, number, "not a JSON object")


def _skip_line(file: Any) -> int:  # noqa: ANN401
    skipped = 0
    while part := file.readline(MAX_LINE_BYTES):
        skipped += len(part)
        if part.endswith(b"\n"):
            break
    return skipped


def _mend(
    path: Path, number: int, line: bytes, *, is_last: bool, tally: Tally
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read a line that is not one JSON value: several objects, or one that is broken."""
    text = line.decode("utf-8", "replace").strip()
    position = 0
    while position < len(text):
        try:
            value, position = _DECODER.raw_decode(text, position)
            value = storable_value(value)
        except (ValueError, RecursionError):
            if not is_last:  # a last line without its end is still being written
                tally.report_malformed(path, number, "not JSON")
            return
        if isinstance(value, dict):
            yield number, value
        else:
            tally.report_malformed(path, number, "not a JSON object")
        while position < len(text) and text[position].isspace():
            position += 1


def storable_value(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Make every text one that a database holds: JSON can name what no engine stores."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [storable_value(item) for item in value]
    if isinstance(value, dict):
        return {
            storable_value(key): storable_value(item) for key, item in value.items()
        }
    return value
