"""Agents as commands: real children that print what the known agents do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oldhand.cron.model import Limits
from oldhand.cron.runner import Done, Stopped
from oldhand.cron.runner.command import CommandRunner

from .agents.streams import CLAUDE, CODEX, SESSION, answer, lines, text, usage
from .fakes import FakeAgent, Line, task


@pytest.fixture
def claude(tmp_path: Path) -> FakeAgent:
    return FakeAgent(tmp_path, "claude")


def run(agent: FakeAgent, *words: str, line: Line | None = None, **said: Any) -> Done:
    limits = said.get("limits")
    runner = CommandRunner(agent.environment, price_of=lambda *_: 2_000_000)
    return runner.run(task(*words, **said), line or Line(limits))


def test_all_that_an_agent_says_of_itself_is_known(claude: FakeAgent) -> None:
    claude.prints(lines(*CLAUDE))
    line = Line()

    done = run(claude, "claude", "-p", line=line, prompt="--look")

    assert done == Done(
        "All is clean.", success=True, session_uid=SESSION, model="claude-sonnet-4-5",
        turns=2, input_tokens=112, output_tokens=65, cache_read_tokens=9_000,
        cache_write_tokens=300, cost_usd=0.0421,
    )  # fmt: skip
    assert claude.seen["stdin"] == "--look"
    assert "→ Bash" in line.said


def test_what_an_agent_does_not_say_it_cost_is_worked_out(tmp_path: Path) -> None:
    codex = FakeAgent(tmp_path, "codex")
    codex.prints(lines(*CODEX))

    done = run(codex, "codex", "exec", model="gpt-5")

    assert (done.success, done.session_uid, done.model) == (True, SESSION, None)
    assert (done.input_tokens, done.cache_read_tokens, done.cost_usd) == (
        12,
        9_000,
        2.0,
    )
    assert codex.seen["words"] == ["exec", "--json", "--model=gpt-5", "-"]


def test_hermes_leaves_what_it_used_in_a_file(tmp_path: Path) -> None:
    hermes = FakeAgent(tmp_path, "hermes")
    report = {"model": "qwen3", "input_tokens": 5, "output_tokens": 7, "failed": False}
    hermes.runs(
        "file = [w[13:] for w in sys.argv if w.startswith('--usage-file=')][0]\n"
        f"open(file, 'w').write({json.dumps(report)!r})\nprint('All is clean.')"
    )

    done = run(hermes, "hermes", "-z", prompt="-v")

    assert (done.answer, done.success, done.model) == ("All is clean.", True, "qwen3")
    assert (done.input_tokens, done.output_tokens) == (5, 7)
    assert hermes.seen["words"][-1] == "--oneshot=-v"
    assert not Path(hermes.seen["words"][0].partition("=")[2]).exists()


@pytest.mark.parametrize(
    ("prints", "code", "error", "reason"),
    [
        ("", 0, "", "it ended well and said nothing"),
        (" \n", 0, "oops\n", "it ended well and said nothing"),
        ("half an answer", 3, "first\nno key\n\n", "exit code 3: no key"),
        ("", 1, "", "exit code 1"),
    ],
)
def test_what_did_not_do_what_it_was_for_is_no_success(
    tmp_path: Path, prints: str, code: int, error: str, reason: str
) -> None:
    agent = FakeAgent(tmp_path, "agent")
    agent.prints(prints, code=code, error=error)

    done = run(agent, "agent")

    assert (done.success, done.end_reason) == (False, reason)
    assert done.answer == prints.strip()


def test_what_an_agent_finds_in_its_environment(tmp_path: Path) -> None:
    agent = FakeAgent(tmp_path, "agent")
    agent.prints("ok")
    own = agent.environment | {
        "OPENAI_API_KEY": "sk-1", "OLDHAND_TELEGRAM_TOKEN": "1:a",
        "OLDHAND_DISCORD_WEBHOOK": "https://d", "OLDHAND_NOTIFY_URLS": "mailto://x",
        "OLDHAND_CONFIRM_TOKEN": "oha_an-agents-own", "OLDHAND_DATABASE": "/db",
        "OLDHAND_RUN": "3",
    }  # fmt: skip

    CommandRunner(own).run(
        task("agent", environment={"CRON_MIN_CONTEXT_TOKENS": "64000"}), Line()
    )

    seen = agent.seen["environment"]
    assert seen.items() >= {
        "OPENAI_API_KEY": "sk-1", "OLDHAND_CONFIRM_TOKEN": "oha_an-agents-own",
        "OLDHAND_DATABASE": "/db", "OLDHAND_RUN": "7", "OLDHAND_SESSION_KEY": "run-7",
        "CRON_MIN_CONTEXT_TOKENS": "64000",
    }.items()  # fmt: skip
    assert not seen.keys() & {
        "OLDHAND_TELEGRAM_TOKEN", "OLDHAND_DISCORD_WEBHOOK", "OLDHAND_NOTIFY_URLS"
    }  # fmt: skip


def test_a_persons_token_is_not_handed_on(tmp_path: Path) -> None:
    agent = FakeAgent(tmp_path, "agent")
    agent.prints("ok")
    own = agent.environment | {"OLDHAND_CONFIRM_TOKEN": "a-session-of-a-person"}

    CommandRunner(own).run(task("agent"), Line())

    assert "OLDHAND_CONFIRM_TOKEN" not in agent.seen["environment"]


def test_claude_code_does_not_find_that_it_runs_inside_another(
    claude: FakeAgent,
) -> None:
    claude.prints(lines(*CLAUDE))

    CommandRunner(claude.environment | {"CLAUDECODE": "1"}).run(task("claude"), Line())

    assert "CLAUDECODE" not in claude.seen["environment"]


def test_it_runs_where_the_job_says_or_at_home(tmp_path: Path) -> None:
    agent = FakeAgent(tmp_path, "agent")
    agent.prints("ok")
    seen = []
    for workdir in ("", str(agent.folder)):
        run(agent, "agent", workdir=workdir)
        seen.append(agent.seen["cwd"])

    assert seen == [str(tmp_path), str(agent.folder)]


GOES_ON = f"""
import signal, time
def bye(*_):
    sys.stdout.write({lines(CLAUDE[-1])!r})
    sys.exit(0)
