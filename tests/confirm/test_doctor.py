"""The doctor says what holds by trying, for one user and for two."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from oldhand.confirm.doctor import HONEST_SENTENCE, Diagnosis, Places, diagnose
from oldhand.confirm.people import make_link, redeem_link
from oldhand.confirm.switches import set_solo

from .office import Office


def places(home: Path, **more: Path | None) -> Places:
    """Return the places of a daemon in a home."""
    found = Places(
        database=home / "oldhand.db", key=home / "confirm.key",
        token=home / "agent.token", policy=None, checkpoints=None, home=home,
    )  # fmt: skip
    return found._replace(**more)  # type: ignore[arg-type]


def held(found: Diagnosis) -> dict[str, bool | None]:
    return {each.name: each.holds for each in found.findings}


def test_what_can_be_read_is_a_guardrail_and_said_honestly(
    office: Office, tmp_path: Path
) -> None:
    for name in ("oldhand.db", "confirm.key", "policy.toml", "checkpoints.jsonl"):
        (tmp_path / name).touch(0o600)

    found = diagnose(
        places(
            tmp_path, policy=tmp_path / "policy.toml",
            checkpoints=tmp_path / "checkpoints.jsonl",
        ),
        store=office.store, try_to_approve=lambda: 403,
    )  # fmt: skip

    assert (found.level, found.name) == (0, "guardrail")
    assert HONEST_SENTENCE in found.why
    for name in ("database", "signing key", "policy file", "checkpoints outside"):
        assert held(found)[name] is False
        if name != "checkpoints outside":
            assert name in found.why


@pytest.mark.parametrize(("status", "holds"), [(403, True), (401, True), (200, False)])
def test_a_token_that_approves_breaks_the_wall(
    tmp_path: Path, status: int, holds: bool
) -> None:
    elsewhere = places(tmp_path)._replace(is_elsewhere=True)

    found = diagnose(elsewhere, store=None, try_to_approve=lambda: status)

    assert held(found)["the agent's token"] is holds
    assert found.level == int(holds)


def test_what_was_not_tried_does_not_count_as_held(tmp_path: Path) -> None:
    found = diagnose(places(tmp_path), store=None, try_to_approve=None)

    assert held(found)["the agent's token"] is None
    assert found.level == 0


def test_what_is_not_there_is_not_taken_for_closed(tmp_path: Path) -> None:
    found = diagnose(places(tmp_path), store=None, try_to_approve=lambda: 403)

    assert held(found)["database"] is None
    assert held(found)["signing key"] is None
    assert found.level == 0


def test_a_browser_of_this_user_is_no_wall(tmp_path: Path) -> None:
    (tmp_path / ".mozilla" / "firefox" / "profile").mkdir(parents=True)

    elsewhere = places(tmp_path)._replace(is_elsewhere=True)

    found = diagnose(elsewhere, store=None, try_to_approve=lambda: 403)

    assert held(found)["browser profiles"] is False
    assert found.level == 0


def test_modes_solo_and_passwords_are_looked_at(office: Office, tmp_path: Path) -> None:
    (tmp_path / "agent.token").touch()
    (tmp_path / "agent.token").chmod(0o644)

    def look() -> dict[str, bool | None]:
        return held(diagnose(places(tmp_path), store=office.store, try_to_approve=None))

    before = look()
    for person in (office.ann, office.ben):
        link = make_link(office.store, person, by=None, clock=office.clock)
        redeem_link(office.store, link, password="long enough", clock=office.clock)  # noqa: S106
    set_solo(office.store, to=True, by=office.ann, clock=office.clock)
    (tmp_path / "agent.token").chmod(0o600)
    after = look()

    names = ("mode of the token's file", "people", "solo mode")
    assert [before[name] for name in names] == [False, False, True]
    assert [after[name] for name in names] == [True, True, False]


def test_another_user_is_found_separated(
    tmp_path: Path, without_rights: list[str]
) -> None:
    assert seen_from_outside(tmp_path, without_rights, mode=0o000) == "1 separated\n"


def test_who_can_swap_the_files_is_not_separated(
    tmp_path: Path, without_rights: list[str]
) -> None:
    said = seen_from_outside(tmp_path, without_rights, mode=0o700)

    assert said == "0 guardrail\n"


def seen_from_outside(tmp_path: Path, without_rights: list[str], *, mode: int) -> str:
    """Say what a user sees who can open no file in a directory of a mode."""
    closed = tmp_path / "closed"
    closed.mkdir(0o700)
    for name in ("oldhand.db", "confirm.key"):
        (closed / name).touch()
        (closed / name).chmod(0o000)
    program = (
        "from pathlib import Path\n"
        "from oldhand.confirm.doctor import Places, diagnose\n"
        f"home = Path({str(closed)!r})\n"
        "places = Places(home / 'oldhand.db', home / 'confirm.key', home / 'none',"
        " home / 'policy.toml', None, home)\n"
        "found = diagnose(places, store=None, try_to_approve=lambda: 403)\n"
        "print(found.level, found.name)\n"
    )
    closed.chmod(mode)
    try:
        run = subprocess.run(
            [*without_rights, program], capture_output=True, text=True, check=False
        )
    finally:
        closed.chmod(0o700)
    assert not run.returncode, run.stderr
    return run.stdout
