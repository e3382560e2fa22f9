r"""Draw the random parts of made-up lines: `{hex:40}`, `{pw}`, `{word}`, `{jwt}`.

The lines stand in their files with holes, so that no file holds what looks like a secret.
A hole is a name with an optional length; `⏎` is an end of line.
"""

from __future__ import annotations

import base64
import json
import re
import string
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
ALPHABETS = {
    "hex": DIGITS + "abcdef",
    "HEX": DIGITS + "ABCDEF",
    "dig": DIGITS,
    "up": UPPER + DIGITS,
    "low": LOWER + DIGITS,
    "b62": UPPER + LOWER + DIGITS,
    "b64": UPPER + LOWER + DIGITS + "+/",
    "url": UPPER + LOWER + DIGITS + "-_",
    "b32": UPPER + "234567",
    "any": UPPER + LOWER + DIGITS + "!*+-_.=^~",
    "odd": UPPER + LOWER + DIGITS + "!#%&*+,;-_.=?@^",
}
NAMES = """amber anchor basket beacon billing canyon cedar cobalt copper delta ember falcon
fabric garnet gateway harbor hazel indigo invoice juniper kernel lantern ledger maple marble
meadow nectar orbit orchard pepper pixel quartz raven report saddle search silver summit
thistle timber tulip upload velvet walnut willow yarrow zephyr"""
WORDS = NAMES.split()
HOLE = re.compile(r"\{([A-Za-z]\w*)(?::(\d+))?\}")


def fill(template: str, draw: Random) -> str:
    """Return the template with each hole filled by a fresh draw."""
    return HOLE.sub(lambda hole: _hole(hole, draw), template).replace("⏎", "\n")


def _hole(hole: re.Match[str], draw: Random) -> str:
    name, length = hole[1], int(hole[2] or 0)
    if name in ALPHABETS:
        return run(draw, ALPHABETS[name], length)
    shape = SHAPES.get(name)
    return shape(draw, length) if shape else hole[0]


def run(draw: Random, alphabet: str, length: int) -> str:
    """Return so many letters of an alphabet; long runs always mix letters and digits."""
    letters = [draw.choice(alphabet) for _ in range(length)]
    if length >= 12 and DIGITS[2] in alphabet and len(alphabet) > 10:
        letters[draw.randrange(3, length - 1)] = draw.choice("234567")
    return "".join(letters)


def _password(draw: Random, _: int) -> str:
    """Return what people choose or a manager proposes, without what a shell would read."""
    one, two = draw.sample(WORDS, 2)
    number = draw.randrange(10, 9999)
    return draw.choice(
        [
            f"{one.title()}-{two}-{number}",
            f"{one}{two.title()}{number}!",
            f"{one[:3].upper()}{number}_{two}",
            run(draw, ALPHABETS["any"].replace("=", ""), 16),
            run(draw, ALPHABETS["b62"], 20),
        ]
    ).lstrip("-!*=~^+.")


def _plain(draw: Random, _: int) -> str:
    """Return a weak password: a word or two and a number."""
    return f"{draw.choice(WORDS)}{draw.choice(WORDS)[:4]}{draw.randrange(10, 9999)}"


def _jwt(draw: Random, _: int) -> str:
    head = _packed({"alg": draw.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"})
    body = _packed(
        {"sub": run(draw, DIGITS, 8), "iat": 1700000000 + draw.randrange(9**8)}
    )
    return f"{head}.{body}.{run(draw, ALPHABETS['url'], 43)}"


def _packed(claims: dict[str, object]) -> str:
    text = json.dumps(claims, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def _basic(draw: Random, _: int) -> str:
    pair = f"{draw.choice(WORDS)}:{_password(draw, 0)}"
    return base64.b64encode(pair.encode()).decode()


def _coded(draw: Random, _: int) -> str:
    return base64.b64encode(_password(draw, 0).encode()).decode()


def _pem(draw: Random, lines: int) -> str:
    return "\n".join(run(draw, ALPHABETS["b64"], 64) for _ in range(lines))


def _uuid(draw: Random, _: int) -> str:
    return "-".join(run(draw, ALPHABETS["hex"], size) for size in (8, 4, 4, 4, 12))


def _version(draw: Random, _: int) -> str:
    return f"{draw.randrange(9)}.{draw.randrange(30)}.{draw.randrange(12)}"


SHAPES: dict[str, Callable[[Random, int], str]] = {
    "pw": _password,
    "plain": _plain,
    "jwt": _jwt,
    "basic": _basic,
    "coded": _coded,
    "pem": _pem,
    "uuid": _uuid,
    "ver": _version,
    "word": lambda draw, _: draw.choice(WORDS),
    "Word": lambda draw, _: draw.choice(WORDS).title(),
    "WORD": lambda draw, _: draw.choice(WORDS).upper(),
    "n": lambda draw, size: str(draw.randrange(1, 10 ** (size or 2))),
    "five": lambda draw, _: "-----",
    "day": lambda draw, _: (
        f"2025-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
    ),
    "hour": lambda draw, _: f"{draw.randrange(24):02}:{draw.randrange(60):02}:07",
}
