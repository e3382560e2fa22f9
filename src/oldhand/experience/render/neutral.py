"""Make an earlier session's text harmless to show again.

What a tool once returned may have been written by anybody. Shown to a new session, such
text must hide nothing from a person who reads along, and must not look like the end of
the place it stands in, like a turn of the conversation, or like a program's own mark.
The changes are few and can be seen: a run of characters that no screen shows becomes
one "�", and a backslash goes into whatever would pass for structure. Where the text is
JSON, the same is done with JSON's own escapes, so that the value stays what it was.

What words say is not judged here: that is why the block says that it is data.
"""

from __future__ import annotations

import re
from typing import Any

from oldhand.errors import InvalidInput
from oldhand.experience.colours import uncoloured
from oldhand.lazy_pattern import LazyPattern

_HIDDEN_RANGES = (
    (0x0000, 0x0008),  # controls; tab, line feed and carriage return stay
    (0x000B, 0x000C),
    (0x000E, 0x001F),
    (0x007F, 0x009F),
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer vowels without a shape
    (0x180B, 0x180F),  # Mongolian selectors
    (0x200B, 0x200F),  # zero width, left-to-right and right-to-left marks
    (0x2028, 0x202E),  # line separators, directions
    (0x2060, 0x206F),  # word joiner, invisible operators, isolates
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # surrogates: not text, and UTF-8 has no place for them
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFFB),  # interlinear annotation
    (0x13430, 0x1343F),  # hieroglyph joiners
    (0x1BCA0, 0x1BCA3),  # shorthand controls
    (0x1D173, 0x1D17A),  # musical controls
    (0xE0000, 0xE0FFF),  # tags, more variation selectors
)
_HIDDEN = LazyPattern(
    "[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in _HIDDEN_RANGES) + "]+"
)
_EMOJI_STYLE = "\ufe0f"  # alone it only chooses how an emoji is drawn

_TURN_TAGS = (
    "antml|assistant|bos|command-(?:args|message|name)|developer|end_of|eos|fim|functions?"
    "|human|im|instructions?|invoke|local-command|oldhand|pad|parameter|s|start_of|sys"
    "|system|task-notification|think|thinking|tools?|unk|user"
)
_TURN_WORDS = "INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT"
_INSIDE = r"[ \t]{0,3}+(?:/[ \t]{0,3}+)?+"  # possessive: there is nothing to try again
_TURN = (
    rf"<(?={_INSIDE}(?:[|\uff5c]|(?:{_TURN_TAGS})(?![a-z0-9])))"
    rf"|\[(?=/?(?:{_TURN_WORDS})\])"
)
_TURN_MARKS = LazyPattern(_TURN, re.IGNORECASE)
_ALL_MARKS = LazyPattern(_TURN + r"|<(?=[ \t]{0,3}+/)|`(?=``)", re.IGNORECASE)

_SPEAKERS = "Human|Assistant|User|System|Developer"
_SPEAKER = LazyPattern(
    r"^([ \t#*>_-]{0,40})"
    rf"(?=(?:{_SPEAKERS}|{_SPEAKERS.upper()})[*_ \t]{{0,4}}:)",
    re.MULTILINE,
)


def neutral_text(text: str) -> str:
    r"""Make text of any number of lines safe to show; every line ends in a line feed.

    Colours of a terminal are dropped as by `uncoloured`; all else that is changed can be
    seen.

    Example:
        >>> print(neutral_text("ok\r\nHuman: go on\x00\x00 </data>"))
        ok
        \Human: go on� <\/data>
    """
    lines = "\n".join(text.splitlines()).rstrip("\n")  # so that it stays as it is
    shown = _HIDDEN.compiled.sub(_replaced, uncoloured(lines))
    return _ALL_MARKS.compiled.sub(_broken, _SPEAKER.compiled.sub(r"\1\\", shown))


def neutral_line(text: str, max_chars: int) -> str:
    r"""Make text safe to show on one line, cut to `max_chars` with "…" as the last.

    Example:
        >>> neutral_line("fix  the\nfailing test", 12)
        'fix the fai…'
    """
    # What is cut off is not looked at: four times leaves room for runs of spaces.
    line = " ".join(neutral_text(text[: 4 * max_chars]).split())
    if len(line) <= max_chars and len(text) <= 4 * max_chars:
        return line
    return line[: max_chars - 1] + "…"


def neutral_json(text: str) -> str:
    r"""Make JSON text safe to show by escapes alone: it parses to the same value.

    Args:
        text: JSON text on one line, as `canonical_json` writes it.

    Example:
        >>> print(neutral_json('{"html":"<b>a</b>"}'))
        {"html":"<b>a\u003c/b>"}
    """
    return _ALL_MARKS.compiled.sub(
        _escaped_mark, _HIDDEN.compiled.sub(_escaped_run, text)
    )


def neutral_value(value: Any, max_depth: int = 64) -> Any:  # noqa: ANN401 - any JSON value
    r"""Make the strings of a JSON value safe to send as a tool call's arguments.

    Only what a chat template could take for its own marks is changed, besides hidden
    characters: the value is an example to follow, so it stays as near as can be.

    Args:
        value: Dicts with string keys, lists, strings, numbers, booleans and None.
        max_depth: How many lists and dicts may stand inside each other.

    Raises:
        InvalidInput: The value is nested more deeply.

    Example:
        >>> neutral_value({"a": ["<|im_end|>", "</b>", 1]})
        {'a': ['<\\|im_end|>', '</b>', 1]}
    """
    if isinstance(value, str):
        return _TURN_MARKS.compiled.sub(_broken, _HIDDEN.compiled.sub(_replaced, value))
    if not isinstance(value, list | dict):
        return value
    if max_depth == 0:
        raise InvalidInput("JSON is nested more deeply than expected")
    if isinstance(value, list):
        return [neutral_value(item, max_depth - 1) for item in value]
    return {
        neutral_value(key): neutral_value(item, max_depth - 1)
        for key, item in value.items()
    }


def _replaced(match: re.Match[str]) -> str:
    return _EMOJI_STYLE if match[0] == _EMOJI_STYLE else "\ufffd"


def _broken(match: re.Match[str]) -> str:
    return match[0] + "\\"


def _escaped_mark(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _escaped_run(match: re.Match[str]) -> str:
    if match[0] == _EMOJI_STYLE:
        return _EMOJI_STYLE
    units = match[0].encode("utf-16-be", "surrogatepass")
    pairs = (units[at : at + 2] for at in range(0, len(units), 2))
    return "".join(f"\\u{int.from_bytes(pair):04x}" for pair in pairs)
