r"""What a program prints, as text that can be kept: whole characters, no progress bars.

A line that is written over by `\r` again and again counts as it stood last: a download's
progress would else push out all that was said. Colours and other orders to a terminal go.
"""

from __future__ import annotations

import codecs
import re

_MAX_PENDING = 65_536
"""A line that is longer is handed on in pieces, so that one without an end is no burden."""
_ORDER = re.compile(  # to a terminal: CSI, OSC, and those of one character
    r"\x1b(?:\[[0-?]{0,60}[ -/]{0,10}[@-~]|\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|[@-Z^_])"
)


class Tidy:
    r"""Takes bytes as they come, and gives text.

    Example:
        >>> tidy = Tidy()
        >>> tidy.take(b"10 %\r50 %\r100 %\nd\x1b[1mone\n"), tidy.rest()
        ('100 %\ndone\n', '')
    """

    def __init__(self) -> None:
        """Begin with nothing taken."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""

    def take(self, data: bytes) -> str:
        """Take bytes, and return the text that is whole; a line's beginning waits."""
        text = self._pending + self._decoder.decode(data)
        end = text.rfind("\n") + 1
        if len(text) - end > _MAX_PENDING:
            end = len(text)
        self._pending = text[end:]
        return _tidied(text[:end])

    def rest(self) -> str:
        """Return what waits still, when nothing more comes."""
        text = self._pending + self._decoder.decode(b"", final=True)
        self._pending = ""
        return _tidied(text)


def _tidied(text: str) -> str:
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if "\x1b" in text:
        text = _ORDER.sub("", text)
    if "\r" in text:
        text = "\n".join(map(_as_it_stood_last, text.split("\n")))
    return text


def _as_it_stood_last(line: str) -> str:
    return line.rstrip("\r").rpartition("\r")[2]
