"""`oldhand jobs`: from nothing to a job that ran, and what is said where that fails."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oldhand.clock import system_clock
from oldhand.cron.claims import Finish, begin, claim, finish
from oldhand.cron.jobs import trigger_job
from oldhand.ledger.model import RunEnd
from oldhand.ledger.waiting import Begun
from oldhand.store import Store, open_database

from .conftest import Run
from .fake_claude import path_with, put_claude

FAR_US = 1 << 60
ADD = ("jobs", "add", "Check the backups", "--schedule")


@pytest.fixture
def agent(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put an agent where it is found, and the machine in a zone; return its folder."""
    folder = home / "bin"
    put_claude(folder)
    monkeypatch.setenv("PATH", path_with(folder))
    monkeypatch.setenv("TZ", "Europe/Berlin")
    for name in ("OLDHAND_RUN", "OLDHAND_CRON_RUNNER", "OLDHAND_CRON_PLACES"):
        monkeypatch.delenv(name, raising=False)
    return folder


def opened(home: Path) -> Store:
    return open_database(str(home / ".oldhand" / "oldhand.db"))


@pytest.mark.usefixtures("agent", "engine")
def test_from_nothing_to_a_job_that_ran(run: Run) -> None:
    added = run(*ADD, "daily 09:00")
    triggered = run("jobs", "trigger", "Check the backups")
    ticked = run("jobs", "tick", "--json")

    assert (added.code, triggered.out, ticked.code) == (0, "1\n", 0)
    [row] = ticked.rows
    assert (row["state"], row["model"], row["cost_usd"]) == (
        "succeeded", "claude-opus-5", 0.0125,
    )  # fmt: skip
    shown = run("jobs", "runs", "--show", "1").out
    assert "did: " in shown
    assert "Check the backups" in shown


@pytest.mark.usefixtures("agent")
def test_a_new_job_shows_its_next_firings_and_that_nobody_fires_it(run: Run) -> None:
    said = run(*ADD, "weekdays 09:00", "--zone", "Asia/Kolkata")

    assert "Monday to Friday at 09:00, by the clock of Asia/Kolkata" in said.out
    assert said.out.count("09:00 IST (+05:30)") == 3
    assert "runner: claude -p" in said.out
    assert "no scheduler runs, so nothing fires" in said.err
    assert "oldhand serve" in said.err
    assert "oldhand jobs tick" in said.err


@pytest.mark.usefixtures("agent")
def test_after_a_pass_it_is_said_who_looks(run: Run) -> None:
    run("jobs", "tick")

    said = run(*ADD, "daily 09:00")

    assert "`oldhand jobs tick` looked for what is due" in said.err


def test_without_an_agent_the_refusal_says_what_to_do(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(home))

    said = run(*ADD, "daily 09:00")
    named = run(*ADD, "daily 09:00", "--runner", "my-agent --once 'two words'")

    assert said.code == 2
    assert "no agent to run it with" in said.err
    assert "--runner 'COMMAND …'" in said.err
    assert "runner: my-agent --once 'two words'" in named.out
    assert run("jobs", "list", "--json").rows[0]["runner"] == [
        "my-agent", "--once", "two words",
    ]  # fmt: skip


@pytest.fixture
def script(home: Path) -> None:
    """Put two scripts where scripts lie."""
    folder = home / ".oldhand" / "scripts"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in ("look.sh", "look.py"):
        path = folder / name
        path.touch(mode=0o600)


