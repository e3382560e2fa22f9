"""To whom a stored token is sent: to this machine, or to the daemon that it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.errors import InvalidInput, Unauthenticated
from oldhand.integrations.gate.access import client_of, read_token, save_token
from oldhand.settings import load

TOKEN = "oha_example-token"  # noqa: S105 - of nobody
HERE = "http://localhost:6060"
THERE = "https://confirm.example"


@pytest.mark.parametrize(
    ("stored_for", "url", "is_sent"),
    [
        (HERE, HERE, True),
        (HERE, "https://localhost:7000", True),
        (HERE, THERE, False),
        (THERE, THERE, True),
        (THERE, THERE + "/", True),
        (THERE, THERE + ":8443", False),
        (THERE, "https://confirm.example.evil.example", False),
        (THERE, HERE, True),
    ],
)
def test_a_stored_token_goes_to_this_machine_or_where_it_is_for(
    tmp_path: Path, stored_for: str, url: str, is_sent: bool
) -> None:
    file = tmp_path / "agent.token"
    save_token(file, TOKEN, url=stored_for)

    if is_sent:
        assert read_token(file, url=url) == TOKEN
    else:
        with pytest.raises(InvalidInput, match="is not sent to") as fault:
            read_token(file, url=url)
        assert TOKEN not in str(fault.value)
        assert "second line" in fault.value.advice


def test_an_environment_that_names_another_daemon_is_refused_before_it_is_asked(
    tmp_path: Path,
) -> None:
    environment = {"HOME": str(tmp_path), "OLDHAND_CONFIRM_URL": THERE}
    (tmp_path / ".oldhand").mkdir()
    save_token(tmp_path / ".oldhand" / "agent.token", TOKEN, url=HERE)

    with pytest.raises(InvalidInput, match="this machine"):
        client_of(load(environment=environment))
    client_of(load(environment=environment | {"OLDHAND_CONFIRM_TOKEN": TOKEN}))


def test_a_file_of_one_line_is_what_a_script_reads(tmp_path: Path) -> None:
    save_token(tmp_path / "agent.token", TOKEN, url=HERE)

    assert (tmp_path / "agent.token").read_text() == TOKEN + "\n"
    with pytest.raises(Unauthenticated):
        read_token(tmp_path / "none", url=HERE)
