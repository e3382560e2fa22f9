"""`oldhand jobs import hermes`: what is shown of each job."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def hermes(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write three jobs of Hermes: one good, one that uses more, one broken."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("OLDHAND_RUN", raising=False)
    schedule = {"kind": "cron", "expr": "0 9 * * *"}
    good = {"id": "a1", "name": "Look", "prompt": "Look.", "schedule": schedule}
    more = good | {
        "id": "b2",
        "name": "More\x1b[2J",
        "script": "look.sh",
        "context_from": ["a1"],
        "enabled": False,
    }
    broken = good | {"id": "c3", "name": "Broken", "schedule": {"kind": "moon"}}
    path = home / ".hermes" / "cron" / "jobs.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"jobs": [good, more, broken]}))
    return path


@pytest.mark.usefixtures("hermes")
def test_each_job_is_shown_as_it_was_understood(run: Run) -> None:
    said = run("jobs", "import", "hermes")

    assert said.code == 0
    assert "Look: new, paused" in said.out
    assert "when: 0 9 * * *, UTC" in said.out
    assert "runner: hermes -z" in said.out
    assert "left out: context_from: results of other jobs" in said.out
    assert "to do: copy the script look.sh" in said.out
    assert "Broken: not taken over" in said.out
    assert "why: schedule: {'kind': 'moon'}; expected" in said.out
    assert said.out.count("both would; first `hermes cron pause") == 1
    assert "`hermes cron pause a1`" in said.out
    assert "2 jobs new, 0 imported before, 1 not taken over" in said.err
    assert "\x1b[2J" not in said.out


@pytest.mark.usefixtures("hermes")
def test_a_second_import_changes_nothing(run: Run) -> None:
    run("jobs", "import", "hermes")

    said = run("jobs", "import", "hermes")

    assert "0 jobs new, 2 imported before" in said.err
    assert len(run("jobs", "list", "--json").rows) == 2


def test_a_dry_run_writes_nothing(run: Run, hermes: Path, home: Path) -> None:
    said = run("jobs", "import", "hermes", hermes, "--dry-run", "--json")

    assert [row["became"] for row in said.rows] == ["new", "new", "refused"]
    assert said.rows[0]["understood"]["prompt"] == "Look."
    assert not (home / ".oldhand").exists()


@pytest.mark.usefixtures("hermes")
def test_an_imported_job_fires_when_it_is_resumed(run: Run) -> None:
    run("jobs", "import", "hermes")

    before = run("jobs", "list", "--json").rows[0]
    after = run("jobs", "resume", "Look", "--json").rows[0]

    assert (before["state"], before["reason"]) == ("paused", "imported from hermes")
    assert (after["state"], len(after["next"])) == ("scheduled", 3)
