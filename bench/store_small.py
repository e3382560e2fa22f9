"""What `bench.store` measures on tmpfs: appending, loading, starting."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping

from bench.store_runs import (
    FLOOR,
    JUDGED,
    OURS,
    PAGES,
    Answer,
    Store,
    ask,
    first_write_seconds,
    stored_bytes,
)
from bench.store_sizes import Sizes, database
from bench.store_table import Row

_APPEND_AIMS = {"hermes": 10, "llm": 10, "openai-agents": 6, "langgraph": 20}
_LOAD_AIMS = {"hermes": 4, "openai-agents": 4, "llm": 15, "langgraph": None}
_START_AIMS = {
    "hermes": 2,
    "llm": 8,
    "openai-agents": 25,
    "langgraph": None,
    "floor": None,
}
_SIZE_AIMS = {"hermes": 1 / 4, "langgraph": 1 / 75}


def appends(peers: dict[str, Store], sizes: Sizes) -> Iterator[Row]:
    """Compare what one append takes, and what is stored after all of them."""
    stores = {FLOOR.name: FLOOR, OURS.name: OURS, **peers}
    taken: dict[str, list[Answer]] = {name: [] for name in stores}
    for _ in range(sizes.rounds):
        for name, store in stores.items():
            with database() as path:
                answer = ask(store, "append", path, seed=1, sessions=sizes.sessions)
                taken[name].append(answer | {"stored_bytes": stored_bytes(path)})
    with database() as path:
        judged = ask(OURS.library(), "judging", path, seed=1, sessions=sizes.sessions)
    yield from _append_rows(taken, judged["cpu_us"])
    yield from _page_rows(sizes)
    yield from _size_rows({name: answers[0] for name, answers in taken.items()})


def loads(peers: dict[str, Store], sizes: Sizes) -> Iterator[Row]:
    """Compare loading one session of 400 messages, as peers do without judged calls."""
    worked = {}
    for name, store in {"judged": JUDGED, OURS.name: OURS, **peers}.items():
        with database() as path:
            answer = ask(store, "load", path, seed=1, messages=400, rounds=sizes.loads)
            worked[name] = answer["cpu_us"] / 1e3
    judged = worked.pop("judged")
    yield from _beside("load 400 messages", "ms", worked, aims=_LOAD_AIMS)
    yield Row(what="… with how each call went", unit="ms", ours=judged)


def starts(peers: dict[str, Store], sizes: Sizes) -> Iterator[Row]:
    """Compare starting a process and writing the first durable message."""
    least: dict[str, float] = {}
    for _ in range(sizes.starts):
        for name, store in {OURS.name: OURS, FLOOR.name: FLOOR, **peers}.items():
            with database() as path:
                milliseconds = first_write_seconds(store, path) * 1e3
                least[name] = min(milliseconds, least.get(name, milliseconds))
    what = "cold start to the first durable message"
    yield from _beside(what, "ms", least, aims=_START_AIMS)


def _append_rows(taken: dict[str, list[Answer]], judging_us: float) -> Iterator[Row]:
    """Yield processor times, and beside them a middle append by the clock."""
    with_judging = {
        name: statistics.median(answer["cpu_us"] for answer in answers)
        for name, answers in taken.items()
    }
    keeping = with_judging | {OURS.name: with_judging[OURS.name] - judging_us}
    middle = {
        name: statistics.median(answer["p50_us"] for answer in answers)
        for name, answers in taken.items()
    }
    for what, figures, most in (
        ("append, without judging", keeping, 1.5),
        ("append, with judging", with_judging, 3),
        ("append, with judging, by the clock", middle, None),
    ):
        yield Row(
            what=what,
            unit="us",
            ours=figures[OURS.name],
            beside=FLOOR.title,
            theirs=figures[FLOOR.name],
            says="part",
            at_most=most,
        )
    yield Row(what="judging and shaping alone", unit="us", ours=judging_us)
    ending = statistics.median(answer["ending_us"] for answer in taken[OURS.name])
    yield Row(what="ending a session, by message", unit="us", ours=ending)
    no_aims = dict.fromkeys(_APPEND_AIMS)
    yield from _beside("append, without judging", "us", keeping, aims=_APPEND_AIMS)
    yield from _beside("append, with judging", "us", with_judging, aims=no_aims)


def _page_rows(sizes: Sizes) -> Iterator[Row]:
    pages = {}
    for name in ("ours", "floor"):
        with database() as path:
            answer = ask(PAGES, name, path, seed=1, sessions=sizes.sessions)
            pages[name] = answer["pages"]
    what = "pages in the log by append"
    yield Row(what=what, unit="", ours=pages["ours"], at_most=3.5)
    yield Row(what=what, unit="", beside=FLOOR.title, theirs=pages["floor"])


def _size_rows(answers: dict[str, Answer]) -> Iterator[Row]:
    size = {
        name: answer["stored_bytes"] / answer["stored"]
        for name, answer in answers.items()
    }
    ours = answers[OURS.name]
    what = "size with search index, by message"
    text = ours["text_bytes"] / ours["stored"]
    beside = [("the text said", text, 1.5)]
    beside += [(n, size[n], aim) for n, aim in _SIZE_AIMS.items() if n in size]
    for name, theirs, aim in beside:
        yield Row(
            what=what,
            unit="B",
            ours=size[OURS.name],
            beside=name,
            theirs=theirs,
            says="part",
            at_most=aim,
        )


def _beside(
    what: str,
    unit: str,
    figures: Mapping[str, float],
    *,
    aims: Mapping[str, float | None],
) -> Iterator[Row]:
    """Yield a row for each peer that was measured: how many times less we take."""
    for name, aim in aims.items():
        if name in figures:
            yield Row(
                what=what,
                unit=unit,
                ours=figures[OURS.name],
                beside=name,
                theirs=figures[name],
                at_least=aim,
            )
