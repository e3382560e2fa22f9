"""Jobs of Hermes: what each field means here, and files that somebody has tampered with."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.cron.hermes_file import MAX_JOBS, jobs_file, read_jobs_file
from oldhand.cron.hermes_jobs import HermesJob, understand
from oldhand.errors import NotFound, UnreadableSource

NOW_US = 1_795_276_800_000_000  # 2026-11-21 16:00 UTC


def hermes_job(**said: Any) -> dict[str, Any]:
    """Return a job as Hermes writes it."""
    return {
        "id": "a1b2c3d4e5f6",
        "name": "Check the backups",
        "prompt": "Check the backups.",
        "skills": [],
        "skill": None,
        "model": None,
        "provider": None,
        "provider_snapshot": "openrouter",
        "base_url": None,
        "script": None,
        "no_agent": False,
        "context_from": [],
        "schedule": {"kind": "cron", "expr": "0 9 * * 1-5", "display": "weekdays"},
        "schedule_display": "weekdays",
        "repeat": {"times": None, "completed": 4},
        "enabled": True,
        "state": "scheduled",
        "paused_at": None,
        "paused_reason": None,
        "created_at": "2026-10-01T09:00:00+00:00",
        "next_run_at": "2026-11-23T09:00:00+00:00",
        "last_run_at": None,
        "last_status": None,
        "deliver": "local",
        "origin": None,
        "enabled_toolsets": None,
        "workdir": None,
    } | said


def read(zone: str = "Europe/Berlin", **said: Any) -> HermesJob:
    return understand(hermes_job(**said), zone=zone, now_us=NOW_US)


def test_a_plain_job_is_taken_over_whole() -> None:
    found = read(
        skills=["triage", "report"],
        model="qwen3",
        provider="ollama",
        base_url="http://localhost:11434/v1/",
        deliver="origin, telegram:42",
        origin={"platform": "telegram", "chat_id": 7, "thread_id": None},
        workdir="/srv/app",
    )

    assert (found.id, found.fires_there, found.left_out) == ("a1b2c3d4e5f6", True, ())
    spec = found.spec
    assert spec is not None
    assert spec.schedule == "0 9 * * 1-5"
    assert spec.zone == "Europe/Berlin"
    assert spec.skills == ("triage", "report")
    assert (spec.model, spec.provider) == ("qwen3", "ollama")
    assert spec.base_url == "http://localhost:11434/v1"
    assert spec.deliver == ("origin", "telegram:42")
    assert spec.origin == {"platform": "telegram", "chat_id": "7"}
    assert (spec.workdir, spec.runner) == ("/srv/app", ("hermes", "-z"))
    assert (spec.repeat, spec.retries, spec.side_effects) == (None, 0, True)


SCHEDULES = [
    ({"kind": "interval", "minutes": 90}, "every 90m"),
    ({"kind": "once", "run_at": "2026-11-23T09:00:00.123+01:00"}, "2026-11-23T09:00:00+01:00"),
    ({"kind": "once", "run_at": "2026-11-23 09:00"}, "2026-11-23T09:00:00"),
    ("30m", "in 30m"),
    ("every 2h", "every 2h"),
    ("*/5 * * * *", "*/5 * * * *"),
    ("2026-11-23T09:00", "2026-11-23T09:00:00"),
]  # fmt: skip


@pytest.mark.parametrize(("schedule", "here"), SCHEDULES)
def test_a_schedule_means_the_same_here(schedule: object, here: str) -> None:
    found = read(schedule=schedule)

    assert found.fault == ""
    assert found.spec is not None
    assert found.spec.schedule == here


def test_what_is_left_of_the_firings_is_taken_over() -> None:
    found = read(repeat={"times": 10, "completed": 4})

    assert found.spec is not None
    assert found.spec.repeat == 6


def test_a_job_of_skills_alone_gets_a_prompt() -> None:
    found = read(prompt="", skills=["triage"])

    assert found.spec is not None
    assert found.spec.prompt == "Use the skill triage."


@pytest.mark.parametrize(
    "script", ["look.sh", "scripts/look.sh", "/home/ada/.hermes/scripts/look.sh"]
)
def test_a_script_is_to_be_copied(script: str) -> None:
    found = read(script=script)

    assert found.spec is not None
    assert found.spec.script == "look.sh"
    assert "copy the script look.sh" in found.to_do[0]


def test_a_script_without_an_agent_stays_one() -> None:
    found = read(script="look.sh", no_agent=True, prompt="ignored")

    assert found.spec is not None
    assert (found.spec.prompt, found.spec.script) == ("", "look.sh")
    assert found.left_out == ("prompt: no_agent says that nobody is asked",)


def test_what_is_not_taken_over_is_named_with_why() -> None:
    found = read(
        context_from=["b"],
        enabled_toolsets=["web"],
        attach_to_session=True,
        telepathy=True,
        deliver="local,<script>",
        workdir="there",
        model=7,
    )

    assert found.spec is not None
    said = "\n".join(found.left_out)
    for expected in (
        "context_from: results of other jobs are not put in front",
        "enabled_toolsets: name tools in the options of --runner",
        "attach_to_session: each run here is a session of its own",
        "'telepathy': not known here",
        "deliver: '<script>' is no channel",
        "workdir: 'there'; expected a whole path",
        "model: a number; expected a text",
    ):
        assert expected in said


REFUSED = [
    ({"schedule": {"kind": "once", "run_at": "2026-11-01T09:00:00+00:00"}}, "has gone by"),
    ({"schedule": {"kind": "cron", "expr": "0 9 30 2 *"}}, "never"),
    ({"schedule": {"kind": "interval", "minutes": True}}, "expected once with run_at"),
    ({"schedule": {"kind": "sometimes"}}, "expected once with run_at"),
    ({"schedule": None}, "schedule: nothing; expected an object"),
    ({"schedule": {"kind": "once", "run_at": "tomorrow"}}, "expected ISO 8601"),
    ({"state": "completed"}, "it is completed there"),
    ({"repeat": {"times": 1, "completed": 1}}, "fired as often as it was to"),
    ({"script": "../../etc/passwd"}, "expected one in the scripts folder"),
    ({"script": "/etc/passwd"}, "expected one in the scripts folder"),
    ({"prompt": ""}, "prompt: ''; expected what the agent is to do"),
    ({"prompt": "a\0b"}, "text without NUL"),
    ({"prompt": "\ud800"}, "halves of characters"),
    ({"prompt": "x" * 200_000}, "at most 100000 characters"),
    ({"base_url": "file:///etc/passwd"}, "an http(s) address"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "why"), REFUSED)
def test_a_job_that_cannot_be_taken_over_says_why(
    said: dict[str, Any], why: str
) -> None:
    found = read(**said)

    assert found.spec is None
    assert why in found.fault


@pytest.mark.parametrize("job_id", [None, 7, "", "a b", "../x", "x" * 65, ["a"]])
def test_a_job_without_an_id_is_not_taken_over(job_id: object) -> None:
    assert "its id is" in read(id=job_id).fault


def test_a_paused_job_does_not_fire_there() -> None:
    assert not read(enabled=False, state="paused").fires_there


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from([*hermes_job(), "attach_to_session", "?"]), ANY_JSON, ANY_JSON)
def test_whatever_a_field_holds_it_is_answered(
    field: str, value: object, other: object
) -> None:
    understand(other, zone="UTC", now_us=NOW_US)
    found = understand(hermes_job(**{field: value}), zone="UTC", now_us=NOW_US)

    assert (found.spec is None) == bool(found.fault)


def test_a_home_or_the_file_itself_may_be_named(tmp_path: Path) -> None:
    assert jobs_file(tmp_path) == tmp_path / "cron" / "jobs.json"
    assert jobs_file(tmp_path / "mine.json") == tmp_path / "mine.json"


BAD = {
    "no JSON": b"{",
    "not a file of Hermes' jobs": b"[]",
    "expected": b'{"jobs": {"a": 1}}',
    "nested|recursion": b'{"jobs": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "utf-8|decode": b"\xff\xfe\x00",
    "digits": b'{"jobs": [' + b"9" * 5_000 + b"]}",
    "at most": json.dumps({"jobs": [{}] * (MAX_JOBS + 1)}).encode(),
}


@pytest.mark.parametrize("said", BAD)
def test_a_file_that_is_none_is_named(tmp_path: Path, said: str) -> None:
    path = tmp_path / "jobs.json"
    path.write_bytes(BAD[said])

    with pytest.raises(UnreadableSource, match=rf"jobs\.json: .*{said}"):
        read_jobs_file(path)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "jobs.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)

    with pytest.raises(UnreadableSource, match="larger than"):
        read_jobs_file(path)


def test_what_is_no_plain_file_is_not_waited_for(tmp_path: Path) -> None:
    pipe, circle = tmp_path / "pipe.json", tmp_path / "circle.json"
    os.mkfifo(pipe)
    circle.symlink_to(circle)
    (tmp_path / "folder.json").mkdir()

    for path in (pipe, circle, tmp_path / "folder.json"):
        with pytest.raises(UnreadableSource, match=path.name):
            read_jobs_file(path)
    with pytest.raises(NotFound, match=r"none\.json"):
        read_jobs_file(tmp_path / "none.json")


def test_the_file_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "jobs.json"
    path.write_text(json.dumps({"jobs": [hermes_job()]}))
    path.chmod(0o400)
    before = path.read_bytes(), path.stat().st_mtime_ns

    [job] = read_jobs_file(path)

    assert isinstance(job, dict)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o400
    assert [each.name for each in tmp_path.iterdir()] == ["jobs.json"]
