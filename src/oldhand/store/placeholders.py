"""Named parameters, `:name`, as PostgreSQL's own `$1`, `$2`, ….

Queries name their parameters as SQLite takes them. PostgreSQL numbers them, so a query's
text is translated once and its names are kept in the order in which they first stand
there; a name that stands twice has one number, as in SQLite.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from oldhand.errors import StoreError
from oldhand.store.connector import Parameters

# What may hold a colon that begins no parameter comes before the parameter.
_TOKEN = re.compile(
    r"""
      '[^']*'                        # a text; '' inside one reads as two of them
    | "[^"]*"                        # a quoted name
    | --[^\n]*                       # a comment
    | /\*[^*]*\*+(?:[^/*][^*]*\*+)*/ # a longer comment
    | ::                             # a cast
    | (?<![\w:]):(?P<name>[A-Za-z_]\w*)
    """,
    re.VERBOSE,
)


class NumberedQuery(NamedTuple):
    """A query's text with numbers for names.

    Attributes:
        text: As PostgreSQL takes it.
        names: The parameter names; `names[0]` is `$1`.
    """

    text: str
    names: tuple[str, ...]

    def values(self, parameters: Parameters) -> list[Any]:
        """Return the values in the order of their numbers.

        Raises:
            KeyError: A name has no value.
            StoreError: There are not as many values as names.
        """
        if isinstance(parameters, Mapping):
            return [parameters[name] for name in self.names]
        if len(parameters) != len(self.names):
            raise StoreError(
                f"{len(parameters)} values for {len(self.names)} parameters"
            )
        return list(parameters)


@lru_cache(maxsize=2_000)
def number_parameters(sql: str) -> NumberedQuery:
    """Translate a query's text.

    Example:
        >>> number_parameters("SELECT a::text FROM t WHERE b = :b AND c <> ':no'")
        NumberedQuery(text="SELECT a::text FROM t WHERE b = $1 AND c <> ':no'", names=('b',))
    """
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        name = found["name"]
        if name is None:
            return found[0]
        return f"${numbers.setdefault(name, len(numbers) + 1)}"

    text = _TOKEN.sub(number, sql)
    return NumberedQuery(text, tuple(numbers))