@pytest.mark.usefixtures("agent", "script")
def test_every_field_can_be_said_and_is_shown_as_json(run: Run) -> None:
    said = run(
        *ADD, "0 9 * * 1-5", "--name", "backups", "--zone", "UTC", "--repeat", "5",
        "--deliver", "local", "--origin", "platform=telegram", "--origin", "chat=4=2",
        "--skill", "a", "--skill", "b,c", "--provider", "anthropic",
        "--base-url", "https://models.example/v1/", "--script", "look.sh",
        "--requires-local-infra", "--min-context", "32_768", "--workdir", "/srv",
        "--on-misfire", "all", "--grace-seconds", "60", "--on-overlap", "queue",
        "--max-seconds", "", "--max-turns", "20", "--max-tokens", "500000",
        "--max-cost-usd", "0.5", "--retries", "2", "--no-side-effects", "--ab", "x,y",
        "--json",
    )  # fmt: skip

    [job] = said.rows
    expected = {
        "name": "backups",
        "schedule": "0 9 * * 1-5",
        "zone": "UTC",
        "repeat": 5,
        "origin": {"platform": "telegram", "chat": "4=2"},
        "skills": ["a", "b", "c"],
        "base_url": "https://models.example/v1",
        "requires_local_infra": True,
        "min_context": 32_768,
        "on_misfire": "all",
        "grace_seconds": 60,
        "on_overlap": "queue",
        "limits": {
            "wall_seconds": None,
            "turns": 20,
            "tokens": 500_000,
            "cost_usd": 0.5,
        },
        "retries": 2,
        "side_effects": False,
        "ab": ["x", "y"],
        "created_by": "ada",
    }
    assert {key: job[key] for key in expected} == expected
    assert len(job["next"]) == 3
    assert job["scheduler"] == {
        "is_running": False,
        "place": "",
        "last_pass_at": None,
    }


@pytest.mark.usefixtures("agent")
def test_a_directory_is_meant_from_where_one_stands(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)

    here = run(*ADD, "@daily", "--workdir", "bin", "--json")
    gone = run(*ADD, "@daily", "--workdir", "gone", "--name", "b")

    assert here.rows[0]["workdir"] == str(home / "bin")
    assert "there is no such directory on this machine" in gone.err
    assert gone.code == 0


@pytest.mark.usefixtures("agent")
def test_an_edit_changes_what_is_said_and_an_empty_text_clears(run: Run) -> None:
    run(*ADD, "daily 09:00", "--model", "opus", "--provider", "anthropic")

    said = run("jobs", "edit", "Check the backups", "--model", "", "--prompt", "Look")
    again = run("jobs", "edit", "Check the backups", "--max-seconds", "60", "--json")

    assert said.code == 0
    [job] = again.rows
    assert (job["model"], job["provider"]) == (None, "anthropic")
    assert (job["prompt"], job["name"]) == ("Look", "Check the backups")
    assert job["limits"]["wall_seconds"] == 60