signal.signal(signal.SIGTERM, bye)
sys.stdout.write({lines(*CLAUDE[:-1])!r})
sys.stdout.flush()
time.sleep(600)
"""


@pytest.mark.parametrize(
    "limits", [Limits(turns=1), Limits(tokens=9_000), Limits(cost_usd=1.0)]
)
def test_a_limit_ends_a_run_while_it_goes_on(claude: FakeAgent, limits: Limits) -> None:
    claude.runs(GOES_ON)

    with pytest.raises(Stopped, match="limit of") as stopped:
        run(claude, "claude", limits=limits)

    assert stopped.value.done.session_uid == SESSION
    assert stopped.value.done.cost_usd == 0.0421  # what it said when it was told to end


def test_a_limit_that_is_passed_at_the_end_spoils_nothing(tmp_path: Path) -> None:
    codex = FakeAgent(tmp_path, "codex")
    codex.prints(lines(*CODEX))
    line = Line(Limits(tokens=100))

    done = run(codex, "codex", "exec", line=line, limits=Limits(tokens=100))

    assert (done.success, done.answer) == (True, "All is clean.")
    assert done.end_reason == "limit of tokens: 9072 used"
    assert "its limit of tokens ends nothing" in line.said


def test_a_run_that_is_cancelled_keeps_what_is_known(claude: FakeAgent) -> None:
    first = answer("m1", text("I look."), used=usage(10, 2))
    claude.runs(
        f"import time\nsys.stdout.write({lines(first)!r}); sys.stdout.flush()\n"
        "time.sleep(600)"
    )
    line = Line()
    line.on_say = lambda _: setattr(line, "stop_reason", "cancelled: enough")

    with pytest.raises(Stopped, match="cancelled: enough") as stopped:
        run(claude, "claude", line=line)

    assert stopped.value.done.input_tokens == 10


@pytest.mark.parametrize(
    ("words", "said", "why"),
    [
        ((), {}, "no command is known"),
        (("not-there",), {}, "not-there: there is no such program"),
        (("./agent",), {}, "./agent: there is no such program"),
        (("agent",), {"workdir": "/not/there"}, "/not/there: no directory"),
        (("agent",), {"model": "m"}, "cannot be told of model m"),
        (("agent", "{prompt}"), {"prompt": "x" * 200_000}, "cannot be started"),
    ],
)
def test_what_cannot_start_is_blocked(
    tmp_path: Path, words: tuple[str, ...], said: dict[str, Any], why: str
) -> None:
    agent = FakeAgent(tmp_path, "agent")

    done = run(agent, *words, **said)

    assert done.is_blocked
    assert why in (done.end_reason or "")
    assert not agent.has_run


def test_a_command_of_the_settings_runs_jobs_that_name_none(tmp_path: Path) -> None:
    agent = FakeAgent(tmp_path, "agent")
    agent.prints("ok")
    runner = CommandRunner(agent.environment, default=("agent", "--fast"))

    assert runner.run(task(), Line()).answer == "ok"
    assert agent.seen["words"] == ["--fast"]
