"""How much each earlier session says about the one that is about to start.

Three opinions are averaged: sessions with a similar task, the same principal's last few,
and everybody's last ones. Each is a distribution over sessions, so that none drowns the
others however many sessions there are, and one that has nothing to say (no task given,
nobody known) drops out. Of a task the first hundred words are read: more added nothing.

Source of the similarity: BM25, Robertson and Zaragoza (2009), Foundations and Trends in
Information Retrieval 3(4), 333-389.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from oldhand.experience.candidates import PastSession, Task

TASK_WORDS = 100
"""How many words of a task are looked at, from its beginning."""

SIMILAR_SHARE = 0.4
OWN_SHARE = 0.4
RECENT_SHARE = 0.2
"""How the three opinions are averaged."""

SIMILAR_FADE = 60.0
OWN_FADE = 8.0
RECENT_FADE = 30.0
"""After how many sessions an opinion about one has fallen to 1/e; a principal's own are
counted among their own. On real sessions settings near these six differ by less than the
noise, so nothing is gained by tuning them further."""

ELSEWHERE = 0.2
"""What a session of another project weighs, against one of the same. Set by judgement:
the real sessions that the other constants were measured on are of one project."""

_SATURATION = 1.5
_LENGTH_PENALTY = 0.75
_MAX_TASK_CHARS = 4_000
_WORD = re.compile(r"[^\W\d_]\w+")
_MIN_LETTERS = 3
_BEYOND_ASCII = r"[\u2e80-\ud7ff]+|[^\u2e80-\ud7ff]{3,}"  # compiled late: it takes 5 ms


def words_of(text: str) -> tuple[str, ...]:
    """Split a task into the words that are compared: three letters or more, lower case.

    Chinese, Japanese and Korean, which are written without spaces, give pairs of letters.

    Returns:
        At most `TASK_WORDS` words, in order, with repetitions.

    Example:
        >>> words_of("Fix the lint errors in cli.go, go!")
        ('fix', 'the', 'lint', 'errors', 'cli')
        >>> words_of("修复lint错误吗")
        ('修复', 'lint', '错误', '误吗')
    """
    words: list[str] = []
    for match in _WORD.finditer(text[:_MAX_TASK_CHARS].lower()):
        word = match[0]
        if not word.isascii():
            words.extend(_parts(word))
        elif len(word) >= _MIN_LETTERS:
            words.append(word)
        if len(words) >= TASK_WORDS:
            break
    return tuple(words[:TASK_WORDS])


def _parts(word: str) -> Iterator[str]:
    for part in re.findall(_BEYOND_ASCII, word):
        if part[0] < "\u2e80":
            yield part
        else:
            yield from (part[at : at + 2] for at in range(max(1, len(part) - 1)))


def session_weights(sessions: Sequence[PastSession], task: Task) -> list[float]:
    """Weigh earlier sessions by how much they say about a new one.

    Args:
        sessions: Oldest first.
        task: Of the new session.

    Returns:
        One weight from 0 for each session, in the same order, together 1; nothing for
        no sessions.
    """
    near = [_nearness(session, task) for session in sessions]
    ages = range(len(sessions) - 1, -1, -1)
    similar = [
        score * score * math.exp(-age / SIMILAR_FADE) * weight
        for score, age, weight in zip(
            similarity(sessions, task), ages, near, strict=True
        )
    ]
    recent = [
        math.exp(-age / RECENT_FADE) * weight
        for age, weight in zip(ages, near, strict=True)
    ]
    own = [
        fade * weight
        for fade, weight in zip(_own_fades(sessions, task), near, strict=True)
    ]
    return _average(
        [(SIMILAR_SHARE, similar), (OWN_SHARE, own), (RECENT_SHARE, recent)]
    )


def _nearness(session: PastSession, task: Task) -> float:
    is_elsewhere = task.project is not None and session.project != task.project
    return ELSEWHERE if is_elsewhere else 1.0


def _own_fades(sessions: Sequence[PastSession], task: Task) -> list[float]:
    fades = [0.0] * len(sessions)
    age = 0
    for at in range(len(sessions) - 1, -1, -1):
        if task.principal is not None and sessions[at].principal == task.principal:
            fades[at] = math.exp(-age / OWN_FADE)
            age += 1
    return fades


def _average(opinions: Sequence[tuple[float, list[float]]]) -> list[float]:
    heard = [(share, sum(weights), weights) for share, weights in opinions]
    heard = [opinion for opinion in heard if opinion[1] > 0]
    shares = sum(share for share, _, _ in heard)
    factors = [(share / shares / total, weights) for share, total, weights in heard]
    return [
        sum(factor * weights[at] for factor, weights in factors)
        for at in range(len(opinions[0][1]))
    ]


def similarity(sessions: Sequence[PastSession], task: Task) -> list[float]:
    """Score each session's task against a new one by BM25, from 0, in the same order.

    Only the words of the new task are counted, so that the cost is one look at each
    word of each session.
    """
    wanted = frozenset(task.words)
    if not wanted or not sessions:
        return [0.0] * len(sessions)
    found = [
        Counter(filter(wanted.__contains__, session.words)) for session in sessions
    ]
    spread = Counter(word for words in found for word in words)
    rarity = {
        word: math.log1p((len(sessions) - times + 0.5) / (times + 0.5))
        for word, times in sorted(spread.items())
    }
    lengths = [len(session.words) for session in sessions]
    mean_length = max(1.0, sum(lengths) / len(lengths))
    return [
        _bm25(words, rarity, relative_length=length / mean_length)
        for words, length in zip(found, lengths, strict=True)
    ]


def _bm25(
    words: Counter[str], rarity: dict[str, float], *, relative_length: float
) -> float:
    damping = _SATURATION * (1 - _LENGTH_PENALTY + _LENGTH_PENALTY * relative_length)
    return math.fsum(
        rarity[word] * times * (_SATURATION + 1) / (times + damping)
        for word, times in words.items()
    )