@pytest.mark.usefixtures("agent")
def test_a_prompt_comes_from_a_file_or_from_stdin(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "prompt.md").write_text("From a file\nof two lines")
    piped = io.TextIOWrapper(io.BytesIO(b"From stdin"), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", piped)

    by_stdin = run("jobs", "add", "-", "--schedule", "@daily", "--json").rows[0]
    by_file = run(
        "jobs", "add", "--schedule", "@daily", "--json",
        "--prompt-file", home / "prompt.md",
    ).rows[0]  # fmt: skip

    assert by_stdin["prompt"] == "From stdin"
    assert by_file["prompt"] == "From a file\nof two lines"
    assert "    of two lines\n" in run("jobs", "show", by_file["id"][:20]).out


@pytest.mark.usefixtures("agent")
def test_a_paused_job_is_listed_with_the_reason(run: Run) -> None:
    run(*ADD, "daily 09:00")

    paused = run("jobs", "pause", "Check the backups", "--reason", "on holiday")
    listed = run("jobs", "list")
    shown = run("jobs", "show", "Check the backups")
    resumed = run("jobs", "resume", "Check the backups")

    assert "Check the backups: paused" in paused.err
    assert "paused: on holiday" in listed.out
    assert "paused: on holiday" in shown.out
    assert "next:" not in shown.out
    assert resumed.out.count("09:00 CET (+01:00)") == 3


@pytest.mark.usefixtures("agent")
def test_a_removed_job_is_gone_and_its_runs_stay(run: Run) -> None:
    run(*ADD, "daily 09:00")
    run("jobs", "trigger", "Check the backups")
    run("jobs", "tick")

    removed = run("jobs", "remove", "Check the backups")

    assert (removed.code, run("jobs", "list", "--json").rows) == (0, [])
    assert len(run("jobs", "runs", "Check the backups", "--json").rows) == 1
    assert run("jobs", "show", "Check the backups").code == 3


@pytest.mark.usefixtures("agent")
def test_runs_are_a_table_with_what_they_cost(run: Run) -> None:
    run(*ADD, "daily 09:00")
    run("jobs", "trigger", "Check the backups")
    run("jobs", "tick")

    table = run("jobs", "runs")
    failed = run("jobs", "runs", "--state", "failed")

    for word in ("succeeded", "claude-opus-5", "1,234", "$0.0125"):
        assert word in table.out
    assert (failed.out, failed.err) == ("", "no such run\n")


def test_a_run_that_fails_says_why_and_its_code(run: Run, agent: Path) -> None:
    put_claude(agent, "print('went wrong', file=sys.stderr); sys.exit(3)")
    run(*ADD, "daily 09:00")
    run("jobs", "trigger", "Check the backups")
    ticked = run("jobs", "tick", "--json")

    waited = run("jobs", "runs", "--show", "1")

    assert ticked.rows[0]["state"] == "failed"
    assert "exit code 3" in waited.out
    assert "went wrong" in waited.out


def test_the_output_cannot_steer_the_terminal(run: Run, agent: Path) -> None:
    put_claude(agent, r"answer = '\x1b[2J\x1b]0;owned\x07 fine'")
    run(*ADD, "daily 09:00")
    run("jobs", "trigger", "Check the backups")
    run("jobs", "tick")

    shown = run("jobs", "runs", "--show", "1")
    as_json = run("jobs", "runs", "--show", "1", "--json")

    assert "fine" in shown.out
    assert "\x1b" not in shown.out + as_json.out


@pytest.mark.usefixtures("agent")
def test_waiting_ends_with_the_time_and_says_that_nobody_looks(run: Run) -> None:
    run(*ADD, "daily 09:00")

    said = run("jobs", "trigger", "Check the backups", "--wait", "--timeout", "0")

    assert said.code == 9
    assert "no scheduler runs" in said.err
    assert "run 1: not over yet: due" in said.err


ENDS = [("blocked", 11), ("lost", 9), ("cancelled", 4), ("failed", 9), ("ended", 0)]


@pytest.mark.usefixtures("agent")
@pytest.mark.parametrize(("state", "code"), ENDS)
def test_waiting_ends_with_the_code_of_how_it_went(
    run: Run, home: Path, state: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends while nobody looks: whoever waits finds it so."""
    run(*ADD, "daily 09:00")
    monkeypatch.setattr("oldhand.app.jobs.trigger_job", triggered_and_ended(state))

    said = run("jobs", "trigger", "Check the backups", "--wait")

    assert said.code == code
    assert f"  {state}\n" in said.out
    assert home.is_dir()


def triggered_and_ended(state: str) -> object:
    """Return a trigger of runs that are over at once."""

    def trigger(store: Store, ref: str, **_: object) -> int:
        run_id = trigger_job(store, ref)
        [run] = claim(store, "somebody", limit=1, now_us=FAR_US)
        begin(store, run, Begun(system_clock()), notes=())
        end = RunEnd(state=state)  # type: ignore[arg-type]
        finish(store, run, Finish(end), now_us=system_clock())
        return run_id

    return trigger


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGINT])
def test_a_pass_that_is_stopped_ends_its_runs_and_says_so(
    run: Run, agent: Path, home: Path, ended_by: signal.Signals
) -> None:
    put_claude(
        agent, f"open({str(home / 'begun')!r}, 'w'); import time; time.sleep(60)"
    )
    run(*ADD, "daily 09:00")
    run("jobs", "trigger", "Check the backups")
    words = [sys.executable, "-m", "oldhand", "jobs", "tick"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as ticking:
        while not (home / "begun").exists():
            time.sleep(0.05)
        ticking.send_signal(ended_by)
        _, said = ticking.communicate()

    [row] = run("jobs", "runs", "--json").rows
    assert ticking.returncode == 130
    assert "interrupted" in said
    assert (row["state"], row["end_reason"]) == (
        "cancelled",
        "cancelled: the scheduler was stopped",
    )


@pytest.mark.usefixtures("agent")
@pytest.mark.usefixtures("agent")
def test_a_script_that_is_not_there_is_refused_at_once(run: Run) -> None:
    said = run(*ADD, "daily 09:00", "--script", "nope.sh")

    assert said.code == 2
    assert "script nope.sh: not found in" in said.err
    assert run("jobs", "list", "--json").rows == []


@pytest.mark.usefixtures("script")
def test_a_script_alone_needs_no_agent(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(home))

    alone = run("jobs", "add", "--script", "look.py", "--schedule", "@daily")
    asked = run("jobs", "edit", "look.py", "--prompt", "Is this bad?")

    assert alone.code == 0
    assert "runner:" not in alone.out
    assert (asked.code, "no agent to run it with" in asked.err) == (2, True)


@pytest.mark.usefixtures("agent")
def test_a_run_that_waits_is_cancelled(run: Run) -> None:
    run(*ADD, "daily 09:00")
    run("jobs", "trigger", "Check the backups")

    said = run("jobs", "cancel", "1", "--reason", "changed my mind")
    again = run("jobs", "cancel", "1")

    assert (said.code, again.code) == (0, 4)
    assert "run 1: cancelled" in said.err
    assert run("jobs", "runs", "--json").rows[0]["end_reason"] == "changed my mind"


@pytest.mark.usefixtures("agent")
def test_a_run_that_goes_on_is_asked_to_end(run: Run, home: Path) -> None:
    run(*ADD, "daily 09:00")
    run("jobs", "trigger", "Check the backups")
    store = opened(home)
    claim(store, "somebody", limit=1, now_us=FAR_US)
    store.close()

    said = run("jobs", "cancel", "1")

    assert "its scheduler ends it now" in said.err
    assert "claimed, to be cancelled" in run("jobs", "runs").out


def test_a_job_cannot_make_jobs(run: Run, agent: Path, home: Path) -> None:
    """The agent takes the variable away, and is found all the same."""
    oldhand = "import sys; from oldhand.cli.main import main; main(sys.argv[1:])"
    words = '"jobs", "add", "more", "--schedule", "every 1m"'
    put_claude(
        agent,
        "env = {k: v for k, v in os.environ.items() if k != 'OLDHAND_RUN'}\n"
        "said = []\n"
        "for env in (os.environ, env):\n"
        f"    done = subprocess.run([sys.executable, '-c', {oldhand!r}, {words}],\n"
        "        env=env, capture_output=True, text=True)\n"
        "    said.append(f'{done.returncode} {done.stderr}')\n"
        "answer = '; '.join(said)",
    )
    run(*ADD, "daily 09:00")
    run("jobs", "trigger", "Check the backups")
    run("jobs", "tick")

    shown = run("jobs", "runs", "--show", "1").out

    assert shown.count("11 oldhand: this is scheduled run 1: a run may not make") == 2
    assert len(run("jobs", "list", "--json").rows) == 1
    assert home.is_dir()


@pytest.mark.usefixtures("agent")
def test_inside_a_run_one_may_only_look(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(*ADD, "daily 09:00")
    monkeypatch.setenv("OLDHAND_RUN", "7")
    name = "Check the backups"

    refused = [
        run("jobs", "add", "x", "--schedule", "@daily"),
        run("jobs", "edit", name, "--prompt", "x"),
        run("jobs", "resume", name),
        run("jobs", "trigger", name),
        run("jobs", "tick"),
        run("jobs", "import", "hermes"),
    ]
    allowed = [
        run("jobs", "list"),
        run("jobs", "show", name),
        run("jobs", "runs"),
        run("jobs", "pause", name),
    ]

    assert [said.code for said in refused] == [11] * 6
    assert all("this is scheduled run 7" in said.err for said in refused)
    assert [said.code for said in allowed] == [0] * 4


WRONG = [
    (["add", "x"], 2, "schedule: ''; expected when it is to fire"),
    (
        ["add", "--schedule", "@daily"],
        2,
        "prompt: ''; expected what the agent is to do",
    ),
    (
        ["add", "x", "--schedule", "30m"],
        2,
        "did you mean `in 30m` (once) or `every 30m`",
    ),
    (
        ["add", "x", "--schedule", "@daily", "--zone", "Mars"],
        2,
        "no time zone is called",
    ),
    (["add", "x", "--schedule", "@daily", "--repeat", "0"], 2, "repeat: 0; expected"),
    (
        ["add", "x", "--schedule", "@daily", "--repeat", "two"],
        2,
        "expected a whole number",
    ),
    (["add", "x", "--schedule", "@daily", "--max-cost-usd", "nan"], 2, "cost_usd: nan"),
    (["add", "x", "--schedule", "@daily", "--origin", "chat"], 2, "expected KEY=VALUE"),
    (["add", "x", "--schedule", "@daily", "--runner", "'"], 2, "No closing quotation"),
    (["add", "x", "--schedule", "@daily", "--deliver", "pigeon"], 2, "deliver: pigeon"),
    (["add", "x", "--schedule", "@daily", "--retries", "1"], 2, "no side effects"),
    (
        ["add", "x", "--schedule", "@daily", "--base-url", "ftp://x"],
        2,
        "an http(s) address",
    ),
    (["add", "x", "--schedule", "@daily", "--prompt-file", "/dev/null"], 2, "take one"),
    (
        ["add", "--schedule", "@daily", "--prompt-file", "none.md"],
        5,
        "none.md: No such",
    ),
    (["add", "x", "--schedule", "@daily", "--name", "a\nb"], 2, "one line"),
    (["show", "nobody"], 3, "nobody: there is no such job; oldhand jobs list"),
    (["edit", "nobody", "--prompt", "x"], 3, "nobody: there is no such job"),
    (["pause", "nobody"], 3, "nobody: there is no such job"),
    (["remove", "nobody"], 3, "nobody: there is no such job"),
    (["trigger", "nobody"], 3, "nobody: there is no such job"),
    (["runs", "nobody"], 3, "nobody: there is no such job"),
    (["runs", "--show", "7"], 3, "run 7: no job has a run of that id"),
    (["runs", "--redeliver", "7"], 3, "run 7: there is no such run"),
    (["runs", "--show", "7", "--state", "due"], 2, "name one run"),
    (["runs", "--state", "fine"], 2, "fine"),
    (["cancel", "7"], 3, "run 7: no job has a run of that id"),
    (["cancel", "x"], 2, "x"),
    (["cancel", "9" * 30], 2, "not in the range"),
    (["runs", "--show", "0"], 2, "not in the range"),
    (["import", "hermes"], 3, "jobs.json: no such file"),
    (["import", "cobol"], 2, "No such command"),
]


@pytest.mark.usefixtures("agent")
@pytest.mark.parametrize(("arguments", "code", "message"), WRONG)
def test_wrong_input_gets_one_line_and_its_exit_code(
    run: Run, home: Path, arguments: list[str], code: int, message: str
) -> None:
    opened(home).close()

    said = run("jobs", *arguments)

    assert (said.code, said.out) == (code, "")
    assert message in said.err
    assert "Traceback" not in said.err
    assert "internal error" not in said.err


@pytest.mark.usefixtures("agent")
def test_a_name_that_is_taken_and_a_change_of_nothing_are_refused(run: Run) -> None:
    run(*ADD, "daily 09:00")

    taken = run(*ADD, "@daily")
    nothing = run("jobs", "edit", "Check the backups")
    resumed = run("jobs", "resume", "Check the backups")

    assert (taken.code, nothing.code, resumed.code) == (4, 2, 4)
    assert "give this one another; --name NAME" in taken.err
    assert "nothing to change" in nothing.err


@pytest.mark.parametrize("line", ["jobs list", "jobs runs", "jobs show x"])
def test_looking_for_jobs_makes_no_database(run: Run, home: Path, line: str) -> None:
    said = run(*line.split())

    assert "no jobs; make one: oldhand jobs add" in said.err
    assert not (home / ".oldhand").exists()
