"""Make the sessions that `oldhand demo` imports on a machine without sessions.

A scripted agent, not a language model, does small jobs with real tools in a temporary
folder; see `demo_scenarios` for what it does, `demo_tools` for its tools and
`demo_player` for what is written down. One file per project, one session a line, in the
generic chat format.

    python tools/make_demo_sessions.py             write the files anew
    python tools/make_demo_sessions.py --check     play again and compare with the files

It needs no package, but git, curl and the usual tools of a shell. A check compares tools,
arguments and exit codes, since wordings differ between versions of Python and git; with
`--exact` it compares every word. Mistakes are some four times as frequent as with real
agents, so that a few sessions show many sorts of them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from demo_player import Home
from demo_scenarios import SCENARIOS
from demo_scenarios.steps import Scenario

Session = dict[str, Any]

SHIPPED = Path(__file__).parents[1] / "src" / "oldhand" / "cli" / "demo_sessions"


def play(scenarios: Iterable[Scenario]) -> list[Session]:
    """Play scenarios one after the other in one temporary home."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        return [home.play(scenario) for scenario in scenarios]


def write(sessions: Iterable[Session], folder: Path) -> None:
    """Write sessions into `folder`, a file per project."""
    lines: dict[str, list[str]] = {}
    for session in sessions:
        project = Path(session["project"]).name
        line = json.dumps(session, ensure_ascii=False, separators=(",", ":"))
        lines.setdefault(project, []).append(line + "\n")
    for project, of_project in lines.items():
        (folder / f"{project}.jsonl").write_text("".join(of_project), encoding="utf-8")


def read(folder: Path) -> dict[str, Session]:
    """Read the sessions in `folder` by their id."""
    files = sorted(folder.glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    return {session["id"]: session for session in map(json.loads, lines)}


def what_was_done(session: Session) -> list[tuple[str, str, int]]:
    """List a session's calls as tool, arguments and exit code."""
    codes = session["metadata"]["exit_codes"]
    return [
        (
            call["function"]["name"],
            call["function"]["arguments"],
            codes.get(call["id"], 0),
        )
        for call in calls_of(session)
    ]


def what_was_said(session: Session) -> list[list[str]]:
    """List a session's messages as words: programs differ in how they align columns."""
    return [(message["content"] or "").split() for message in session["messages"]]


def calls_of(session: Session) -> Iterator[dict[str, Any]]:
    """Go through the calls of a session in order."""
    for message in session["messages"]:
        yield from message.get("tool_calls", ())


def differences(again: Iterable[Session], *, exact: bool) -> list[str]:
    """Name the sessions that do not come out as they were shipped."""
    shipped = read(SHIPPED)
    views = (what_was_done, what_was_said) if exact else (what_was_done,)
    return [
        session["id"]
        for session in again
        if session["id"] not in shipped
        or any(view(session) != view(shipped[session["id"]]) for view in views)
    ]


def summary(sessions: list[Session]) -> str:
    """Count what there is: sessions, calls by tool, slips by sort."""
    tools = Counter(
        call["function"]["name"] for session in sessions for call in calls_of(session)
    )
    slips = Counter(
        slip for session in sessions for slip in session["metadata"]["slips"].values()
    )
    counted = [(f"{len(sessions)} sessions, {tools.total()} calls", tools)]
    counted.append((f"{slips.total()} slips", slips))
    return "\n".join(
        f"{head}\n" + "\n".join(f"  {n:4} {name}" for name, n in counter.most_common())
        for head, counter in counted
    )


def main() -> int:
    """Write or check the sessions; return the exit code."""
    parser = argparse.ArgumentParser(description="Make the sessions of `oldhand demo`.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--exact", action="store_true", help="compare every word")
    parser.add_argument("--until", metavar="NAME", help="check its project up to it")
    options = parser.parse_args()
    sessions = play(_chosen(options.until))
    if options.check or options.until:
        changed = differences(sessions, exact=options.exact)
        sys.stdout.write("".join(f"differs: {name}\n" for name in changed))
        return bool(changed)
    write(sessions, SHIPPED)
    sys.stdout.write(summary(sessions) + "\n")
    return 0


def _chosen(until: str | None) -> list[Scenario]:
    """A session needs the earlier ones of its project, which left their files."""
    if until is None:
        return list(SCENARIOS)
    last = next(each for each in SCENARIOS if each.name == until)
    of_project = [each for each in SCENARIOS if each.project == last.project]
    return of_project[: of_project.index(last) + 1]


if __name__ == "__main__":
    sys.exit(main())
