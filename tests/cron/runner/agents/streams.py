"""What agents print, in the shapes that they document; made by hand."""

from __future__ import annotations

import json
from typing import Any

SESSION = "5b1c2d3e-0000-4000-8000-000000000007"


def lines(*events: object) -> str:
    """Write events as a stream has them."""
    return "".join(json.dumps(event) + "\n" for event in events)


def usage(gone_in: int, out: int, *, read: int = 0, write: int = 0) -> dict[str, int]:
    """Return the usage of one answer."""
    return {
        "input_tokens": gone_in, "output_tokens": out,
        "cache_read_input_tokens": read, "cache_creation_input_tokens": write,
    }  # fmt: skip


def answer(
    uid: str, *blocks: dict[str, Any], used: dict[str, int], **said: Any
) -> dict[str, Any]:
    """Return an event with an answer of the model, or a block of one."""
    message = {
        "id": uid, "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": list(blocks), "stop_reason": None, "usage": used,
    }  # fmt: skip
    return {
        "type": "assistant", "message": message, "parent_tool_use_id": None,
        "session_id": SESSION, "uuid": f"u-{uid}",
    } | said  # fmt: skip


def text(said: str) -> dict[str, Any]:
    """Return a block of words."""
    return {"type": "text", "text": said}


CLAUDE_INIT = {
    "type": "system", "subtype": "init", "cwd": "/w", "session_id": SESSION,
    "tools": ["Bash", "Read"], "mcp_servers": [], "model": "claude-sonnet-4-5",
    "permissionMode": "default", "uuid": "u-0",
}  # fmt: skip
CLAUDE_CALL = {
    "type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "git status"}
}  # fmt: skip
CLAUDE_RESULT_OF_CALL = {
    "type": "user", "session_id": SESSION, "parent_tool_use_id": None,
    "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t1", "content": "nothing to commit"}]},
}  # fmt: skip
CLAUDE_END = {
    "type": "result", "subtype": "success", "is_error": False, "duration_ms": 4100,
    "duration_api_ms": 4000, "num_turns": 2, "result": "All is clean.",
    "stop_reason": "end_turn", "session_id": SESSION, "total_cost_usd": 0.0421,
    "usage": usage(12, 60, read=9_000, write=300),
    "modelUsage": {
        "claude-sonnet-4-5": {"inputTokens": 12, "outputTokens": 60,
            "cacheReadInputTokens": 9_000, "cacheCreationInputTokens": 300,
            "costUSD": 0.042, "contextWindow": 200_000},
        "claude-haiku-4-5": {"inputTokens": 100, "outputTokens": 5,
            "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0, "costUSD": 0.0001},
    },
    "permission_denials": [], "uuid": "u-9",
}  # fmt: skip
CLAUDE = [
    CLAUDE_INIT,
    answer("m1", text("I look."), used=usage(4, 1, read=4_000, write=300)),
    answer("m1", CLAUDE_CALL, used=usage(4, 20, read=4_000, write=300)),
    CLAUDE_RESULT_OF_CALL,
    answer("m2", text("All is clean."), used=usage(8, 40, read=5_000)),
    CLAUDE_END,
]

CODEX = [
    {"type": "thread.started", "thread_id": SESSION},
    {"type": "turn.started"},
    {"type": "item.started", "item": {"id": "item_0", "type": "command_execution",
        "command": "bash -lc 'git status'", "aggregated_output": "", "exit_code": None,
        "status": "in_progress"}},
    {"type": "item.completed", "item": {"id": "item_0", "type": "command_execution",
        "command": "bash -lc 'git status'", "aggregated_output": "nothing to commit\n",
        "exit_code": 0, "status": "completed"}},
    {"type": "item.completed",
        "item": {"id": "item_1", "type": "agent_message", "text": "All is clean."}},
    {"type": "turn.completed", "usage": {
        "input_tokens": 9_012, "cached_input_tokens": 9_000, "output_tokens": 60}},
]  # fmt: skip

HERMES_REPORT = {
    "estimated_cost_usd": 0.0421, "cost_status": "estimated", "input_tokens": 12,
    "output_tokens": 60, "cache_read_tokens": 9_000, "cache_write_tokens": 300,
    "reasoning_tokens": 10, "total_tokens": 9_372, "api_calls": 2, "model": "qwen3-coder",
    "provider": "openrouter", "session_id": "20261121_090000_ab12cd",
    "completed": True, "failed": False,
}  # fmt: skip
