"""`oldhand experiment`, `warm --experiment` and `demo --simulate`, as a user meets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def learned(run: Run) -> Run:
    """Return a command line with the shipped sessions on record."""
    shipped = Path(__file__).parents[2] / "src" / "oldhand" / "cli" / "demo_sessions"
    assert run("import", "openai", shipped).code == 0
    return run


def test_an_experiment_from_start_to_stop(learned: Run) -> None:
    started = learned("experiment", "start", "e", "--holdout", "0")
    given = {
        number: learned(
            "warm", "--all-projects", "--session", f"s{number}", "--experiment", "e"
        )
        for number in range(25)
    }
    shown = learned("experiment", "show", "e")
    (listed,) = learned("experiment", "list", "--json").rows
    stopped = learned("experiment", "stop", "e")

    assert "33% cold, 33% warm, 33% placebo" in started.err
    assert all(said.code == 0 for said in given.values())
    assert {bool(said.out) for said in given.values()} == {True, False}
    assert "waiting: 25;" in shown.out
    assert "not enough data: about" in shown.out
    assert (listed["name"], listed["sessions"]) == ("e", 25)
    assert "stopped" in stopped.err


def test_a_session_is_given_the_same_text_again(learned: Run) -> None:
    learned("experiment", "start", "e", "--arms", "cold,warm", "--share", "0.01,0.99")
    command = ("warm", "--all-projects", "--session", "s", "--experiment", "e")
    first, again = learned(*command), learned(*command)
    (value,) = learned(*command, "--json").rows

    assert again.out == first.out
    assert "as before" in again.err
    assert "as before" not in first.err
    assert value["arm"] in first.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("start", "e", "--arms", "warm,placebo"), 2, "expected cold"),
        (("start", "e", "--share", "0.5,0.5,0.5"), 2, "sum to 1.5"),
        (("start", "e", "--share", "a,b,c"), 2, "'a' is no share"),
        (("start", "a b"), 2, "no name of an experiment"),
        (("start", "e", "--holdout", "0.9"), 2, "holdout of 0.9"),
        (("start", "taken"), 4, "there already"),
        (("show", "nobody"), 3, "on record: taken"),
        (("stop", "nobody"), 3, "no experiment 'nobody'"),
    ],
)
def test_what_is_wrong_is_named(
    run: Run, arguments: tuple[str, ...], code: int, said: str
) -> None:
    run("experiment", "start", "taken")

    answer = run("experiment", *arguments)

    assert answer.code == code
    assert said in answer.err
    assert answer.out == ""


def test_stopping_twice_and_drawing_without_a_session_are_errors(learned: Run) -> None:
    learned("experiment", "start", "e")
    nameless = learned("warm", "--experiment", "e")
    unknown = learned("warm", "--experiment", "f", "--session", "s")
    learned("experiment", "stop", "e")
    twice = learned("experiment", "stop", "e")

    assert (nameless.code, unknown.code, twice.code) == (2, 3, 4)
    assert "--session" in nameless.err
    assert "no experiment 'f'; on record: e" in unknown.err
    assert "stopped already" in twice.err


def test_a_second_experiment_says_that_the_hook_draws_in_it_alone(run: Run) -> None:
    first = run("experiment", "start", "one")
    second = run("experiment", "start", "two")
    run("experiment", "stop", "one")
    third = run("experiment", "start", "three")

    assert "still running" not in first.err
    assert second.err.endswith(
        "draws in two from now on, as in the newest alone; still running: one\n"
    )
    assert third.err.endswith("still running: two\n")


def test_the_picture_of_an_empty_experiment_is_a_picture(
    run: Run, tmp_path: Path
) -> None:
    run("experiment", "start", "e")

    said = run("experiment", "show", "e", "--svg", tmp_path / "e.svg")
    refused = run("experiment", "show", "e", "--svg", tmp_path / "no" / "e.svg")
    again = run("experiment", "show", "e", "--svg", tmp_path / "e.svg", "--json")

    assert said.code == 0
    assert said.err == f"the picture is in {tmp_path / 'e.svg'}\n"
    assert (tmp_path / "e.svg").read_text().startswith("<svg")
    assert (tmp_path / "e.svg").stat().st_mode & 0o777 == 0o600
    assert (refused.out, refused.code) == ("", 2)
    assert (again.out, again.code) == ("", 4)  # it is there already


def test_a_picture_can_be_had_with_json(run: Run, tmp_path: Path) -> None:
    run("experiment", "start", "e")

    said = run("experiment", "show", "e", "--json", "--svg", tmp_path / "e.svg")

    assert len(said.rows) == 1
    assert (tmp_path / "e.svg").exists()


@pytest.mark.timeout(90)  # the whole of it takes 4 s of a processor that is free
def test_the_simulation_says_first_that_it_is_no_evidence(run: Run) -> None:
    said = run("demo", "--simulate")

    first, *rest = said.out.splitlines()
    assert said.code == 0
    assert first.startswith("This is a simulation and no evidence about models")
    text = "\n".join(rest)
    assert "warm has fewer sessions with a bad call than cold: known since" in text
    assert "no session differs" in text
    assert "false alarms in" in text
    assert "▓" in text
