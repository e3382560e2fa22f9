"""`oldhand sessions list` and `show` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from oldhand import Recorder, open_store


@pytest.fixture
def recorded(home: Path) -> Path:
    """Record a session of a project, and one of another; return the first's directory."""
    project = home / "engine"
    (project / ".git").mkdir(parents=True)
    (project / "src").mkdir()
    with_config = {"model_config": {"temperature": 0.5}}
    store = open_store()
    for uid, cwd in (("s1", project / "src"), ("s2", home / "other")):
        recorder = Recorder(store, uid=uid, source="t", cwd=str(cwd), **with_config)  # type: ignore[arg-type]  # a fact by name
        recorder.append([{"role": "user", "content": "Look at the log"}])
    store.close()
    return project


def test_a_project_may_be_named_by_any_directory_in_it(
    run: Run, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = recorded.parent / "link"
    link.symlink_to(recorded)
    monkeypatch.chdir(recorded / "src")

    for named in (".", "..", recorded, link):
        found = run("sessions", "list", "--project", named, "--json").rows
        assert [row["uid"] for row in found] == ["s1"]


def test_a_search_may_name_a_project_by_any_directory_in_it(
    run: Run, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(recorded / "src")

    found = run("sessions", "search", "log", "--project", ".", "--json").rows

    assert [row["uid"] for row in found] == ["s1"]


@pytest.mark.usefixtures("recorded")
def test_an_empty_project_is_refused(run: Run) -> None:
    said = run("sessions", "list", "--project", "")

    assert said.code == 2
    assert "expected a directory" in said.err


@pytest.mark.usefixtures("recorded")
def test_fewer_than_no_characters_are_refused(run: Run) -> None:
    said = run("sessions", "show", "s1", "--chars", "-5")

    assert said.code == 2
    assert "-5" in said.err


@pytest.mark.usefixtures("recorded")
def test_a_session_says_how_its_model_was_set(run: Run) -> None:
    (shown,) = run("sessions", "show", "s1", "--json").rows

    assert json.loads(shown["model_config"]) == {"temperature": 0.5}
