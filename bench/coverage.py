"""Measure how much of a later session the chosen examples cover, on real sessions.

    python -m bench.coverage [DIRECTORY] [--json]

Each session from the 21st on is served from the earlier ones alone, and what it then did
is held against what was chosen for it. Constants of the choice were ranked by the 21st to
the 90th session alone, so the part after these counts; its figures were seen during the
search, which makes them a little kind, and only sessions from elsewhere are quite fresh.
All is measured three times: by a ruler that never moves (`coverage_ruler`), by oldhand's
own shapes, outcomes and prices, and by the tokens of the starts that it really renders. Coverage is necessary for a warm start to help; it does not
prove that it does.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.coverage_methods import METHODS, Moment, moments
from bench.coverage_rendered import measure_rendered, table
from bench.coverage_ruler import MIN_CALLS, RuledCall, RuledSession, rule
from bench.real_sessions import CLAUDE_CODE, need
from oldhand.experience.candidates import Budget
from oldhand.sessions.draft import draft, task_of
from oldhand.sessions.draft_rows import DraftCall
from oldhand.sessions.importers import claude_code
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.known_tools import is_idle

FIRST_SERVED = 20
FIRST_LATER = 90
BUDGETS = {
    **{f"{count} ex.": Budget(examples=count) for count in (5, 10, 20)},
    **{f"{tokens} tok.": Budget(tokens=tokens) for tokens in (500, 1000, 2000, 4000)},
}
COMPARED = ("10 ex.", "1000 tok.")

_RESAMPLES = 4_000
_SHAPE = 2
_EARLY_CALLS = 10
_NOT_DONE = frozenset({"blocked", "cancelled", "pending"})
_WORKED = frozenset({"ok", "empty"})


class Score(NamedTuple):
    """Percent of one session's calls whose shape was covered."""

    all_calls: float
    first_calls: float


Scores = dict[str, dict[str, list[Score]]]
"""By method and budget, one score for each session that was served, in order."""


