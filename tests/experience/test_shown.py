"""Calls that were weighed and redacted once are not again, as long as that holds."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.app import upkeep
from oldhand.experience import shown
from oldhand.experience.candidates import Budget
from oldhand.experience.example import Example
from oldhand.experience.mine import Wish, mine
from oldhand.experience.pool import Scope
from oldhand.sessions.keep.retention import PruneWish
from oldhand.store import Query, Store

from .conftest import Teach, bash

WISH = Wish(scope=Scope(), budget=Budget(tokens=1_000))


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


@pytest.fixture(autouse=True)
def rules_are_asked_anew() -> Iterator[None]:
    """Let no test see the state of the rules that another one made."""
    shown.rules.cache_clear()
    yield
    shown.rules.cache_clear()


def statement(sql: str) -> Query:
    return Query("statement", sql, sql)


def mined(store: Store) -> Example:
    (example,) = mine(store, WISH).examples
    return example


def rows(store: Store, table: str) -> int:
    row = store.query_one(statement(f"SELECT count(*) FROM {table}"))  # noqa: S608 - a test's
    return int(row[0]) if row else 0


def doctor(store: Store) -> None:
    """Change the texts that were kept, so that it shows whether they are used."""
    (texts,) = store.query_all(statement("SELECT texts FROM shown_calls"))[0]
    changed = json.dumps([*json.loads(texts)[:2], "as kept", *json.loads(texts)[3:]])
    change = statement("UPDATE shown_calls SET texts = :texts")
    change = Query("change", change.sqlite, "UPDATE shown_calls SET texts = :texts")
    store.execute(change, {"texts": changed})


def test_what_was_looked_at_is_not_looked_at_again(store: Store, teach: Teach) -> None:
    teach("s1", bash("git status", "clean"))
    first = mined(store)
    assert mined(store) == first

    doctor(store)

    assert mined(store).result == "as kept"


CHANGES = {
    "the result": "UPDATE messages SET content = 'dirty' WHERE role = 'tool'",
    "the request": "UPDATE messages SET content = 'Look' WHERE role = 'user'",
    "the arguments": 'UPDATE tool_calls SET arguments = \'{"command":"ls"}\'',
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_text_is_looked_at_anew(
    store: Store, teach: Teach, change: str
) -> None:
    teach("s1", bash("git status", "clean"))
    before = mined(store)
    doctor(store)

    store.execute(statement(change))

    now = mined(store)
    assert now.result != "as kept"
    assert now != before


@pytest.mark.parametrize("file", ["redact/rules.py", "terminal.py"])
def test_other_rules_look_at_all_calls_anew(
    store: Store,
    teach: Teach,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
) -> None:
    teach("s1", bash("git status", "clean"))
    package = tmp_path / "package"
    for name in shown.RULES_IN:
        (package / name).mkdir(parents=True)
    for name in (*shown.RULES_OF, "redact/rules.py"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("a")
    rule = package / file
    monkeypatch.setattr(shown, "_PACKAGE", str(package))
    mined(store)
    doctor(store)
    assert mined(store).result == "as kept"

    os.utime(rule, ns=(1, 1))
    shown.rules.cache_clear()

    assert mined(store).result == "clean"
    assert rows(store, "shown_calls") == rows(store, "weighed_calls") == 1


def test_where_the_rules_cannot_be_looked_at_nothing_is_kept(
    store: Store, teach: Teach, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach("s1", bash("git status", "clean"))
    monkeypatch.setattr(shown, "_PACKAGE", str(tmp_path / "archive.zip"))

    assert mined(store).result == "clean"
    assert rows(store, "shown_calls") == rows(store, "weighed_calls") == 0


def test_who_weighs_by_other_rules_is_not_given_what_ours_said(
    store: Store, teach: Teach
) -> None:
    teach("s1", bash("git status", "clean"), bash("ls -l", "a"))
    mine(store, WISH)

    found = mine(store, WISH, is_risky=lambda _tool, args: "git" in args["command"])

    assert [example.result for example in found.examples] == ["a"]


def test_a_risky_call_stays_out_the_second_time(store: Store, teach: Teach) -> None:
    teach("s1", bash("git push --force", "pushed"), bash("git status", "clean"))
    mined(store)

    assert mined(store).result == "clean"
    assert rows(store, "weighed_calls") == 2


def test_a_prune_takes_what_was_kept_too(store: Store, teach: Teach) -> None:
    teach("s1", bash("cat a", "a numbat " * 300))
    mined(store)

    plan = upkeep.plan_prune(store, PruneWish(content="tool-results"))
    upkeep.prune(store, plan)

    assert rows(store, "shown_calls") == 0
    assert "numbat" not in mined(store).result
