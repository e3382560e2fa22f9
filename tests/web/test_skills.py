"""How skills do, over HTTP."""

from __future__ import annotations

import pytest

from oldhand.ledger.invocations import record_skill_invocation

from .daemon import Daemon


def tell(daemon: Daemon, count: int, *, model: str, success: bool | None) -> None:
    for _ in range(count):
        record_skill_invocation(
            daemon.store, skill_name="triage", invoked_at=daemon.clock() / 1e6,
            model=model, success=success, clock=daemon.clock,
        )  # fmt: skip


def test_people_see_how_skills_do(any_daemon: Daemon) -> None:
    tell(any_daemon, 3, model="a", success=True)
    tell(any_daemon, 2, model="b", success=None)
    eve = any_daemon.person()

    ema = eve.get("/skills/ema?window_days=2&alpha=0.3").json()
    stats = eve.get("/skills/stats?skill=triage&by_version=true").json()

    assert ema["count"] == stats["count"] == 2
    assert {s["model"]: s["ema_success_rate"] for s in ema["skills"]} == {
        "a": 1.0,
        "b": None,
    }
    assert ema["skills"][0]["half_life_days"] == pytest.approx(1.943, abs=1e-3)
    assert {s["model"]: s["unknown_count"] for s in stats["skills"]} == {"a": 0, "b": 2}
    assert eve.get("/skills/stats?skill=nope").json() == {"count": 0, "skills": []}


def test_agents_and_strangers_do_not(daemon: Daemon) -> None:
    for path in ("/skills/ema", "/skills/stats"):
        assert daemon.nobody.get(path).status == 401
        assert daemon.agent().get(path).status == 403


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("ema?window_days=0", "window_days is not a number above 0"),
        ("ema?window_days=nan", "window_days is not a number above 0"),
        ("ema?window_days=-1", "window_days is not a number above 0"),
        ("ema?window_days=1e999", "window_days is not a number above 0"),
        ("ema?alpha=1", "alpha: 1.0"),
        ("ema?alpha=0.3&half_life_days=2", "expected one of them"),
        ("ema?alpha=0.3&alpha=0.4", "alpha stands twice"),
        ("stats?by_version=1", "by_version is neither true nor false"),
    ],
)
def test_a_wrong_number_is_named(daemon: Daemon, query: str, said: str) -> None:
    answer = daemon.person().get(f"/skills/{query}")

    assert (answer.status, said in answer.body.decode()) == (400, True)
