"""The head of a SKILL.md: the few forms of YAML that name and describe a skill.

No YAML library: all that is needed is `name`, `description` and `version`, and a stranger's
file must not be able to do more than be wrong. What is read: `key: value`, quoted or not;
a value on indented lines, folded (`>`) or kept (`|`); comments. Lists and maps under other
keys are passed over unread. What is none of that is refused with its line.
"""

from __future__ import annotations

import json
import re

from oldhand.errors import InvalidInput

WANTED = ("name", "description", "version")
_KEY = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$")
_BLOCK = re.compile(r"([|>])[+-]?[ \t]*(?:#.*)?$")
_FENCE = "---"


def read_frontmatter(text: str) -> dict[str, str]:
    r"""Return the wanted keys of a file's head, those that are there.

    Args:
        text: Of the whole file, or its beginning.

    Raises:
        InvalidInput: There is no head, it has no end, a wanted key stands twice, or a line
            or a value is of a form that is not read; the message names the line.

    Example:
        >>> read_frontmatter("---\nname: triage\ndescription: >\n  Sort\n  mail\n---\n")
        {'name': 'triage', 'description': 'Sort mail'}
    """
    lines = text.removeprefix("\ufeff").split("\n")
    if not lines or lines[0].rstrip() != _FENCE:
        raise InvalidInput("line 1: expected ---, which begins the frontmatter")
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), 0)
    if not end:
        raise InvalidInput("the frontmatter has no end; expected a line ---")
    found: dict[str, str] = {}
    at = 1
    while at < end:
        at = _read_entry(lines, at, end, found)
    return found


def _read_entry(lines: list[str], at: int, end: int, found: dict[str, str]) -> int:
    """Read what begins on a line; return the number of the line after it."""
    line = lines[at]
    after = at + 1
    if not line.strip() or line.lstrip().startswith("#"):
        return after
    match = _KEY.match(line)
    if match is None:
        raise InvalidInput(f"line {at + 1}: {line[:80]!r}; expected `key: value`")
    while after < end and _belongs(lines[after]):
        after += 1
    key, value = match[1], (match[2] or "").strip()
    if key in WANTED:
        if key in found:
            raise InvalidInput(f"{key}: line {at + 1}: stands there twice")
        try:
            found[key] = _value(value, lines[at + 1 : after])
        except ValueError as fault:
            raise InvalidInput(
                f"{key}: line {at + 1}: {value[:80]!r}; {fault}"
            ) from fault
    return after


def _belongs(line: str) -> bool:
    """Say whether a line goes on with the entry before it: indented, a list's, or empty."""
    return not line.strip() or line[0] in " \t" or line.startswith("- ")


def _value(value: str, below: list[str]) -> str:
    block = _BLOCK.match(value)
    if block is not None:
        joint = "\n" if block[1] == "|" else " "
        return joint.join(line.strip() for line in below).strip()
    if value.startswith(('"', "'")):
        return _quoted(" ".join([value, *(line.strip() for line in below)]).strip())
    if value.startswith(("[", "{", "&", "*", "!", "%", "@", "`", "- ")):
        raise ValueError("expected a text")
    plain = " ".join([value, *(line.strip() for line in below)]).strip()
    return re.split(r"(?:^|\s)#", plain, maxsplit=1)[0].strip()


def _quoted(text: str) -> str:
    if text.startswith("'"):
        match = re.match(r"'((?:[^']|'')*)'\s*(?:#.*)?$", text)
        if match is None:
            raise ValueError("expected a closing '")
        return match[1].replace("''", "'")
    match = re.match(r'("(?:[^"\\]|\\.)*")\s*(?:#.*)?$', text)
    if match is None:
        raise ValueError('expected a closing "')
    value = json.loads(match[1])  # JSON's escapes are YAML's; others are refused
    return str(value)
