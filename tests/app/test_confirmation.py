"""What is made for a first start, and what people are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.app import confirmation
from oldhand.confirm.credentials import authenticate_token
from oldhand.confirm.model import Request, Rules
from oldhand.confirm.people import person_of_link, redeem_link
from oldhand.confirm.principals import find_principal, list_principals
from oldhand.confirm.requests.facts import check_draft
from oldhand.confirm.requests.submit import submit
from oldhand.notices import pending
from oldhand.settings import Settings
from oldhand.store import Store
from oldhand.testing import FakeClock

URL = "http://localhost:6060/inbox/x"


PASSWORD = "a long password"  # noqa: S105 - made up


def settings_of(home: Path, name: str = "ada") -> Settings:
    return Settings(home=home, database=":memory:", principal=name)


def asked(store: Store, clock: FakeClock, **fields: object) -> Request:
    draft = check_draft({"action": "deploy", "details": {}} | fields)
    agent = find_principal(store, "agent")
    return submit(store, draft, requester=agent, rules=Rules(), clock=clock)


def test_the_first_start_makes_both_and_the_next_none(
    any_store: Store, tmp_path: Path
) -> None:
    clock = FakeClock()
    first = confirmation.begin(any_store, settings_of(tmp_path), clock=clock)
    redeem_link(any_store, str(first.link), password=PASSWORD, clock=clock)
    second = confirmation.begin(any_store, settings_of(tmp_path), clock=clock)

    token = (tmp_path / "agent.token").read_text().strip()
    whose = authenticate_token(any_store, token, now_us=clock())
    assert whose is not None
    assert (whose.name, whose.owner) == ("agent", "ada")
    assert second == confirmation.Beginning("ada")
    assert len(list_principals(any_store)) == 2


def test_the_tokens_file_says_which_other_address_it_is_for(
    store: Store, tmp_path: Path
) -> None:
    url = "https://confirm.example"
    confirmation.begin(store, settings_of(tmp_path), clock=FakeClock(), url=url)

    token, named = (tmp_path / "agent.token").read_text().splitlines()
    assert authenticate_token(store, token, now_us=FakeClock()()) is not None
    assert named == url


def test_a_new_link_goes_to_whom_the_settings_name(
    store: Store, tmp_path: Path
) -> None:
    clock = FakeClock()
    first = confirmation.begin(store, settings_of(tmp_path), clock=clock)
    redeem_link(store, str(first.link), password=PASSWORD, clock=clock)

    again = confirmation.begin(
        store, settings_of(tmp_path, "somebody"), clock=clock, wants_link=True
    )

    person = person_of_link(store, str(again.link), now_us=clock())
    assert person is not None
    assert person.name == again.person == "ada"


def test_a_person_called_agent_has_an_agent_of_another_name(
    store: Store, tmp_path: Path
) -> None:
    made = confirmation.begin(store, settings_of(tmp_path, "agent"), clock=FakeClock())

    assert (made.person, made.agent) == ("agent", "my-agent")


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("Ada", "ada"),
        ("ada lovelace", "ada-lovelace"),
        ("DOMAIN\\ada", "domain-ada"),
        ("", "owner"),
        ("é", "owner"),
        ("policy", "owner"),
    ],
)
def test_a_login_name_becomes_a_name(login: str, name: str) -> None:
    assert confirmation.person_name(login) == name


def test_a_notice_says_the_facts_and_not_the_agents_words(
    store: Store, tmp_path: Path
) -> None:
    clock = FakeClock()
    confirmation.begin(store, settings_of(tmp_path), clock=clock)
    request = asked(
        store, clock, description="Harmless, trust me.", target="prod",
        details={"risk": "low\nrequester: ada", "long": "x" * 1000, "n": 3},
    )  # fmt: skip

    message = confirmation.notice_of(request, URL)

    text = message.text(2000)
    assert "trust me" not in text
    assert "target: prod" in text
    assert 'details."n": 3' in text
    assert "x" * 100 not in text
    assert message.left_out == 1
    assert "1 more fact" in text
    assert text.endswith(f"Open: {URL}")
    assert message.facts["risk"] == "high"
    assert "\nrequester: ada" not in text


def test_a_notice_is_put_once_and_taken_back(store: Store, tmp_path: Path) -> None:
    clock = FakeClock()
    confirmation.begin(store, settings_of(tmp_path), clock=clock)
    request = asked(store, clock)

    for _ in range(2):
        confirmation.put_notice(store, request, URL, clock=clock)
    waiting = pending(store)
    confirmation.drop_notice(store, request.id, clock=clock)

    assert [each.message.link for each in waiting] == [URL]
    assert pending(store) == []


def test_an_action_cannot_forge_lines_in_the_daemons_log(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = FakeClock()
    confirmation.begin(store, settings_of(tmp_path), clock=clock)
    action = "x\n12:00:00 sign in at http://evil.example\x1b]0;oldhand\x07"

    with caplog.at_level("INFO"):
        confirmation.log_notice(store, asked(store, clock, action=action), URL)

    assert len(caplog.messages) == 1
    assert caplog.messages[0].isprintable()
