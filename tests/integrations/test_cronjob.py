"""The tool `cronjob`: whatever a model writes, it is answered, and a person's jobs stay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.app.jobs import create_job
from oldhand.cron.jobs import find_job, list_jobs
from oldhand.cron.model import JobSpec
from oldhand.cron.output import Kept, put_output
from oldhand.cron.runs import list_job_runs
from oldhand.integrations.cronjob import MAX_JOBS, cronjob_tool
from oldhand.settings import Settings
from oldhand.store import Store, open_database
from oldhand.testing import FakeClock


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "look.sh").write_text("true")
    return Settings(tmp_path, "", "ada", cron_runner=("my-agent",))


class Tool:
    """The tool in an agent."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.clock = FakeClock()

    def __call__(self, action: str, **said: Any) -> dict[str, Any]:
        """Call it as a model does."""
        answer = cronjob_tool.handle(
            self.store,
            json.dumps({"action": action, **said}),
            settings=self.settings,
            agent="helper",
            origin={"platform": "telegram", "chat": "42"},
            clock=self.clock,
        )
        read: dict[str, Any] = json.loads(json.dumps(answer))
        return read

    def create(self, **said: Any) -> dict[str, Any]:
        """Make a job, and return it."""
        asked = {"prompt": "Look.", "schedule": "daily 09:00", "zone": "UTC"} | said
        answer = self("create", **asked)
        assert answer["success"], answer
        job: dict[str, Any] = answer["job"]
        return job


@pytest.fixture
def tool(store: Store, settings: Settings) -> Tool:
    return Tool(store, settings)


def test_a_job_is_made_and_its_next_firings_are_told(tool: Tool) -> None:
    answer = tool(
        "create", prompt="Look.", schedule="daily 09:00", zone="Europe/Berlin",
        base_url="https://models.example/v1/", max_turns=20, max_cost_usd=0.5,
    )  # fmt: skip

    assert answer["success"] is True
    job = answer["job"]
    assert job["next"][0] == "2026-01-01T08:00:00.000Z"
    assert answer["next"] == [
        "Thu 2026-01-01 09:00 CET (+01:00)",
        "Fri 2026-01-02 09:00 CET (+01:00)",
        "Sat 2026-01-03 09:00 CET (+01:00)",
    ]
    assert job["created_by"] == "agent:helper"
    assert job["base_url"] == "https://models.example/v1"
    assert job["limits"] == {
        "wall_seconds": 3_600, "turns": 20, "tokens": None, "cost_usd": 0.5,
    }  # fmt: skip
    assert job["runner"] == ["my-agent"]
    assert job["origin"] == {"platform": "telegram", "chat": "42"}
    assert answer["scheduler"]["is_running"] is False
    assert "nothing fires" in answer["scheduler"]["note"]


def test_an_empty_text_clears_whatever_the_field_holds(tool: Tool) -> None:
    tool.create(
        name="look", model="opus", repeat=3, skills=["a"], side_effects=False, retries=1
    )

    answer = tool(
        "update", job="look", model="", repeat="", skills="", retries="", side_effects="",
        max_seconds="",
    )  # fmt: skip

    assert answer["success"] is True
    job = answer["job"]
    assert (job["model"], job["repeat"], job["skills"]) == (None, None, [])
    assert (job["retries"], job["side_effects"]) == (0, True)
    assert job["limits"]["wall_seconds"] is None


def test_a_job_goes_through_all_that_can_be_done(tool: Tool) -> None:
    tool.create(name="look")

    paused = tool("pause", job="look", reason="for\nnow")
    listed = tool("list")["jobs"]
    resumed = tool("resume", job="look")
    triggered = tool("trigger", job="look")
    runs = tool("runs", job="look")
    one = tool("runs", run=triggered["run"])
    removed = tool("remove", job="look")

    assert (paused["job"]["state"], paused["job"]["reason"]) == ("paused", "for now")
    assert [(row["name"], row["state"]) for row in listed] == [("look", "paused")]
    assert len(resumed["job"]["next"]) == 3
    assert [run["id"] for run in runs["runs"]] == [triggered["run"]]
    assert (one["run"]["state"], one["output"]) == ("due", "")
    assert removed["job"]["state"] == "removed"
    assert tool("list")["jobs"] == []


def test_a_persons_job_is_read_and_never_changed(
    store: Store, settings: Settings, tool: Tool
) -> None:
    spec = JobSpec("Mine", "daily 09:00", name="mine", zone="UTC")
    before = create_job(store, spec, settings=settings)

    shown = tool("show", job="mine")
    refused = [
        tool("update", job="mine", prompt="Send me the keys."),
        *(tool(action, job="mine") for action in ("pause", "trigger", "remove")),
    ]

    assert shown["job"]["prompt"] == "Mine"
    assert all("a person made this job" in each["error"] for each in refused)
    assert find_job(store, "mine") == before
    assert list_job_runs(store) == []


def test_agents_may_make_so_many_jobs(tool: Tool) -> None:
    for number in range(MAX_JOBS):
        tool.create(name=f"job {number}")

    refused = tool("create", prompt="One more.", schedule="@daily")
    tool("remove", job="job 0")
    allowed = tool("create", prompt="One more.", schedule="@daily")

    assert f"there are {MAX_JOBS} jobs of agents" in refused["error"]
    assert allowed["success"] is True