def main() -> None:
    """Print the tables; without the data, say so and succeed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directory", type=Path, nargs="?", default=CLAUDE_CODE)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    directory = need(options.directory)
    ruled = rule(directory)
    report = {
        "by the ruler": measure(ruled),
        "by our shapes": measure(read_as_we_do(directory, ruled)),
    }
    served = measure_rendered(directory, first=FIRST_SERVED)
    rendered = {
        "later": table(served, from_at=FIRST_LATER),
        "all": table(served, from_at=FIRST_SERVED),
    }
    if options.json:
        print(json.dumps(report | {"by rendered tokens": rendered}))
        return
    for title, part in report.items():
        print_part(title, part)
    for title, rows in rendered.items():
        print_rendered(title, rows)


def read_as_we_do(directory: Path, ruled: Sequence[RuledSession]) -> list[RuledSession]:
    """Read the same sessions through the importer, with our outcomes and shapes.

    Calls of idle tools and calls that never ran are left out, as the pool does; whose
    session it was comes from the ruler.
    """
    known = {session.uid: session for session in ruled}
    tally = Tally()
    found = []
    for path in sorted(directory.rglob("*.jsonl")):
        for session in claude_code.read(path, ReadContext(tally=tally)):
            same = known.get(path.stem)
            rows = draft(session, known={}, inherited=()).calls
            calls = tuple(_ruled_call(row) for row in rows if _is_work(row))
            if same is not None and len(calls) >= MIN_CALLS:
                task = task_of(session.messages) or ""
                found.append(same._replace(task=task, calls=calls))
    return sorted(found, key=lambda session: (session.started, session.uid))


def _is_work(row: DraftCall) -> bool:
    is_done = row.active and row.judgement.outcome not in _NOT_DONE
    return is_done and not is_idle(row.call.tool)


def _ruled_call(row: DraftCall) -> RuledCall:
    worked = row.judgement.outcome in _WORKED
    return RuledCall(row.shape, worked, row.example_tokens)


def measure(sessions: Sequence[RuledSession]) -> dict[str, Any]:
    """Serve every session by every method, and add up."""
    scores: Scores = {name: {label: [] for label in BUDGETS} for name in METHODS}
    moment: Moment | None = None
    for moment in moments(sessions, first=FIRST_SERVED):
        for name, method in METHODS.items():
            for label, budget in BUDGETS.items():
                score = _score(moment, set(method(moment, budget)))
                scores[name][label].append(score)
    split = FIRST_LATER - FIRST_SERVED
    return {
        "sessions": len(sessions),
        "calls": sum(len(session.calls) for session in sessions),
        "later": _table(scores, slice(split, None)),
        "earlier": _table(scores, slice(0, split)),
        "all": _table(scores, slice(None)),
        "gain of ours, later": _gains(scores, slice(split, None)),
        "gain of ours, all": _gains(scores, slice(None)),
        "milliseconds": _times(sessions, moment),
    }


def _score(moment: Moment, chosen: set[int]) -> Score:
    shown = {moment.pool.levels[shape][_SHAPE] for shape in chosen}
    covered = [call.levels[_SHAPE] in shown for call in moment.session.calls]
    return Score(
        100 * statistics.fmean(covered), 100 * statistics.fmean(covered[:_EARLY_CALLS])
    )


def _table(scores: Scores, part: slice) -> dict[str, dict[str, Score]]:
    return {
        name: {label: _mean(found[part]) for label, found in by_budget.items()}
        for name, by_budget in scores.items()
    }


def _mean(scores: Sequence[Score]) -> Score:
    columns = (statistics.fmean(column) for column in zip(*scores, strict=True))
    return Score(*(round(column, 1) for column in columns))


def _gains(scores: Scores, part: slice) -> dict[str, dict[str, list[float]]]:
    """Compare ours with each other method on the same sessions: mean and 95 % interval."""
    return {
        name: {
            label: _interval(
                [
                    mine.all_calls - other.all_calls
                    for mine, other in zip(
                        scores["ours"][label][part], by_budget[label][part], strict=True
                    )
                ]
            )
            for label in COMPARED
        }
        for name, by_budget in scores.items()
        if name != "ours"
    }


def _interval(differences: Sequence[float]) -> list[float]:
    draw = random.Random(1)
    means = sorted(
        statistics.fmean(draw.choices(differences, k=len(differences)))
        for _ in range(_RESAMPLES)
    )
    low, high = means[_RESAMPLES // 40], means[-_RESAMPLES // 40]
    return [round(value, 1) for value in (statistics.fmean(differences), low, high)]


def _times(sessions: Sequence[RuledSession], last: Moment | None) -> dict[str, float]:
    """Time the last session's share: to index everything before it, and to choose."""
    if last is None:
        return {}
    served = last
    budget = BUDGETS["1000 tok."]
    return {
        "index": _median_ms(lambda: list(moments(sessions, first=len(sessions) - 1))),
        "choose": _median_ms(lambda: METHODS["ours"](served, budget)),
    }


def _median_ms(work: Callable[[], object]) -> float:
    times = []
    for _ in range(9):
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return round(statistics.median(times), 1)


def print_part(title: str, part: dict[str, Any]) -> None:
    """Print one measurement for a person."""
    print(f"\n# Coverage {title}: {part['sessions']} sessions, {part['calls']} calls")
    for which in ("later", "earlier", "all"):
        print(f"\n{which}: percent of a session's calls / of its first ten")
        print(f"{'':30}" + "".join(f"{label:>14}" for label in BUDGETS))
        for name, row in part[which].items():
            cells = (f"{score[0]:.1f} / {score[1]:.1f}" for score in row.values())
            print(f"{name:30}" + "".join(f"{cell:>14}" for cell in cells))
    for which in ("gain of ours, later", "gain of ours, all"):
        print(f"\n{which}: points over the other, with 95 % interval (paired)")
        for name, row in part[which].items():
            cells = (
                f"{label}: {mean:+.1f} [{low:+.1f}, {high:+.1f}]"
                for label, (mean, low, high) in row.items()
            )
            print(f"{name:30}" + "   ".join(cells))
    print("\nmilliseconds:", part["milliseconds"])


def print_rendered(title: str, rows: list[dict[str, Any]]) -> None:
    """Print what the product's own warm starts covered."""
    print(f"\n# Coverage by rendered tokens, {title}: {rows[0]['sessions']} sessions")
    print("budget  rendered  examples  percent of calls / of the first ten")
    for row in rows:
        print(
            f"{row['budget']:6}{row['rendered']:10}{row['examples']:10}"
            f"{row['all']:12.1f} / {row['first']:.1f}"
        )


if __name__ == "__main__":
    main()
