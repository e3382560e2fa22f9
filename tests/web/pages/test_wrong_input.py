"""Whatever is sent, a person gets a page that says what was wrong, and nothing breaks."""

from __future__ import annotations

import pytest

from .site import Site

_ID = "0" * 26


@pytest.mark.parametrize(
    "path",
    ["/inbox/x", f"/inbox/{_ID}", "/inbox/%00", "/inbox/%E2%80%AE", "/audit?before=x",
     "/audit?before=0", "/audit?before=99999999999999999999", "/audit?kind=a&kind=b",
     "/policy?version=-1", "/policy?version=99999999999", "/welcome/%00",
     "/welcome/" + "x" * 5000, "/static/%00", "/sign-in?then=%00", "/nowhere"],
)  # fmt: skip
def test_a_wrong_address_is_said_to_be_wrong(site: Site, path: str) -> None:
    answer = site.browser(site.ben).get(path)

    assert answer.status in {303, 400, 404}
    assert answer.status == 303 or "<h1>" in answer.html


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/inbox/decide", {}),
        ("/inbox/decide", {"decision": "approve"}),
        ("/inbox/decide", {"decision": "maybe", "one.0": f"{_ID} 1 x"}),
        ("/inbox/decide", {"decision": "deny", "one.0": "x"}),
        ("/inbox/decide", {"decision": "deny", "one.0": f"{_ID} 1 x"}),
        ("/inbox/decide", {"decision": "deny", "one.0": f"{_ID} ٣ x"}),
        ("/inbox/x/approve", {"rev": "1", "digest": ""}),
        (f"/inbox/{_ID}/approve", {"rev": "1", "digest": "", "details": "["}),
        (f"/inbox/{_ID}/approve", {"rev": "-1"}),
        (f"/inbox/{_ID}/edit", {"details": "[" * 10_000}),
        (f"/inbox/{_ID}/revoke", {}),
        (f"/inbox/{_ID}/deny", {"rev": "1", "digest": "", "reason": "x" * 3_000}),
        ("/grants", {}),
        ("/grants", {"action": "", "details": "{}"}),
        ("/grants", {"action": "x", "details": "{}", "for": "0"}),
        ("/grants", {"action": "x", "details": "{}", "unit": "years"}),
        ("/grants", {"action": "x", "details": "{}", "for": "99999", "unit": "days"}),
        ("/grants", {"action": "x", "details": "{}", "requester": "nobody"}),
        (f"/grants/{_ID}/revoke", {}),
        ("/people", {}),
        ("/people", {"kind": "agent", "name": "Not A Name"}),
        ("/people", {"kind": "agent", "name": "bot"}),
        ("/people", {"kind": "agent", "name": "new", "owner": "bot"}),
        ("/people", {"kind": "king", "name": "new"}),
        ("/people/nobody/token", {}),
        ("/people/nobody/disable", {}),
        ("/credentials/x/revoke", {}),
        ("/credentials/999999/revoke", {}),
        ("/stop", {}),
        ("/stop", {"stopped": "perhaps"}),
    ],
)
def test_a_wrong_form_is_said_to_be_wrong(
    site: Site, path: str, fields: dict[str, str]
) -> None:
    answer = site.browser(site.ben).post(path, fields)

    assert 400 <= answer.status < 500
    assert "<h1>" in answer.html
    assert "internal error" not in answer.text


def test_where_a_form_leads_back_is_one_of_our_pages(site: Site) -> None:
    answer = site.browser(site.ben).post(
        "/stop", {"stopped": "on", "back": "//evil.example"}
    )

    assert answer.headers["location"] == "/inbox?said=stopped"
