"""What a person types into a search, as both engines take it.

Words, "phrases in quotes", beginnings*, and -words that must not be there. Nothing else has
a meaning: what is typed is split into words here, so no letter of it can be an operator of
an engine's query language.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from oldhand.errors import InvalidInput
from oldhand.sessions.search.text import is_cjk, units

MAX_QUERY_CHARS = 1_000
_PART = re.compile(r'(-(?=[^\s-]))?(?:"([^"]*)"?(\*?)|([^\s"]+))')


class Term(NamedTuple):
    """Words that must follow each other.

    Attributes:
        units: Folded words and single CJK letters, in order; never empty.
        is_prefix: The last of them is a beginning.
    """

    units: tuple[str, ...]
    is_prefix: bool

    def words(self) -> list[str]:
        """Return the words of the index that it is made of, CJK as pairs."""
        words = []
        for at, unit in enumerate(self.units):
            after = self.units[at + 1] if at + 1 < len(self.units) else ""
            if is_cjk(unit) and is_cjk(after):
                words.append(unit + after)
            elif not after and at and is_cjk(unit) and is_cjk(self.units[at - 1]):
                break  # the run may go on in the text, the pair before says it all
            else:
                words.append(unit)
        return words

    def is_open(self) -> bool:
        """Say whether the last of `words` is a beginning: a lone CJK letter is one."""
        last = self.words()[-1]
        return (self.is_prefix and not is_cjk(last)) or (
            len(last) == 1 and is_cjk(last)
        )

    def as_fts5(self) -> str:
        """Return it as a phrase of SQLite's FTS5."""
        return f'"{" ".join(self.words())}"' + (" *" if self.is_open() else "")


class SearchQuery(NamedTuple):
    """Different terms that a message must hold, and terms that it must not."""

    wanted: tuple[Term, ...]
    excluded: tuple[Term, ...]

    def as_fts5(self) -> str:
        """Return it as a MATCH expression of SQLite's FTS5, wanted terms in order first."""
        wanted = " AND ".join(term.as_fts5() for term in self.wanted)
        if not self.excluded:
            return wanted
        excluded = " OR ".join(term.as_fts5() for term in self.excluded)
        return f"({wanted}) NOT ({excluded})"

    def as_tsquery(self) -> str:
        """Return it as the text that PostgreSQL's `to_tsquery` takes."""
        return " & ".join(
            [*map(_tsquery, self.wanted), *(f"!{_tsquery(t)}" for t in self.excluded)]
        )


def parse_query(text: str) -> SearchQuery:
    """Read what a person typed.

    Raises:
        InvalidInput: It holds no word to look for, or has over 1,000 characters.

    Example:
        >>> parse_query('retr* "disk full" -test').as_fts5()
        '("retr" * AND "disk full") NOT ("test")'
    """
    if len(text) > MAX_QUERY_CHARS:
        raise InvalidInput(
            f"the query has {len(text):,} characters; expected at most {MAX_QUERY_CHARS:,}"
        )
    wanted: list[Term] = []
    excluded: list[Term] = []
    for minus, phrase, phrase_star, word in _PART.findall(text):
        said = phrase or word
        words = tuple(units(said))
        if words:
            term = Term(words, is_prefix=bool(phrase_star) or word.endswith("*"))
            (excluded if minus else wanted).append(term)
    if not wanted:
        hint = "besides those that must not be there" if excluded else "in it"
        raise InvalidInput(f"{text!r} is no query; expected at least one word {hint}")
    # a term said twice would be looked for, and ranked, twice
    return SearchQuery(tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(excluded)))


def _tsquery(term: Term) -> str:
    words = [f"'{word}'" for word in term.words()]
    if term.is_open():
        words[-1] += ":*"
    return f"({' <-> '.join(words)})"
