"""How well a message fits a search: BM25 in SQLite, told how often each word occurs.

FTS5's own `bm25()` counts for each search, and for each word in it, all rows of the index
that hold the word: 40 ms for a word that stands in most of a million messages. Ranking is
bounded to 2,000 messages or so, which takes 5 ms here; how often a word occurs is guessed by
who asks.
"""

from __future__ import annotations

import math

import apsw

from oldhand.named_tuple import NamedTuple

NAME = "fits_how_well"
_K1, _B = 1.2, 0.75  # as FTS5 has them: how soon more of a word, and a short text, tell


class _Weights(NamedTuple):
    """What all rows of one search share: a weight for each word, and of the length."""

    words: list[float]
    base: float
    by_length: float


def offer_ranking(connection: apsw.Connection) -> None:
    """Let queries over this connection use `fits_how_well(TABLE, counts)`.

    It returns how well a row fits, above 0. `counts` says for each phrase of the search, in
    order and divided by spaces, in how many rows it stands; phrases beyond them do not count.
    """
    connection.register_fts5_function(NAME, _score)


def _score(row: apsw.FTS5ExtensionApi, /, *arguments: apsw.SQLiteValue) -> float:
    weights: _Weights | None = row.aux_data
    if weights is None:
        weights = row.aux_data = _weights(row, str(arguments[0]))
    room = weights.base + weights.by_length * row.column_size(0)
    score = 0.0
    for phrase, weight in enumerate(weights.words):
        times = len(row.phrase_column_offsets(phrase, 0))
        score += weight * times / (times + room)
    return score


def _weights(row: apsw.FTS5ExtensionApi, counts: str) -> _Weights:
    rows = row.row_count
    mean_length = row.column_total_size(0) / rows or 1.0
    return _Weights(
        [_rarity(min(float(count), rows), rows) for count in counts.split()],
        _K1 * (1 - _B),
        _K1 * _B / mean_length,
    )


def _rarity(count: float, rows: int) -> float:
    """Return a word's inverse document frequency; above 0 even where all rows hold it."""
    return math.log(1 + (rows - count + 0.5) / (count + 0.5)) * (_K1 + 1)
