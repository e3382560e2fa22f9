"""The best template: by measured benefit where there is any, else by coverage."""

from __future__ import annotations

import json

import pytest

from oldhand.errors import NotFound
from oldhand.experience.benefit import Benefit, measured_benefits
from oldhand.experience.best import Want, best_template_for
from oldhand.experience.example import Example
from oldhand.experience.experiment import assign, shares_of, start_experiment
from oldhand.experience.pool import Scope
from oldhand.experience.template import Template, retire_template, save_template
from oldhand.experience.warm import WarmRequest, warm_start
from oldhand.store import Store

from .conftest import FAILED, WENT_WELL, Teach, bash

HERE = "/home/ada/engine"


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def keep(store: Store, name: str, *commands: str, **facts: str) -> None:
    """Keep a template of calls of a shell."""
    examples = tuple(
        Example("Bash", json.dumps({"command": command}), "", 0, f"Bash:{command}")
        for command in commands
    )
    save_template(store, Template(name, examples=examples, **facts))  # type: ignore[arg-type]


def test_without_experiments_what_covers_most_is_best_and_not_what_is_used_least(
    store: Store, teach: Teach
) -> None:
    teach("s1", bash("git status"), bash("go test ./..."), bash("ls"))
    keep(store, "little", "ls")
    keep(store, "much", "git status", "go test ./...")
    for _ in range(3):
        warm_start(store, WarmRequest(template="much"))

    found = best_template_for(store, Want(Scope(project=HERE)))

    assert (found.template.label, found.by, found.sessions) == ("much@1", "coverage", 1)
    assert found.coverage == pytest.approx(2 / 3)


def test_it_is_of_the_kind_that_is_wanted_and_given(store: Store, teach: Teach) -> None:
    teach("s1", bash("git status"), bash("go test ./..."))
    keep(store, "web", "git status", "go test ./...", kind="research")
    keep(store, "code", "git status", kind="code")
    keep(store, "gone", "git status", "go test ./...", kind="code")
    retire_template(store, "gone")
    want = Want(Scope(project=HERE, kind="code"))

    assert best_template_for(store, want).template.name == "code"
    with pytest.raises(NotFound, match="no template for file"):
        best_template_for(store, Want(Scope(kind="file")))


def test_the_task_decides_which_sessions_count(store: Store, teach: Teach) -> None:
    for number in range(5):
        teach(f"p{number}", bash("go test ./..."), task="Mend the parser", day=number)
        teach(f"d{number}", bash("git log"), task="Write release notes", day=number)
    keep(store, "tests", "go test ./...")
    keep(store, "notes", "git log")

    def of(task: str) -> str:
        return best_template_for(store, Want(Scope(), task)).template.name

    assert (of("mend the parser"), of("write the release notes")) == ("tests", "notes")


def test_a_measured_benefit_goes_first_and_harm_is_not_chosen(
    store: Store, teach: Teach
) -> None:
    teach("s1", bash("git status"), bash("go test ./..."), bash("ls"))
    keep(store, "much", "git status", "go test ./...", "ls")
    keep(store, "helps", "ls")
    keep(store, "harms", "git status", "go test ./...", "ls")
    known = {
        "helps@1": Benefit("e", -0.3, -0.1, 900),
        "harms@1": Benefit("f", 0.1, 0.3, 900),
    }
    want = Want(Scope(project=HERE))

    found = best_template_for(store, want, benefits=known)

    assert (found.template.name, found.by) == ("helps", "benefit")
    retire_template(store, "helps")
    assert best_template_for(store, want, benefits=known).template.name == "much"


def test_an_experiment_of_one_template_that_is_decided_tells_its_benefit(
    store: Store, teach: Teach
) -> None:
    keep(store, "mine", "ls")
    experiment = start_experiment(
        store,
        "e",
        shares=shares_of(["cold", "warm"], None),
        holdout=0,
        horizon=1,
        salt="s",
    )
    request = WarmRequest(template="mine")
    for number in range(60):
        uid = f"x{number}"
        drawn = assign(store, experiment, request._replace(session=uid))
        said = ("ls: No such file", FAILED) if drawn.arm == "cold" else ("a", WENT_WELL)
        call = ("Bash", {"command": "ls"}, *said)
        teach(uid, call, day=number)

    found = measured_benefits(store)["mine@1"]

    assert (found.experiment, found.helps) == ("e", True)
    assert -1 <= found.low < found.high < 0


def test_an_undecided_experiment_tells_nothing(store: Store) -> None:
    keep(store, "mine", "ls")
    experiment = start_experiment(
        store,
        "e",
        shares=shares_of(["cold", "warm"], None),
        holdout=0,
        horizon=1,
        salt="s",
    )
    for number in range(4):
        assign(store, experiment, WarmRequest(template="mine", session=f"x{number}"))

    assert measured_benefits(store) == {}
