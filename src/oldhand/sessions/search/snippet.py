"""A few words of a text around what was looked for, with each hit marked."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from oldhand.sessions.search.query import SearchQuery, Term
from oldhand.sessions.search.text import LETTER, MAX_WORD_CHARS, aligned, is_cjk

MARKS = ("«", "»")
_BEFORE_CHARS = 60
_LONGEST_CHARS = 180
_MAX_HITS = 200
_MAX_TERMS = 20  # looked for in a text, and of each so many words: time stays linear
_MAX_UNITS = 12


class _Hit(NamedTuple):
    """One place of one term, by the term's number."""

    start: int
    end: int
    term: int


def snippet(text: str, query: SearchQuery) -> str:
    r"""Return the part of a text that holds most of a query's terms, on one line.

    Args:
        text: Redacted already.
        query: What was looked for.

    Returns:
        At most about 200 characters, hits between « and »; the text's beginning where it
        holds none.

    Example:
        >>> from oldhand.sessions.search.query import parse_query
        >>> snippet("No space\nleft on device", parse_query("SPACE"))
        'No «space» left on device'
    """
    hits = _hits(text, query.wanted)
    place = _densest(hits)
    start = max(0, place - _BEFORE_CHARS)
    if start:
        start = text.find(" ", start, place) + 1 or start
    end = min(len(text), start + _LONGEST_CHARS)
    shown = " ".join(_marked(text, hits, start=start, end=end).split())
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"


def _hits(text: str, terms: tuple[Term, ...]) -> list[_Hit]:
    shown = terms[:_MAX_TERMS]
    pattern = re.compile("|".join(f"({_pattern(term)})" for term in shown))
    found = islice(pattern.finditer(aligned(text)), _MAX_HITS)
    return [_Hit(hit.start(), hit.end(), hit.lastindex or 0) for hit in found]


def _pattern(term: Term) -> str:
    """Return a regular expression for a term, over text that is `aligned`."""
    parts = []
    for at, unit in enumerate(term.units[:_MAX_UNITS]):
        is_open = len(unit) == MAX_WORD_CHARS or (
            term.is_prefix and at == len(term.units) - 1
        )
        if is_cjk(unit):
            parts.append(unit)
        else:
            end = f"{LETTER}*" if is_open else f"(?!{LETTER})"
            parts.append(f"(?<!{LETTER}){unit}{end}")
    return r"[\W_]*".join(parts)


def _densest(hits: list[_Hit]) -> int:
    """Return where a window over the text begins to hold the most different terms."""
    best, place, first = 0, 0, 0
    room = _LONGEST_CHARS - _BEFORE_CHARS
    for at, hit in enumerate(hits):
        while hit.end - hits[first].start > room and first < at:
            first += 1
        terms = len({other.term for other in hits[first : at + 1]})
        if terms > best:
            best, place = terms, hits[first].start
    return place


def _marked(text: str, hits: list[_Hit], *, start: int, end: int) -> str:
    parts, at = [], start
    for hit in hits:
        if hit.start >= at and hit.end <= end:
            parts += [
                text[at : hit.start],
                MARKS[0],
                text[hit.start : hit.end],
                MARKS[1],
            ]
            at = hit.end
    return "".join(parts) + text[at:end]
