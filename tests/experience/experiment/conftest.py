"""An experiment over sessions of two projects that have nothing in common."""

from __future__ import annotations

import pytest

from oldhand.experience.experiment import (
    Assignment,
    Experiment,
    assign,
    shares_of,
    start_experiment,
)
from oldhand.experience.pool import Scope
from oldhand.experience.warm import WarmRequest
from oldhand.store import Store

from ..conftest import Teach, bash, looked_around  # noqa: TID252 - tests are no package

HERE, ELSEWHERE = "/home/ada/engine", "/home/ada/novel"


@pytest.fixture
def taught(store: Store, teach: Teach) -> Store:
    """Return a store with sessions of two projects that have nothing in common."""
    for number in range(4):
        teach(
            f"here-{number}",
            *looked_around(number),
            day=number,
            project=HERE,
        )
        teach(
            f"elsewhere-{number}",
            bash("pandoc book.md -o book.pdf", "written " * 20),
            bash("aspell check book.md", "no errors " * 10),
            bash("git status", "clean"),
            day=number,
            project=ELSEWHERE,
        )
    return store


def start(store: Store, *arms: str, name: str = "e", holdout: float = 0) -> Experiment:
    return start_experiment(
        store,
        name,
        shares=shares_of(arms or ["cold", "warm", "placebo"], None),
        holdout=holdout,
        horizon=20,
        salt="salt",
    )


def request(session: str | None = "new", **wishes: object) -> WarmRequest:
    base = WarmRequest(
        scope=Scope(project=HERE), principal="ada", project=HERE, session=session
    )
    return base._replace(**wishes)  # type: ignore[arg-type]  # any field may be given


def draw_one(
    store: Store, experiment: Experiment, arm: str, **wishes: object
) -> Assignment:
    """Assign sessions until one draws an arm."""
    for number in range(60):
        wanted = request(f"s{number}", **wishes)
        made = assign(store, experiment, wanted, agent="test-agent")
        if made.arm == arm:
            return made
    raise AssertionError(f"nobody drew {arm}")
