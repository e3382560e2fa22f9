"""How skills do, as a page."""

from __future__ import annotations

from oldhand.ledger.invocations import record_skill_invocation

from .site import Site


def tell(site: Site, *, model: str, success: bool | None, cost: str | None) -> None:
    record_skill_invocation(
        site.store, skill_name="triage", invoked_at=site.clock() / 1e6, model=model,
        success=success, estimated_cost_usd=cost, clock=site.clock,
    )  # fmt: skip


def test_where_there_is_no_run_it_is_said_where_they_come_from(site: Site) -> None:
    page = site.browser(site.ben).get("/skills")

    assert "No run of a skill is on record yet" in page.text


def test_skills_are_shown_by_model_with_what_is_unknown_as_a_dash(site: Site) -> None:
    tell(site, model="m-1", success=True, cost="0.5")
    tell(site, model="m-2", success=None, cost=None)
    tell(site, model="<b>m-3</b>", success=False, cost="0")

    page = site.browser(site.ben).get("/skills?half_life_days=30")

    text = " ".join(page.text.split()).replace("\N{EN DASH}", "?")
    assert "triage m-1 1 1 0 0 100 %" in text
    assert "triage m-2 1 0 0 1 ? ? ? ?" in text
    assert "<b>m-3" not in page.html
    assert "counts half after 30 days" in page.text


def test_the_picture_has_no_style_of_its_own_and_is_for_people(site: Site) -> None:
    tell(site, model="<script>x</script>", success=True, cost=None)

    picture = site.browser(site.ben).get("/skills/trend.svg")

    assert picture.status == 200
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "<polygon" in picture.html
    assert "<script" not in picture.html
    assert "style" not in picture.html
    assert site.browser().get("/skills/trend.svg").status == 303


def test_another_half_life_is_refused_by_name(site: Site) -> None:
    page = site.browser(site.ben).get("/skills?half_life_days=5")

    assert page.status == 400
    assert "is not one of 1, 7, 30" in page.text
