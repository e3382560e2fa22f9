"""What the events of a Codex rollout add to its items: how calls ended, and totals.

Which events are stored differs by version and setting, so nothing depends on them. What
was said stands in the items; an event that only repeats it is passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from oldhand.sessions.loose_values import (
    duration_us_of,
    flag_of,
    integer_of,
    object_in,
    text_in,
)
from oldhand.sessions.model import Evidence, Usage
from oldhand.sessions.text_parts import json_text


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Known, and without anything that an importer needs. A type that stands nowhere is counted
# as unknown, so that news in the format are seen.
IGNORED_RECORDS = _names(
    """
    world_state inter_agent_communication inter_agent_communication_metadata
    """
)
IGNORED_ITEMS = _names(
    """
    reasoning ghost_snapshot compaction context_compaction compaction_trigger
    compaction_summary additional_tools other
    """
)
IGNORED_EVENTS = _names(
    """
    user_message agent_message agent_message_delta agent_message_content_delta
    agent_reasoning agent_reasoning_delta agent_reasoning_raw_content
    agent_reasoning_section_break agent_reasoning_raw_content_delta
    task_started turn_started task_complete turn_complete session_configured
    context_compacted entered_review_mode exited_review_mode undo_started undo_completed
    thread_settings_applied thread_goal_updated plan_update plan_delta turn_diff
    error warning stream_error deprecation_notice background_event shutdown_complete
    guardian_assessment guardian_warning model_reroute model_verification
    safety_buffering turn_moderation_metadata raw_response_item item_started
    exec_command_begin exec_command_output_delta exec_approval_request
    terminal_interaction apply_patch_approval_request patch_apply_begin
    patch_apply_updated mcp_tool_call_begin mcp_startup_update mcp_startup_complete
    mcp_list_tools_response elicitation_request request_permissions request_user_input
    dynamic_tool_call_request web_search_begin web_search_end image_generation_begin
    image_generation_end view_image_tool_call sub_agent_activity hook_started
    hook_completed realtime_conversation_started realtime_conversation_sdp
    realtime_conversation_realtime realtime_conversation_closed
    collab_agent_spawn_begin collab_agent_spawn_end collab_agent_interaction_begin
    collab_agent_interaction_end collab_waiting_begin collab_waiting_end
    collab_close_begin collab_close_end collab_resume_begin collab_resume_end
    """
)

_DECLINED = frozenset(("declined", "denied", "rejected"))
_STATUS_IS_ERROR = {"failed": True, "completed": False}


class CallEnd(NamedTuple):
    """How an event says that a call ended."""

    call_id: str
    evidence: Evidence


def is_call_end(event_type: str) -> bool:
    """Say whether events of this type tell how a call ended."""
    return event_type in _READERS or event_type == "item_completed"


def call_end_of(event: dict[str, Any]) -> CallEnd | None:
    """Return what an event says of a call; None where it names no call."""
    event_type, call_id = event.get("type"), event.get("call_id")
    if event_type == "item_completed":
        event = object_in(event, "item")
        event_type, call_id = event.get("type"), event.get("id")
    reader = _READERS.get(event_type) if isinstance(event_type, str) else None
    if reader is None or not isinstance(call_id, str):
        return None
    duration_us = _duration_us(event.get("duration"))
    return CallEnd(call_id, reader(event)._replace(duration_us=duration_us))


def usage_of(event: dict[str, Any]) -> Usage | None:
    """Return the session's totals from a `token_count`; None where it has none.

    Codex counts what was read from the cache, and written to it, as input; and reasoning
    as output, as we do.
    """
    total = object_in(object_in(event, "info"), "total_token_usage")
    count = {
        key: integer_of(total.get(f"{key}_tokens"))
        for key in ("input", "cached_input", "cache_write_input", "output")
    }
    if count["input"] is None and count["output"] is None:
        return None
    cached, written = count["cached_input"], count["cache_write_input"]
    new = count["input"]
    if new is not None:
        new = max(0, new - (cached or 0) - (written or 0))
    return Usage(new, count["output"], cached, written)


def usage_since(total: Usage, inherited: Usage | None) -> Usage:
    """Return a fork's own part of totals that go on from those of its parent."""
    if inherited is None:
        return total
    pairs = (
        (total.input_tokens, inherited.input_tokens),
        (total.output_tokens, inherited.output_tokens),
        (total.cache_read_tokens, inherited.cache_read_tokens),
        (total.cache_write_tokens, inherited.cache_write_tokens),
    )
    if any((now or 0) < (before or 0) for now, before in pairs):
        return total  # counted from nothing again
    own = (None if now is None else now - (before or 0) for now, before in pairs)
    return Usage(*own)


def _exec_end(event: dict[str, Any]) -> Evidence:
    status = text_in(event, "status")
    exit_code = integer_of(event.get("exit_code"))
    if status in _DECLINED:
        return Evidence(refused=True)
    # "failed" is only another word for an exit code that is not 0.
    is_error = _status_error(status) if exit_code is None else None
    return Evidence(is_error=is_error, exit_code=exit_code)


def _mcp_end(event: dict[str, Any]) -> Evidence:
    result = object_in(event, "result")
    if "Err" in result:
        is_refused = "rejected" in json_text(result["Err"])[:100]
        return Evidence(is_error=True, refused=is_refused)
    is_error = flag_of(object_in(result, "Ok").get("isError"))
    is_error = flag_of(result.get("isError")) if is_error is None else is_error
    status = text_in(event, "status")
    if is_error is None and "Ok" in result:
        is_error = False  # the protocol leaves the flag out of a good result
    return Evidence(is_error=_status_error(status) if is_error is None else is_error)


def _flagged_end(event: dict[str, Any]) -> Evidence:
    succeeded, status = flag_of(event.get("success")), text_in(event, "status")
    if status in _DECLINED:
        return Evidence(refused=True)
    return Evidence(
        is_error=_status_error(status) if succeeded is None else not succeeded
    )


def _status_error(status: str | None) -> bool | None:
    return _STATUS_IS_ERROR.get(status or "")


def status_evidence(item: dict[str, Any]) -> Evidence | None:
    """Return what an item's own status says; None while it is not finished."""
    is_error = _status_error(text_in(item, "status"))
    return None if is_error is None else Evidence(is_error=is_error)


def _duration_us(value: object) -> int | None:
    if not isinstance(value, dict):
        return duration_us_of(value)
    seconds, nanoseconds = integer_of(value.get("secs")), integer_of(value.get("nanos"))
    return duration_us_of((seconds or 0) + (nanoseconds or 0) / 1e9)


_READERS: dict[str, Callable[[dict[str, Any]], Evidence]] = {
    "exec_command_end": _exec_end,
    "mcp_tool_call_end": _mcp_end,
    "patch_apply_end": _flagged_end,
    "dynamic_tool_call_response": _flagged_end,
    "CommandExecution": _exec_end,
    "McpToolCall": _mcp_end,
    "FileChange": _flagged_end,
}
