"""Is this value a secret? Telling them from code, prose, placeholders and plain words.

A secret made by a machine shows it: letters, digits and cases change places every other
character, which no word and hardly a name does. One that a person chose may be any word,
so for those the place where it stands must say that it is a password.
"""

from __future__ import annotations

import re

from oldhand.lazy_pattern import LazyPattern

_PLACEHOLDER = LazyPattern(
    r"""
      \$(?:[A-Za-z_(\{].*|\d)  |  %[a-z]  |  %\w+%  |  @[\w-]*[./][\w./-]*  |  ![a-z]+  |  [<{].*
    | .*(?:\$\{|\{\{|%\(|<[a-z_ -]+>|\*\*\*|\.\.\.|\u2026).*
    | (.)\1*                                            # one character, over and over
    | x+[-x\d]*                                         # xxxx-xxxx, xxx123
    | (?-i:[A-Z]+(?:_[A-Z]+)+)                          # the name of a variable
    | (?:.*[^a-z0-9])?(?:your|example|placeholder|dummy|fake|sample|redacted|insert
        |change[-_]?(?:me|it|this)|replace[-_]?me|todo)(?:[^a-z0-9].*)?
    | (?:my|the|a|test|some|new|old|bad|wrong|invalid|valid|no|user|admin|root|default)?
      [-_ ]?(?:password|passwd|passphrase|passwort|pass|pwd|secret|token|api[-_]?key|key
        |credentials?|auth|value)s?[-_ ]?(?:here|value|string|name|field)?\d?
    | none | null | nil | true | false | undefined | string | str | text | bytes? | int
    | bool | any | object | optional | required | prompt | input | hidden | env | empty
    | argument | option | parameter | flag | foo | bar | baz | test(?:ing)? | basic
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_UUID = LazyPattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_RUN = LazyPattern(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_PART = LazyPattern(r"[A-Za-z0-9]{6,}")
_DIGITS = LazyPattern(r"[0-9]+")
_UNSPEAKABLE = LazyPattern(r"[bcdfghjklmnpqrstvwxz]{5}", re.IGNORECASE)
_TIME = LazyPattern(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:|$)")

_NO_JOINTS = str.maketrans("", "", "-_./: ")
_LONG_PART = 16
_LONGEST_JUDGED = 4_000  # characters; the rest of a longer value changes nothing


def is_placeholder(value: str) -> bool:
    """Say whether a value only holds the place of a secret, or names where it is.

    Example:
        >>> [is_placeholder(v) for v in ("$TOKEN", "<token>", "****", "your-key", "str")]
        [True, True, True, True, True]
        >>> is_placeholder("hunter2")
        False
    """
    return _PLACEHOLDER.fullmatch(value[:_LONGEST_JUDGED]) is not None


def is_random(value: str) -> bool:
    """Say whether a machine seems to have made a value.

    Args:
        value: Any text; under six letters and digits in a row never are.

    Example:
        >>> is_random("9f8a7b6c5d"), is_random("Tr0ub4dor&3"), is_random("test-token-2")
        (True, True, False)
    """
    value = value[:_LONGEST_JUDGED]
    if _TIME.match(value):
        return False
    return bool(_UUID.search(value)) or any(map(_is_random_part, _PART.findall(value)))


def _is_random_part(part: str) -> bool:
    """A short one must change its kind of character every third or sooner."""
    if part.isdigit():
        return False
    changes = len(_RUN.findall(part)) * 3
    if changes > len(part):
        return True
    if len(part) < _LONG_PART:
        return False
    digits = len(_DIGITS.findall(part))
    if part.isupper() or part.islower():
        return digits > (0 if part.isupper() else 1) or bool(_UNSPEAKABLE.search(part))
    return digits > 1 or changes == len(part)


def is_mixed(value: str) -> bool:
    """Say whether letters stand together with digits or signs, as in many passwords.

    Signs that join words, as in `test-name` and `a/b.go`, do not count.
    """
    signs = value.translate(_NO_JOINTS)
    return any(map(str.isalpha, signs)) and not signs.isalpha()
