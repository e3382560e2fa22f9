"""People get in by a link that works once, then by their password."""

from __future__ import annotations

import pytest

from oldhand.confirm.credentials import (
    authenticate_token,
    issue_token,
    revoke_credential,
)
from oldhand.confirm.people import (
    authenticate_session,
    check_password,
    make_link,
    open_session,
    person_of_link,
    redeem_link,
    sign_out,
)
from oldhand.confirm.principals import (
    add_principal,
    disable_principal,
    list_principals,
)
from oldhand.errors import Conflict, Forbidden, InvalidInput, NotFound, Unauthenticated
from oldhand.store import Query

from .office import Office

PASSWORD = "correct horse battery"  # noqa: S105 - made up
_ALL = Query("all", *["SELECT secret_digest FROM credentials"] * 2)


def test_a_link_works_once(office: Office) -> None:
    link = make_link(office.store, office.ann, by=None, clock=office.clock)

    seen = person_of_link(office.store, link, now_us=office.clock())
    redeem_link(office.store, link, password=PASSWORD, clock=office.clock)

    assert seen == office.ann
    assert check_password(office.store, "ann", PASSWORD) == office.ann
    with pytest.raises(Unauthenticated):
        redeem_link(office.store, link, password=PASSWORD + "!", clock=office.clock)


def test_a_link_ends_within_an_hour_and_with_the_next_one(office: Office) -> None:
    old = make_link(office.store, office.ann, by=None, clock=office.clock)
    late = make_link(office.store, office.ann, by=None, clock=office.clock)
    assert person_of_link(office.store, old, now_us=office.clock()) is None
    office.pass_time(3600)

    with pytest.raises(Unauthenticated):
        redeem_link(office.store, late, password=PASSWORD, clock=office.clock)


def test_a_wrong_password_lets_nobody_in(office: Office) -> None:
    link = make_link(office.store, office.ann, by=None, clock=office.clock)
    redeem_link(office.store, link, password=PASSWORD, clock=office.clock)

    for name, password in (("ann", "wrong"), ("nobody", PASSWORD), ("ben", "")):
        with pytest.raises(Unauthenticated, match="the name or the password"):
            check_password(office.store, name, password)


def test_a_short_password_is_refused_and_the_link_still_works(office: Office) -> None:
    link = make_link(office.store, office.ann, by=None, clock=office.clock)

    with pytest.raises(InvalidInput, match="9 characters"):
        redeem_link(office.store, link, password=PASSWORD[:9], clock=office.clock)

    assert redeem_link(office.store, link, password=PASSWORD, clock=office.clock)


def test_a_session_ends_by_time_by_signing_out_and_by_a_new_password(
    office: Office,
) -> None:
    def open_one() -> str:
        return open_session(
            office.store, office.ann, via="page", clock=office.clock
        ).token

    def is_in(token: str) -> bool:
        now_us = office.clock()
        return authenticate_session(office.store, token, now_us=now_us) is not None

    first, second = open_one(), open_one()
    found = authenticate_session(office.store, first, now_us=office.clock())
    assert found is not None
    assert found.principal == office.ann
    assert found.csrf not in {first, ""}
    sign_out(office.store, found, clock=office.clock)
    assert (is_in(first), is_in(second)) == (False, True)
    link = make_link(office.store, office.ann, by="ben", clock=office.clock)
    redeem_link(office.store, link, password=PASSWORD, clock=office.clock)
    assert not is_in(second)
    third = open_one()
    office.pass_time(12 * 3600)
    assert not is_in(third)


def test_no_secret_is_kept_as_it_is(office: Office) -> None:
    token = issue_token(office.store, office.bot, by="ann", clock=office.clock)
    link = make_link(office.store, office.ann, by=None, clock=office.clock)
    redeem_link(office.store, link, password=PASSWORD, clock=office.clock)
    session = open_session(office.store, office.ann, via="page", clock=office.clock)

    kept = "\n".join(row[0] for row in office.store.query_all(_ALL))

    assert not any(secret in kept for secret in (token, link, session.token, PASSWORD))


def test_a_token_names_its_agent_until_it_is_revoked_or_old(office: Office) -> None:
    def whose(token: str) -> object:
        return authenticate_token(office.store, token, now_us=office.clock())

    soon = office.clock() + 60_000_000
    token = issue_token(office.store, office.bot, by="ann", clock=office.clock)
    short = issue_token(
        office.store, office.other, expires_at_us=soon, by="ben", clock=office.clock
    )
    assert (whose(token), whose(short), whose("oha_")) == (
        office.bot, office.other, None,
    )  # fmt: skip
    office.pass_time(60)
    assert whose(short) is None
    revoke_credential(office.store, 1, by=office.ann, clock=office.clock)
    assert whose(token) is None


def test_a_token_is_no_session_and_a_session_no_token(office: Office) -> None:
    token = issue_token(office.store, office.bot, by="ann", clock=office.clock)
    session = open_session(office.store, office.ann, via="page", clock=office.clock)

    now_us = office.clock()
    assert authenticate_session(office.store, token, now_us=now_us) is None
    assert authenticate_token(office.store, session.token, now_us=now_us) is None


def test_people_have_no_tokens(office: Office) -> None:
    with pytest.raises(InvalidInput):
        issue_token(office.store, office.ann, by="ann", clock=office.clock)


def test_who_is_disabled_gets_in_no_more(office: Office) -> None:
    token = issue_token(office.store, office.bot, by="ann", clock=office.clock)

    disable_principal(office.store, "bot", by=office.ann, clock=office.clock)

    now_us = office.clock()
    assert authenticate_token(office.store, token, now_us=now_us) is None
    with pytest.raises(Forbidden):
        office.ask(by=list_principals(office.store)[2])


def test_the_last_person_cannot_be_disabled(office: Office) -> None:
    disable_principal(office.store, "ben", by=office.ann, clock=office.clock)

    with pytest.raises(Conflict, match="last person"):
        disable_principal(office.store, "ann", by=office.ann, clock=office.clock)
    with pytest.raises(Forbidden):
        disable_principal(office.store, "ann", by=office.bot, clock=office.clock)


@pytest.mark.parametrize(
    "name", ["", "Ann", "a b", "policy", "../x", "x" * 101, "ann\n"]
)
def test_a_name_is_one_word(office: Office, name: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be a name"):
        add_principal(office.store, name, kind="agent", by=None, clock=office.clock)


def test_an_agent_is_owned_by_a_person(office: Office) -> None:
    with pytest.raises(InvalidInput, match="no person"):
        add_principal(
            office.store, "new", kind="agent", owner="bot", by=None, clock=office.clock
        )
    with pytest.raises(NotFound):
        add_principal(
            office.store, "new", kind="agent", owner="me", by=None, clock=office.clock
        )
    with pytest.raises(Conflict):
        add_principal(office.store, "bot", kind="agent", by=None, clock=office.clock)
