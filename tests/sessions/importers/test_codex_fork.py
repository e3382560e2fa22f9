"""Forked rollouts: what is copied from the parent is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oldhand.sessions.importers.codex import SOURCE
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import Session, Usage

Json = dict[str, Any]
HOUR_MS = 3_600_000
BORN_MS = 1_767_225_600_000  # 2026-01-01T00:00:00Z
BORN = "2026-01-01T00:00:00.000Z"
BEFORE = "2025-12-31T23:00:00.000Z"
AFTER = "2026-01-01T00:00:01.000Z"


def uuid_of(milliseconds: int, number: int = 0) -> str:
    digits = f"{milliseconds:012x}"
    return f"{digits[:8]}-{digits[8:]}-7000-8000-{number:012x}"


CHILD, PARENT = uuid_of(BORN_MS, 1), uuid_of(BORN_MS - HOUR_MS, 2)
OLD_TURN, OWN_TURN = uuid_of(BORN_MS - HOUR_MS // 2), uuid_of(BORN_MS + 500)


def record(record_type: str, stamp: str = AFTER, **payload: Any) -> Json:
    return {"timestamp": stamp, "type": record_type, "payload": payload}


def said(text: str, stamp: str = AFTER) -> Json:
    return record("response_item", stamp, type="message", role="user", content=text)


def head(stamp: str = BORN) -> Json:
    return record(
        "session_meta", stamp, id=CHILD, timestamp=BORN, forked_from_id=PARENT
    )


def tokens(count: int) -> Json:
    total = {"input_tokens": count, "cached_input_tokens": 0, "output_tokens": count}
    return record("event_msg", type="token_count", info={"total_token_usage": total})


def read(directory: Path, *records: Json) -> Session:
    path = directory / "rollout-1.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in records))
    (session,) = SOURCE.read(path, ReadContext(tally=Tally()))
    return session


def texts(session: Session) -> list[str]:
    return [message.content for message in session.messages]


def test_a_fork_is_named_by_its_own_head_and_knows_its_parent(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        head(),
        record("session_meta", id=PARENT, cwd="/elsewhere"),
        record("turn_context", turn_id=OWN_TURN),
        said("Mine"),
    )

    assert (session.uid, session.parent, session.relation) == (CHILD, PARENT, "fork")
    assert session.cwd is None


def test_a_copy_with_new_times_ends_at_the_first_turn_that_is_not_older(
    tmp_path: Path,
) -> None:
    session = read(
        tmp_path,
        head(),
        record("session_meta", id=PARENT),
        said("The parent's instructions"),
        record("turn_context", turn_id=OLD_TURN),
        said("The parent's"),
        record("event_msg", type="task_started", turn_id=OWN_TURN),
        said("Mine"),
    )

    assert texts(session) == ["Mine"]


def test_a_copy_without_its_parents_head_is_told_by_the_age_of_its_turns(
    tmp_path: Path,
) -> None:
    session = read(
        tmp_path,
        head(),
        record("turn_context", turn_id=OLD_TURN),
        said("The parent's"),
        record("turn_context", turn_id=OWN_TURN),
        said("Mine"),
    )

    assert texts(session) == ["Mine"]


def test_a_copy_that_keeps_its_old_times_ends_with_them(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        head(),
        record("session_meta", BEFORE, id=PARENT),
        record("turn_context", BEFORE, model="m"),
        said("The parent's", BEFORE),
        said("Mine"),
    )

    assert texts(session) == ["Mine"]


def test_a_copy_ends_where_the_own_head_comes_again(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        head(),
        record("session_meta", id=PARENT),
        said("The parent's"),
        head(AFTER),
        said("Mine"),
    )

    assert texts(session) == ["Mine"]


def test_a_turn_whose_id_tells_no_time_is_kept(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        head(),
        record("session_meta", id=PARENT),
        record("turn_context", turn_id="7"),
        said("Whose?"),
    )

    assert texts(session) == ["Whose?"]


def test_a_subagent_with_its_parents_head_keeps_its_first_turn(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}
    session = read(
        tmp_path,
        record("session_meta", BORN, id=CHILD, source=source),
        record("session_meta", id=PARENT),
        record("turn_context", turn_id=OWN_TURN),
        said("Mine"),
    )

    assert texts(session) == ["Mine"]
    assert session.relation == "subagent"


def test_turns_of_a_session_that_is_no_fork_are_all_its_own(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        record("session_meta", BORN, id=CHILD),
        record("turn_context", turn_id=OLD_TURN),
        said("Mine"),
    )

    assert texts(session) == ["Mine"]


@pytest.mark.parametrize(("total", "own"), [(150, 50), (30, 30)])
def test_the_tokens_of_the_parent_are_not_the_forks(
    tmp_path: Path, total: int, own: int
) -> None:
    session = read(
        tmp_path,
        head(),
        record("session_meta", id=PARENT),
        tokens(100),
        record("turn_context", turn_id=OWN_TURN),
        said("Mine"),
        tokens(total),
    )

    assert session.usage == Usage(own, own, 0, None)
