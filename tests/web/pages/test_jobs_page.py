"""Jobs as pages: listed, made, changed, run, and what was said shown as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.cron.claims import Finish, begin, claim, finish
from oldhand.cron.jobs import create_job, list_jobs, trigger_job
from oldhand.cron.model import JobSpec
from oldhand.cron.output import Output, put_output
from oldhand.ledger.model import RunEnd
from oldhand.ledger.waiting import Begun
from oldhand.settings import load
from oldhand.store import open_database
from oldhand.testing import FakeClock
from oldhand.web.clockwork import JobWork
from oldhand.web.server import ConfirmationServer, Parts

from .site import Site

FORM = {"prompt": "Count <b>logs</b>", "schedule": "every 1h", "zone": "UTC"}


@pytest.fixture
def site(tmp_path: Path, clock: FakeClock) -> Iterator[Site]:
    """Serve a database by a daemon that knows which agent runs jobs."""
    served = open_database(str(tmp_path / "oldhand.db"))
    store = open_database(str(tmp_path / "oldhand.db"))
    environment = {"HOME": str(tmp_path), "OLDHAND_CRON_RUNNER": "some-agent"}
    work = JobWork(load(environment=environment))
    with ConfirmationServer(served, port=0, parts=Parts(clock=clock, jobs=work)) as on:
        yield Site(store, on.url, clock=clock)
    store.close()
    served.close()


def test_a_job_is_made_by_form_and_shown_escaped(site: Site) -> None:
    ben = site.browser(site.ben)

    made = ben.post("/jobs", FORM)
    [job] = list_jobs(site.store)
    page = ben.get("/jobs")

    assert (made.status, made.headers["location"]) == (
        303,
        f"/jobs/{job.uid}?said=job-added",
    )
    assert job.created_by == "ben"
    assert "Count <b>logs</b>" in page.text
    assert "<b>logs" not in page.html
    assert "no scheduler runs" in page.text


def test_it_is_paused_resumed_triggered_changed_and_removed(site: Site) -> None:
    ben = site.browser(site.ben)
    ben.post("/jobs", FORM)
    [job] = list_jobs(site.store)
    path = f"/jobs/{job.uid}"

    ben.post(f"{path}/pause", {"reason": "too loud"})
    assert "paused too loud" in ben.get(path).text
    ben.post(f"{path}/resume")
    ben.post(f"{path}/trigger")
    [now] = list_jobs(site.store)
    ben.post(f"{path}/edit", {"prompt": "Count", "model": "m-1", "rev": now.rev})
    [changed] = list_jobs(site.store)
    assert (changed.spec.prompt, changed.spec.model) == ("Count", "m-1")
    assert changed.schedule.text == job.schedule.text
    ben.post(f"{path}/edit", {"model": "", "rev": changed.rev})
    assert list_jobs(site.store)[0].spec.model is None
    assert ben.post(f"{path}/remove").status == 303
    assert list_jobs(site.store) == []


def test_a_wrong_schedule_is_told_and_nothing_is_made(site: Site) -> None:
    page = site.browser(site.ben).post("/jobs", FORM | {"schedule": "30m"})

    assert page.status == 400
    assert "in 30m" in page.text
    assert list_jobs(site.store) == []


def test_a_run_shows_what_was_said_as_text(site: Site, clock: FakeClock) -> None:
    job = create_job(site.store, JobSpec("x", "daily 09:00", zone="UTC"), clock=clock)
    run_id = trigger_job(site.store, job.uid, clock=clock)
    [run] = claim(site.store, "me", limit=1, now_us=clock())
    begin(site.store, run, Begun(clock()), notes=["it was kept from tools"])
    said = Output()
    said.add("<script>alert(1)</script> \u202egnp.exe")
    put_output(site.store, run_id, said.kept())
    finish(
        site.store, run, Finish(RunEnd(success=False, end_reason="no")), now_us=clock()
    )

    page = site.browser(site.ben).get(f"/runs/{run_id}")

    assert page.status == 200
    assert "<script>alert" not in page.html
    assert "\u202e" not in page.html
    assert "it was kept from tools" in page.text
    assert "failed" in page.text


def test_strangers_and_forged_forms_are_sent_away(site: Site) -> None:
    ben = site.browser(site.ben)
    ben.post("/jobs", FORM)
    [job] = list_jobs(site.store)
    ben.csrf = "0" * 64

    assert ben.post(f"/jobs/{job.uid}/remove").status == 403
    assert site.browser().get("/jobs").status == 303
    assert [each.uid for each in list_jobs(site.store)] == [job.uid]
