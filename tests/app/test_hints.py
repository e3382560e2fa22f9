"""Hints as a Python caller asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

import oldhand
from oldhand import Recorder
from oldhand.app import upkeep
from oldhand.errors import InvalidInput
from oldhand.experience.repair.keep import mine_sessions
from oldhand.sessions.keep.erase import plan_erase
from oldhand.sessions.keep.selection import Selection
from oldhand.settings import Settings
from oldhand.store import Store

SETTINGS = Settings(home=Path("/home/ada"), database=":memory:", principal="ada")
MARK = "Zanzibarquokka"
CALL = ("Bash", {"command": f"gh pr diff {MARK} --stat"}, "unknown flag: --stat")


def record(store: Store, *, is_over: bool = True) -> str:
    recorder = Recorder(store, source="test", principal="ada")
    for at, (command, result) in enumerate(
        [
            (f"gh pr diff {MARK} --stat", "Error: unknown flag: --stat\n[exit code 1]"),
            (f"gh pr diff {MARK}", "+ a line"),
        ]
    ):
        arguments = '{"command":"' + command + '"}'
        function = {"name": "Bash", "arguments": arguments}
        recorder.append(
            [
                {
                    "role": "assistant",
                    "tool_calls": [{"id": f"c{at}", "function": function}],
                },
                {"role": "tool", "tool_call_id": f"c{at}", "content": result},
            ]
        )
    if is_over:
        recorder.end("done")
    return recorder.uid


def ask(store: Store, **more: str) -> list[str | None]:
    tool, arguments, error = CALL
    found = oldhand.hint(store, tool, arguments, error, settings=SETTINGS, **more)  # type: ignore[arg-type]
    return [hint.session for hint in found]


def test_what_a_recorder_wrote_is_known_at_once(any_store: Store) -> None:
    uid = record(any_store)

    assert ask(any_store) == [uid]


def test_a_session_that_goes_on_is_known_to_itself(any_store: Store) -> None:
    uid = record(any_store, is_over=False)

    assert ask(any_store, session=uid) == [uid]


def test_an_erased_session_is_in_no_hint_and_in_no_row(any_store: Store) -> None:
    uid = record(any_store)
    mine_sessions(any_store)
    assert ask(any_store)

    upkeep.erase(any_store, plan_erase(any_store, Selection(uids=(uid,))))

    assert ask(any_store) == []
    assert mine_sessions(any_store) == 0


def test_arguments_may_be_json_text(any_store: Store) -> None:
    uid = record(any_store)
    text = '{"command": "gh pr diff 1 --stat"}'
    found = oldhand.hint(any_store, "Bash", text, CALL[2], settings=SETTINGS)

    assert [hint.session for hint in found] == [uid]


@pytest.mark.parametrize("tool", ["", "  "])
def test_an_empty_tool_is_refused(store: Store, tool: str) -> None:
    with pytest.raises(InvalidInput, match="tool is empty"):
        oldhand.hint(store, tool, {}, "x", settings=SETTINGS)


def test_any_tool_and_error_is_answered(any_store: Store) -> None:
    for odd in ("\0", "\ud800", "x" * 5_000, "\u202e"):
        assert (
            oldhand.hint(any_store, "T" + odd, {odd: odd}, odd, settings=SETTINGS) == []
        )


def test_a_call_that_takes_text_is_told_too(any_store: Store) -> None:
    recorder = Recorder(any_store, source="test", principal="ada")
    patch = {
        "id": "p1",
        "type": "custom",
        "custom": {"name": "apply_patch", "input": "*** Begin Patch"},
    }
    recorder.append(
        [
            {"role": "assistant", "tool_calls": [patch]},
            {"role": "tool", "tool_call_id": "p1", "content": "Success. Updated a.py"},
        ]
    )
    recorder.end("done")

    found = oldhand.hint(
        any_store,
        "apply_patch",
        '"*** Begin"',
        "Error: invalid patch",
        settings=SETTINGS,
    )

    assert [hint.arguments for hint in found] == ['{"input":"*** Begin Patch"}']