def test_inside_a_run_the_tool_is_refused(store: Store, settings: Settings) -> None:
    inside = Tool(store, settings._replace(run="7"))

    answer = inside("create", prompt="Again.", schedule="every 1m")

    assert answer["success"] is False
    assert "this is scheduled run 7" in answer["error"]
    assert list_jobs(store) == []


WRONG = [
    ({}, "action is missing; expected one of create, list"),
    ({"action": "explode"}, "expected one of create, list"),
    ({"action": "create", "prompt": "x"}, "schedule: ''; expected when it is to fire"),
    ({"action": "create", "schedule": "@daily"}, "prompt: ''; expected what the agent"),
    ({"action": "create", "prompt": "x", "schedule": "every 30s"}, "`every 1m`"),
    ({"action": "create", "prompt": "x", "schedule": "30m"}, "did you mean `in 30m`"),
    ({"action": "create", "prompt": "x", "schedule": "@daily", "zone": "../x"}, "zone"),
    ({"action": "create", "prompt": "x", "schedule": "@daily", "runner": "bash"}, "claude"),
    ({"action": "create", "prompt": "x", "schedule": "@daily", "workdir": "/"}, "workdir"),
    (
        {"action": "create", "prompt": "x", "schedule": "@daily", "script": "../x.sh"},
        "expected the name of one in the scripts folder: look.sh",
    ),
    (
        {"action": "create", "prompt": "x", "schedule": "@daily", "script": "none.sh"},
        "expected the name of one in the scripts folder: look.sh",
    ),
    (
        {"action": "create", "prompt": "x", "schedule": "@daily", "skills": ["../x"]},
        "expected names of skills, no paths",
    ),
    (
        {"action": "create", "prompt": "x", "schedule": "@daily", "repeat": "two"},
        "expected a whole number",
    ),
    (
        {"action": "create", "prompt": "x", "schedule": "@daily", "max_cost_usd": True},
        "expected a number from",
    ),
    (
        {"action": "create", "prompt": "x", "schedule": "@daily", "side_effects": "no"},
        "expected true or false",
    ),
    (
        {"action": "create", "prompt": "x", "schedule": "@daily", "deliver": ["discord"]},
        "deliver: discord",
    ),
    (
        {
            "action": "create", "prompt": "x", "schedule": "@daily",
            "deliver": ["telegram:666"],
        },
        "deliver: telegram:666",
    ),
    ({"action": "show"}, "job is missing; show needs a name or an id"),
    ({"action": "show", "job": "nobody"}, "the action list shows what there is"),
    ({"action": "update", "job": "nobody"}, "nothing to change"),
    ({"action": "runs", "run": 7}, "run 7: no job has a run of that id"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "error"), WRONG)
def test_what_is_wrong_is_said_so_that_a_model_can_mend_it(
    tool: Tool, said: dict[str, Any], error: str
) -> None:
    answer = cronjob_tool.handle(
        tool.store, said, settings=tool.settings, clock=tool.clock
    )

    assert answer["success"] is False
    assert error in answer["error"]
    assert "--" not in answer["error"]
    assert list_jobs(tool.store) == []


def test_a_link_out_of_the_scripts_folder_is_no_script(
    tool: Tool, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "secret.sh").write_text("true")
    (settings.home / "scripts" / "link.sh").symlink_to(tmp_path / "secret.sh")
    (settings.home / "scripts" / "circle.sh").symlink_to("circle.sh")

    for name in ("link.sh", "circle.sh"):
        answer = tool("create", prompt="x", schedule="@daily", script=name)
        assert "scripts folder: look.sh" in answer["error"]
    assert tool.create(script="look.sh")["script"] == "look.sh"


def test_the_end_of_a_long_output_is_told(tool: Tool) -> None:
    tool.create(name="look")
    run_id = tool("trigger", job="look")["run"]
    put_output(tool.store, run_id, Kept("x" * 9_000 + "the end", 9_007, 0))

    answer = tool("runs", run=run_id)

    assert answer["output"].endswith("the end")
    assert answer["output_left_out_chars"] == 9_007 - len(answer["output"])


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = st.sampled_from(sorted(cronjob_tool.parameters["properties"]))


@given(st.dictionaries(NAMES, ANY_JSON, max_size=4), ANY_JSON)
def test_anything_at_all_is_answered_in_json(
    arguments: dict[str, Any], other: object
) -> None:
    store = open_database(":memory:")
    settings = Settings(Path("/nowhere"), "", "ada", cron_runner=("my-agent",))
    full = {"action": "create", "prompt": "x", "schedule": "@daily", "zone": "UTC"}

    for said in (arguments, full | arguments, other, json.dumps(other)):
        answer = cronjob_tool.handle(store, said, settings=settings)
        assert isinstance(json.dumps(answer), str)
        assert isinstance(answer["success"], bool)

    store.close()


def test_the_schema_names_every_action_and_fits_both_providers() -> None:
    schema = cronjob_tool.parameters

    assert schema["required"] == ["action"]
    assert "create" in schema["properties"]["action"]["enum"]
    assert schema["properties"]["max_cost_usd"]["type"] == "number"
    assert schema["properties"]["side_effects"]["type"] == "boolean"
    assert cronjob_tool.for_openai()["function"]["parameters"] == schema
    assert cronjob_tool.for_anthropic()["input_schema"] == schema
