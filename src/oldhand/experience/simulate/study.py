"""The whole way with a simulated policy: record, judge, choose, give, record, measure.

It shows that the pipe holds and that the meter sees a benefit, a harm, and nothing where
there is nothing. The sizes of the effects come of how policy and world are made; they are
no evidence about models.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from oldhand.clock import Clock
from oldhand.experience.candidates import Budget
from oldhand.experience.experiment import (
    Analysis,
    Arm,
    Experiment,
    analyse,
    assign,
    shares_of,
    start_experiment,
)
from oldhand.experience.experiment.measure import measure
from oldhand.experience.mine import Wish
from oldhand.experience.pool import Scope
from oldhand.experience.simulate.policy import Policy, reads_its_messages
from oldhand.experience.simulate.session import Task, run_session
from oldhand.experience.simulate.world import World, make_world
from oldhand.experience.template import build_template_for
from oldhand.experience.warm import WarmRequest, WarmStart
from oldhand.store import Store

HERE, ELSEWHERE = "/simulated/here", "/simulated/elsewhere"
_PAST_SESSIONS = 50
_TOKENS = 2_000
_ODD_TOOLS = 2
_HORIZON = 20
_COLD_SHARE = 0.1  # of sessions that run twice
_START_US = 1_767_225_600_000_000
_SECOND_US = 1_000_000


class Place(NamedTuple):
    """A store in which past sessions are on record, and what they taught.

    Attributes:
        store: The store.
        world: The tools as they are now.
        template: The label of the template that was built of the past sessions.
        clock: Goes on a second each time it is asked.
    """

    store: Store
    world: World
    template: str
    clock: Clock


class Pairs(NamedTuple):
    """Sessions that ran twice, once with what they drew and once with nothing.

    Attributes:
        differences: By arm, of each session drawn into it: 1 where only the run with what
            it drew had a bad call, -1 where only the one without had, else 0.
    """

    differences: dict[Arm, list[int]]

    def mean(self, arm: Arm) -> float:
        """Return the mean difference of an arm's sessions, -1 to 1."""
        found = self.differences[arm]
        return sum(found) / len(found) if found else 0.0


def prepare_place(
    store: Store, *, seed: int, have_tools_changed: bool = False
) -> Place:
    """Record past sessions here and elsewhere, and build a template of those here.

    Args:
        store: An empty one.
        seed: Decides which tools are odd.
        have_tools_changed: The past sessions worked with tools that took other forms, so
            that the examples are false by now.
    """
    clock = itertools.count(_START_US, _SECOND_US).__next__
    rng = random.Random(seed)  # noqa: S311 - the same world every time
    world = make_world(verb="list", odd=_ODD_TOOLS, rng=rng)
    past = world
    if have_tools_changed:
        past = make_world(verb="list", odd=len(world.tools), rng=rng)
    for project, tools in (
        (HERE, past),
        (ELSEWHERE, make_world(verb="find", odd=_ODD_TOOLS, rng=rng)),
    ):
        for number in range(_PAST_SESSIONS):
            uid = f"{project.rpartition('/')[2]}-past-{number}"
            task = Task(uid, project, tools, reads_its_messages, f"{seed} {uid}")
            run_session(store, task, shown=None, clock=clock)
    wish = Wish(scope=Scope(project=HERE), budget=Budget(tokens=_TOKENS))
    template, _ = build_template_for(store, wish, name="learned", clock=clock)
    return Place(store, world, template.label, clock)


def run_experiment(
    place: Place,
    name: str,
    *,
    arms: tuple[Arm, ...] = ("cold", "warm", "placebo"),
    sessions: int,
    progress: Callable[[], None] | None = None,
) -> Analysis:
    """Draw sessions into arms, give each what it drew, and say what that shows."""
    experiment = _start(place, name, arms)
    for number in range(sessions):
        _run_drawn(place, experiment, number, policy=reads_its_messages, is_shown=True)
        if progress is not None:
            progress()
    return analyse(place.store, experiment, clock=place.clock)


def run_pairs(
    place: Place,
    name: str,
    policy: Policy,
    *,
    sessions: int,
    arms: tuple[Arm, ...] = ("cold", "warm", "placebo"),
) -> Pairs:
    """Run sessions twice, once with what they drew and once with nothing shown.

    Few of them are cold, as these run twice in the same way.
    """
    found = []
    others = (1 - _COLD_SHARE) / (len(arms) - 1)
    shares = [_COLD_SHARE if arm == "cold" else others for arm in arms]
    for is_shown in (True, False):
        named = f"{name}-{'shown' if is_shown else 'bare'}"
        experiment = _start(place, named, arms, shares=shares)
        for number in range(sessions):
            _run_drawn(place, experiment, number, policy=policy, is_shown=is_shown)
        found.append(measure(place.store, experiment, clock=place.clock))
    differences: dict[Arm, list[int]] = {arm: [] for arm in arms}
    for shown, bare in zip(*found, strict=True):
        differences[shown.arm].append(int(shown.is_bad) - int(bare.is_bad))
    return Pairs(differences)


def _start(
    place: Place,
    name: str,
    arms: tuple[Arm, ...],
    *,
    shares: Sequence[float] | None = None,
) -> Experiment:
    return start_experiment(
        place.store,
        name,
        shares=shares_of(arms, shares),
        holdout=0.0,
        horizon=_HORIZON,
        salt=name,
        clock=place.clock,
    )


def _run_drawn(
    place: Place,
    experiment: Experiment,
    number: int,
    *,
    policy: Policy,
    is_shown: bool,
) -> None:
    uid = f"{experiment.name}-{number}"
    request = WarmRequest(
        template=place.template,
        scope=Scope(project=HERE, before_us=place.clock()),
        principal="simulation",
        project=HERE,
        target="openai",
        tokens=_TOKENS,
        session=uid,
    )
    drawn = assign(place.store, experiment, request, clock=place.clock)
    shown: WarmStart | None = drawn.start if is_shown else None
    task = Task(uid, HERE, place.world, policy, f"task {number}")
    run_session(place.store, task, shown=shown, clock=place.clock)
