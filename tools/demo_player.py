"""Plays a scenario: runs its calls with real tools and writes down what came of it.

What is changed in a result is only what would differ from run to run: the temporary
folder becomes `/home/demo`, its programs are said to be in `/usr/bin` and Python's library
in `/usr/lib/python3`, and the time that tests or a connection took is a fixed number. Times of messages are made
up, since a script does not think: they advance by a few seconds a step.
"""

from __future__ import annotations

import json
import re
import shutil
import sysconfig
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from demo_scenarios.steps import SLIPS, Call, Scenario, Step
from demo_tools import HOME, Result, Tools, install_programs

AGENT = "oldhand-demo"
ABOUT = (
    "This session is a script, not a language model: every turn was written beforehand. "
    "The tools really ran, in a temporary folder, and the results are what they gave."
)
_TIMINGS = (
    (re.compile(r"(Ran \d+ tests? in )\d+\.\d+s"), r"\g<1>0.001s"),
    (re.compile(r"after \d+ ms"), "after 0 ms"),
)
_SIGNS_OF_FAILURE = re.compile(
    r"^(Traceback|FAILED|fatal:|Error:|No matches)|not found|No such file", re.MULTILINE
)
_THINKING_SECONDS = (6, 4, 9, 5, 14, 7, 3, 11)
_RUNNING_SECONDS = 1
_BIN = ".programs"
_GIT_CONFIG = """\
[user]
    name = Demo
    email = demo@example.invalid
[init]
    defaultBranch = main
"""


class WrongScenario(Exception):
    """A call did not go as its scenario says."""


class Home:
    """The demo user's home in a temporary folder; projects stay from session to session."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        install_programs(self._root / _BIN)
        (self._root / ".gitconfig").write_text(_GIT_CONFIG)

    def play(self, scenario: Scenario) -> dict[str, Any]:
        """Run a scenario's calls and return the session in the generic chat format.

        Raises:
            WrongScenario: A call failed that should not have, or the other way round.
        """
        folder = self._root / scenario.project
        for path, content in scenario.given.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content)
        folder.mkdir(exist_ok=True)
        return _Take(scenario, self._root).session()


class _Take:
    """One playing of one scenario."""

    def __init__(self, scenario: Scenario, root: Path) -> None:
        self._scenario = scenario
        self._root = root
        self._now = datetime.fromisoformat(scenario.at).replace(tzinfo=UTC)
        self._environment = {
            "PATH": f"{root}/{_BIN}",
            "HOME": str(root),
            "LC_ALL": "C",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self._tools = Tools(
            root, root / scenario.project, environment=self._environment
        )
        self._messages: list[dict[str, Any]] = []
        self._exit_codes: dict[str, int] = {}
        self._slips: dict[str, str] = {}
        self._calls = 0

    def session(self) -> dict[str, Any]:
        scenario = self._scenario
        folder = f"{HOME}/{scenario.project}"
        self._add("system", content=f"{ABOUT} The working folder is {folder}.")
        self._add("user", content=scenario.ask)
        for step in scenario.steps:
            self._step(step)
        self._think()
        self._add("assistant", content=scenario.done)
        return {
            "id": f"{AGENT}-{scenario.name}",
            "agent": AGENT,
            "title": scenario.title,
            "model": None,
            "cwd": folder,
            "project": folder,
            "principal": "demo",
            "started_at": self._messages[0]["timestamp"],
            "metadata": {
                "scripted": True,
                "exit_codes": self._exit_codes,
                "slips": self._slips,
            },
            "messages": self._messages,
        }

    def _step(self, step: Step) -> None:
        if isinstance(step, str):
            self._now += timedelta(minutes=2)
            self._add("user", content=step)
            return
        calls = (step,) if isinstance(step, Call) else step
        said = " ".join(call.say for call in calls if call.say)
        ids = [self._new_id() for _ in calls]
        asked = [
            _asked(call_id, call) for call_id, call in zip(ids, calls, strict=True)
        ]
        self._think()
        self._add("assistant", content=said or None, tool_calls=asked)
        for call_id, call in zip(ids, calls, strict=True):
            self._answer(call_id, call)

    def _answer(self, call_id: str, call: Call) -> None:
        self._prepare_commands()
        result = self._tools.run(call.tool, call.arguments)
        self._now += timedelta(seconds=_RUNNING_SECONDS)
        content = self._settled(result)
        _check(self._scenario, call, result._replace(content=content))
        flag = {"is_error": result.failed} if self._scenario.flags else {}
        self._add("tool", tool_call_id=call_id, name=call.tool, content=content, **flag)
        if result.exit_code:
            self._exit_codes[call_id] = result.exit_code
        if call.slip:
            self._slips[call_id] = call.slip

    def _prepare_commands(self) -> None:
        """Set git's clock, and drop bytecode: two edits in one second could share it."""
        moment = self._now.isoformat()
        self._environment["GIT_AUTHOR_DATE"] = moment
        self._environment["GIT_COMMITTER_DATE"] = moment
        for bytecode in [*self._root.rglob("__pycache__")]:
            shutil.rmtree(bytecode)

    def _settled(self, result: Result) -> str:
        content = result.content.replace(f"{self._root}/{_BIN}", "/usr/bin")
        content = content.replace(str(self._root), HOME)
        content = content.replace(sysconfig.get_path("stdlib"), "/usr/lib/python3")
        for pattern, fixed in _TIMINGS:
            content = pattern.sub(fixed, content)
        if self._scenario.exit_lines and result.exit_code is not None:
            content = f"Exit code: {result.exit_code}\n{content}"
        return content

    def _new_id(self) -> str:
        """Nine letters and digits, which every provider takes; unique over all sessions."""
        self._calls += 1
        project, number, *_ = self._scenario.name.split("-")
        return f"{project[:4]}{number}{self._calls:03}"

    def _think(self) -> None:
        seconds = _THINKING_SECONDS[len(self._messages) % len(_THINKING_SECONDS)]
        self._now += timedelta(seconds=seconds)

    def _add(self, role: str, **fields: Any) -> None:  # noqa: ANN401 - a message's fields
        moment = self._now.strftime("%Y-%m-%dT%H:%M:%SZ")
        self._messages.append({"role": role, **fields, "timestamp": moment})


def _asked(call_id: str, call: Call) -> dict[str, Any]:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    function = {"name": call.tool, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def _check(scenario: Scenario, call: Call, result: Result) -> None:
    """A call without a slip must succeed; one with a slip must show it."""
    if call.slip:
        is_right = re.search(SLIPS[call.slip].pattern, result.content) is not None
    else:
        is_right = not result.failed and not _SIGNS_OF_FAILURE.search(result.content)
    if is_right:
        return
    wanted = f"the slip {call.slip!r}" if call.slip else "success"
    raise WrongScenario(
        f"{scenario.name}: {call.tool} {dict(call.arguments)} should show {wanted}, "
        f"exit code {result.exit_code}:\n{result.content}"
    )
