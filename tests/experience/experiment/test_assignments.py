"""A session draws once, is given the same again, and what it is given is on record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import pytest

from oldhand.errors import Conflict, InvalidInput, NotFound
from oldhand.experience.experiment import (
    Assignment,
    Experiment,
    assign,
    find_experiment,
    forget_sessions,
    shares_of,
    start_experiment,
    stop_experiment,
)
from oldhand.experience.pool import Scope
from oldhand.experience.warm import WarmRequest
from oldhand.sessions.model import Evidence
from oldhand.store import Query, Store

Teach = Callable[..., None]
HERE, ELSEWHERE = "/home/ada/engine", "/home/ada/novel"
_ROWS = """SELECT a.session, a.arm, a.principal, a.agent, u.digest, u.tokens
    FROM assignments a LEFT JOIN warm_uses u ON u.id = a.warm_use_id ORDER BY a.id"""
ROWS = Query("rows", _ROWS, _ROWS)
_USES = "SELECT count(*) FROM warm_uses"
USES = Query("uses", _USES, _USES)


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


@pytest.fixture
def taught(store: Store, teach: Teach) -> Store:
    """Return a store with sessions of two projects that have nothing in common."""
    for number in range(4):
        teach(
            f"here-{number}",
            bash(f"git log -{number + 1}", "commit\n" * 20),
            bash("make test", "all passed"),
            bash("git status", "clean"),
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


def bash(command: str, result: str = "done") -> tuple[object, ...]:
    return "Bash", {"command": command}, result, Evidence(is_error=False)


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


def draw_one(store: Store, experiment: Experiment, arm: str) -> Assignment:
    """Assign sessions until one draws an arm."""
    for number in range(60):
        made = assign(store, experiment, request(f"s{number}"), agent="test-agent")
        if made.arm == arm:
            return made
    raise AssertionError(f"nobody drew {arm}")


def test_a_warm_session_is_given_what_is_on_record_as_given(taught: Store) -> None:
    made = draw_one(taught, start(taught), "warm")

    text = made.start.text or ""
    digest = hashlib.sha256(text.encode()).hexdigest()
    rows = {row[0]: row[1:] for row in taught.query_all(ROWS)}
    assert "make test" in text
    assert rows[made.session] == (
        "warm",
        "ada",
        "test-agent",
        digest,
        made.start.tokens,
    )


def test_a_cold_session_is_given_nothing_and_is_on_record(taught: Store) -> None:
    made = draw_one(taught, start(taught), "cold")

    rows = {row[0]: row[1:] for row in taught.query_all(ROWS)}
    assert (made.start.text, made.start.tokens, made.start.examples) == ("", 0, ())
    assert rows[made.session][0] == "cold"
    assert rows[made.session][3] is None


@pytest.mark.parametrize("arm", ["cold", "warm", "placebo"])
def test_the_same_session_is_given_the_same_bytes_whatever_was_learnt_since(
    taught: Store, teach: Teach, arm: str
) -> None:
    experiment = start(taught)
    first = draw_one(taught, experiment, arm)
    uses = taught.query_one(USES)
    for number in range(5):
        teach(f"later-{number}", bash("cargo build", "ok"), day=10, project=HERE)

    again = assign(taught, experiment, request(first.session, tokens=300))

    assert first.is_new
    assert not again.is_new
    assert again.start == first.start
    assert taught.query_one(USES) == uses


def test_native_turns_come_again_as_well(taught: Store) -> None:
    experiment = start(taught, "cold", "warm")
    wanted = [request(f"s{number}", target="openai") for number in range(20)]
    first = [assign(taught, experiment, each) for each in wanted]

    again = [assign(taught, experiment, each) for each in wanted]

    assert [each.start for each in again] == [each.start for each in first]
    assert {bool(each.start.messages) for each in again} == {True, False}


def test_a_placebo_is_as_long_and_shows_nothing_of_this_project(taught: Store) -> None:
    experiment = start(taught)
    warm = draw_one(taught, experiment, "warm").start
    placebo = draw_one(taught, experiment, "placebo")

    shown = {(each.tool, each.arguments) for each in placebo.start.examples}
    assert 0.5 * warm.tokens <= placebo.start.tokens <= warm.tokens
    assert ("Bash", '{"command":"pandoc book.md -o book.pdf"}') in shown
    assert not any("git" in arguments or "make" in arguments for _, arguments in shown)
    assert "calls of other projects" in placebo.note


def test_where_there_is_no_other_project_a_placebo_is_made_up(
    store: Store, teach: Teach
) -> None:
    teach("only", bash("make test", "all passed " * 40), project=HERE)
    placebo = draw_one(store, start(store), "placebo")

    assert "0 calls of other projects" in placebo.note
    assert "made up" in placebo.note
    assert "tide_table" in (placebo.start.text or "")
    assert "make test" not in (placebo.start.text or "")


def test_a_placebo_shows_of_other_principals_what_two_of_them_did(
    store: Store, teach: Teach
) -> None:
    teach("mine", bash("make test", "all passed " * 40), project=HERE)
    for who in ("bob", "mallory"):
        both = bash(f"pandoc {who}.md -o {who}.pdf", f"written by {who}")
        alone = bash(f"aspell check {who}.md", f"no errors of {who}")
        calls = (both, alone) if who == "mallory" else (both,)
        teach(who, *calls, project=ELSEWHERE, principal=who, task=f"As {who} says")

    placebo = draw_one(store, start(store), "placebo").start

    shown = [each for each in placebo.examples if each.tool == "Bash"]
    assert [each.arguments for each in shown] == [
        """{"command":"pandoc '<dir>/<file>.md' -o '<dir>/<file>.pdf'"}"""
    ]
    assert (shown[0].result, shown[0].context) == ("", "")
    assert "mallory" not in (placebo.text or "").replace("[mallory]", "")


def test_a_placebo_keeps_to_whose_sessions_a_caller_without_a_principal_may_see(
    store: Store, teach: Teach
) -> None:
    teach("mine", bash("make test", "all passed " * 40), project=HERE)
    teach("theirs", bash("aspell check x.md"), project=ELSEWHERE, principal="mallory")
    experiment = start(store, "cold", "placebo")
    scope = Scope(project=HERE, own="ada")
    wanted = [
        request(f"s{number}", scope=scope, principal=None) for number in range(20)
    ]

    given = [assign(store, experiment, each).start.text or "" for each in wanted]

    assert any("tide_table" in text for text in given)
    assert not any("aspell" in text for text in given)


def test_native_turns_show_no_tool_that_was_made_up(store: Store, teach: Teach) -> None:
    teach("only", bash("make test", "all passed"), project=HERE)
    experiment = start(store, "cold", "placebo")
    wanted = [request(f"s{number}", target="openai") for number in range(20)]

    given = [assign(store, experiment, each).start.messages for each in wanted]

    assert given == [[]] * 20


def test_a_session_in_the_warm_arm_stays_there_where_nothing_was_learnt(
    store: Store,
) -> None:
    made = draw_one(store, start(store), "warm")

    assert made.start.text == ""
    assert "oldhand import" in made.note


def test_a_session_that_has_made_calls_takes_no_part(taught: Store) -> None:
    with pytest.raises(Conflict, match="3 calls before it was assigned"):
        assign(taught, start(taught), request("here-1"))

    assert taught.query_all(ROWS) == []


def test_without_a_session_nothing_is_drawn(taught: Store) -> None:
    with pytest.raises(InvalidInput, match="--session"):
        assign(taught, start(taught), request(None))


def test_another_target_is_not_the_same_bytes(taught: Store) -> None:
    experiment = start(taught)
    assign(taught, experiment, request("s"))

    with pytest.raises(Conflict, match="for the target 'text'"):
        assign(taught, experiment, request("s", target="openai"))


def test_what_cannot_be_given_fails_in_every_arm(taught: Store) -> None:
    experiment = start(taught)
    for number in range(12):
        with pytest.raises(NotFound, match="no template"):
            assign(taught, experiment, request(f"s{number}", template="nobody"))

    assert taught.query_all(ROWS) == []


def test_when_it_is_stopped_only_those_held_out_stay_cold(taught: Store) -> None:
    start(taught, holdout=0.5)
    stop_experiment(taught, "e")
    experiment = find_experiment(taught, "e")

    made = [assign(taught, experiment, request(f"s{number}")) for number in range(20)]

    assert {(each.arm, each.is_held_out) for each in made} == {
        ("cold", True),
        ("warm", False),
    }


def test_an_erased_session_leaves_no_assignment_and_is_shown_no_more(
    taught: Store,
) -> None:
    experiment = start(taught)
    warm = draw_one(taught, experiment, "warm")
    cold = draw_one(taught, experiment, "cold")
    shown = {example.session for example in warm.start.examples}

    with taught.transaction():
        forget_sessions(taught, [*shown, cold.session])

    sessions = [row[0] for row in taught.query_all(ROWS)]
    again = assign(taught, experiment, request(warm.session))
    assert cold.session not in sessions
    assert warm.session in sessions
    assert again.start.text == ""
    assert "erased" in again.note


def test_an_assignment_is_json(taught: Store) -> None:
    made = draw_one(taught, start(taught), "warm")

    value = json.loads(json.dumps(made.as_json()))

    assert (value["experiment"], value["arm"]) == ("e", "warm")
    assert value["text"] == made.start.text
