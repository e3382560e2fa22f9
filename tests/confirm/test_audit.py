"""The log shows at which row it is not as it was written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.canonical_json import canonical_json, sha256_of
from oldhand.confirm.audit.chain import FIRST_HASH, hash_of
from oldhand.confirm.audit.checkpoint import (
    checkpoints_in,
    make_checkpoint,
    read_checkpoints,
)
from oldhand.confirm.audit.read import newest_seq, read_audit
from oldhand.confirm.audit.verify import ChainVerdict, verify_chain
from oldhand.confirm.keys import SigningKey
from oldhand.errors import OldhandError, UnreadableSource
from oldhand.store import Query, Store, open_database

from .office import Office

KEY = SigningKey(b"k" * 32)


@pytest.fixture
def busy(office: Office) -> Office:
    """Return an office whose log has some rows."""
    for number in range(5):
        office.deny(office.ask({"n": number}))
    return office


def test_a_log_that_was_left_alone_is_intact(busy: Office) -> None:
    found = verify_chain(busy.store)

    assert found.is_intact
    assert found.rows == newest_seq(busy.store) >= 14


def test_rows_cannot_be_changed_or_removed(busy: Office) -> None:
    for statement in ("UPDATE audit SET kind = 'x'", "DELETE FROM audit"):
        with pytest.raises(OldhandError, match="append-only"):
            busy.store.execute(Query("tamper", statement, statement))

    assert verify_chain(busy.store).is_intact


@pytest.mark.parametrize(
    ("statement", "at"),
    [
        ("UPDATE audit SET kind = 'approved' WHERE seq = 8", 8),
        ("UPDATE audit SET principal = NULL WHERE seq = 8", 8),
        ("UPDATE audit SET body = replace(body, '1', '2') WHERE seq = 8", 8),
        ("UPDATE audit SET at_us = at_us - 1 WHERE seq = 8", 8),
        ("UPDATE audit SET principal = 'ann' WHERE seq = 8", 8),
        ("UPDATE audit SET request_id = NULL WHERE seq = 8", 8),
        ("UPDATE audit SET hash = 'x' || substr(hash, 2) WHERE seq = 8", 8),
        ("DELETE FROM audit WHERE seq = 8", 8),
        ("DELETE FROM audit WHERE seq = 1", 1),
        ("UPDATE audit SET seq = 1000 WHERE seq = 8", 8),
        (
            "UPDATE audit SET seq = CASE seq WHEN 8 THEN -9 ELSE -8 END WHERE seq IN (8, 9)",
            8,
        ),
        (
            "INSERT INTO audit SELECT 1000, at_us, kind, request_id, principal, body, hash "
            "FROM audit WHERE seq = 8",
            None,
        ),
    ],
)
def test_a_row_that_was_tampered_with_is_found(
    busy: Office, statement: str, at: int | None
) -> None:
    last = newest_seq(busy.store)

    tamper(busy.store, statement)

    found = verify_chain(busy.store)
    assert not found.is_intact
    assert found.fault_seq == (last + 1 if at is None else at)


def test_rows_that_were_cut_from_the_end_are_found_by_a_checkpoint(
    busy: Office, tmp_path: Path
) -> None:
    file = tmp_path / "checkpoints.jsonl"
    make_checkpoint(
        busy.store, key_id=KEY.id, sign=KEY.sign, file=file, clock=busy.clock
    )
    last = newest_seq(busy.store)

    tamper(busy.store, "DELETE FROM audit WHERE seq > (SELECT max(seq) FROM audit) - 2")

    assert verify_chain(busy.store).is_intact  # a chain alone cannot know
    found = verify(busy.store, file)
    assert found.fault_seq == last - 1
    assert f"{last - 1} to {last} are missing" in str(found.fault)


def test_a_database_that_was_swapped_is_found_by_a_checkpoint(
    busy: Office, tmp_path: Path
) -> None:
    file = tmp_path / "checkpoints.jsonl"
    make_checkpoint(
        busy.store, key_id=KEY.id, sign=KEY.sign, file=file, clock=busy.clock
    )
    swapped = open_database(":memory:")
    other = Office(swapped)
    for number in range(20):
        other.deny(other.ask({"n": -number}, action=f"action_{number}"))

    found = verify(swapped, file)

    swapped.close()
    assert not found.is_intact
    assert "another than the one" in str(found.fault)


def test_a_checkpoint_of_another_key_is_refused(busy: Office, tmp_path: Path) -> None:
    file = tmp_path / "checkpoints.jsonl"
    forger = SigningKey(b"f" * 32)
    make_checkpoint(
        busy.store, key_id=KEY.id, sign=forger.sign, file=file, clock=busy.clock
    )

    assert "not signed by this key" in str(verify(busy.store, file).fault)


def test_a_checkpoint_is_made_where_the_log_has_grown(
    busy: Office, tmp_path: Path
) -> None:
    file = tmp_path / "checkpoints.jsonl"

    made = [
        make_checkpoint(
            busy.store, key_id=KEY.id, sign=KEY.sign, file=file, clock=busy.clock
        )
        for _ in range(2)
    ]

    assert made[0] is not None
    assert made[1] is None
    assert checkpoints_in(busy.store) == read_checkpoints(file) == [made[0]]
    assert file.stat().st_mode & 0o777 == 0o600
    assert verify(busy.store, file).is_intact


def test_a_file_that_holds_no_checkpoints_is_named(tmp_path: Path) -> None:
    file = tmp_path / "checkpoints.jsonl"
    file.write_text('{"seq": 1}\n')

    with pytest.raises(UnreadableSource, match=r"checkpoints\.jsonl:1"):
        read_checkpoints(file)


def test_the_log_can_be_paged_and_filtered(busy: Office) -> None:
    first = read_audit(busy.store, limit=3)
    second = read_audit(busy.store, limit=3, before_seq=first[-1].seq)
    denied = read_audit(busy.store, kind="denied", principal="ben")

    last = newest_seq(busy.store)
    assert [row.seq for row in first + second] == list(range(last, last - 6, -1))
    assert [row.kind for row in denied] == ["denied"] * 5


def test_a_key_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    file = tmp_path / "confirm.key"
    made = SigningKey.load(file)

    assert SigningKey.load(file).public == made.public
    assert made.verify(made.sign(b"data"), b"data")
    assert not made.verify(made.sign(b"data"), b"other")
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    with pytest.raises(UnreadableSource, match="others may read"):
        SigningKey.load(file)


def verify(store: Store, file: Path) -> ChainVerdict:
    """Verify a log with the checkpoints of a file."""
    return verify_chain(store, checkpoints=read_checkpoints(file), verify=KEY.verify)


def tamper(store: Store, statement: str) -> None:
    """Change the log as somebody could who may write to the database."""
    drops = (
        "DROP TRIGGER IF EXISTS audit_is_not_changed",
        "DROP TRIGGER IF EXISTS audit_is_not_removed",
    )
    for drop in drops:
        store.execute(Query("drop", drop, f"{drop} ON audit"))
    for each in statement.split(";"):
        store.execute(Query("tamper", each, each))
    store.execute(Query("turn", *["UPDATE audit SET seq = -seq WHERE seq < 0"] * 2))


@given(
    st.integers(0, 2**70),
    st.text(),
    st.none() | st.text(),
    st.none() | st.text(),
    st.text(),
)
def test_a_row_s_hash_is_over_its_canonical_json(
    at_us: int, kind: str, request_id: str | None, principal: str | None, body: str
) -> None:
    fields = [FIRST_HASH, 7, at_us, kind, request_id, principal, body]

    found = hash_of(FIRST_HASH, 7, at_us, kind, request_id, principal, body)

    assert found == sha256_of(canonical_json(fields).encode())


def test_bytes_in_a_row_are_found(store: Store) -> None:
    office = Office(store)
    office.deny(office.ask())
    for statement in (
        "DROP TRIGGER audit_is_not_changed",
        "UPDATE audit SET kind = x'00ff' WHERE seq = 6",
    ):
        store.execute(Query("tamper", statement, ""))

    assert verify_chain(store).fault_seq == 6
