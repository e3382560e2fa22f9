"""Real calls of real agents, and what a person said of some of them.

The sessions lie in `../shared/data`, beside the checkout. Each reader here takes the
shortest way from one agent's files to its calls: no messages, no branches, no usage. That
is what the importers of the package are for; a measurement of judging must not move
because an importer did.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.real_sessions import FOLDER
from oldhand.sessions.model import NO_EVIDENCE, Evidence

_SWE_AGENT_TOOLS = "open goto scroll_up scroll_down create edit search_dir search_file find_file submit"
_RAN = re.compile(r"exitcode|exit code|No code block detected")
_CODE_BLOCK = re.compile(r"```(?:python|sh|bash)?\n(.*?)```", re.DOTALL)


class RecordedCall(NamedTuple):
    """One call with its result, as an agent's own record has it.

    `call_id` is the agent's own, or the place among the session's calls, from 0.
    """

    session: str
    call_id: str
    tool: str
    arguments: dict[str, Any]
    result: str | None
    evidence: Evidence = NO_EVIDENCE


class LabelledCall(NamedTuple):
    """One call with the outcome that a person gave it.

    `stratum` is what it was drawn from, and `stratum_size` how many calls that held; ""
    and 1 where unknown.
    """

    source: str
    label: str
    stratum: str
    stratum_size: int
    call: RecordedCall


def labelled_calls(data: Path = FOLDER) -> list[LabelledCall]:
    """Return every labelled call that is found; order as in the file of labels."""
    found = {
        (source, call.session, call.call_id): call
        for source, read in _READERS.items()
        for call in read(data)
    }
    labelled = []
    for line in (data / "outcome_labels.jsonl").read_text().splitlines():
        row = json.loads(line)
        call_id = str(row["call_id"] if "call_id" in row else row["index"])
        call = found.get((row["source"], row["session"], call_id))
        if call is None or call.tool != row["tool"]:
            raise LookupError(f"no call {call_id} of {row['session']} in {data}")
        stratum = " ".join(row.get("stratum", ()))
        size = row.get("stratum_size", 1)
        labelled.append(LabelledCall(row["source"], row["label"], stratum, size, call))
    return labelled


def claude_code_calls(data: Path = FOLDER) -> Iterator[RecordedCall]:
    """Yield every call of the Claude Code sessions once, the oldest file name first."""
    seen: set[str] = set()
    for path in sorted((data / "claude_code").glob("*/*.jsonl")):
        for call in _claude_code_file(path):
            if call.call_id not in seen:
                seen.add(call.call_id)
                yield call


def _claude_code_file(path: Path) -> Iterator[RecordedCall]:
    calls: dict[str, RecordedCall] = {}
    for line in _json_lines(path):
        content = (line.get("message") or {}).get("content")
        for block in content if isinstance(content, list) else ():
            if block.get("type") == "tool_use":
                calls.setdefault(
                    block["id"],
                    RecordedCall(
                        path.stem, block["id"], block["name"], block["input"], None
                    ),
                )
            elif block.get("type") == "tool_result" and block["tool_use_id"] in calls:
                call = calls[block["tool_use_id"]]
                calls[call.call_id] = call._replace(
                    result=_text(block.get("content")),
                    evidence=_claude_code_evidence(line, block),
                )
    yield from calls.values()


def _claude_code_evidence(line: dict[str, Any], block: dict[str, Any]) -> Evidence:
    more = line.get("toolUseResult")
    return Evidence(
        is_error=block.get("is_error"),
        refused="toolDenialKind" in line,
        cancelled=isinstance(more, dict) and bool(more.get("interrupted")),
    )


def _openhands_calls(data: Path) -> Iterator[RecordedCall]:
    for run in _json_lines(data / "openhands_multi_swe.jsonl"):
        session = f"oh-{run['instance_id']}"
        actions = {entry["id"]: entry for entry in run["history"] if "action" in entry}
        seen = 0
        for entry in run["history"]:
            action = actions.get(entry.get("cause"))
            if action is None or action["action"] not in {"run", "edit", "read"}:
                continue
            metadata = (entry.get("extras") or {}).get("metadata") or {}
            yield RecordedCall(
                session,
                str(seen),
                action["action"],
                action["args"],
                entry.get("content"),
                Evidence(exit_code=metadata.get("exit_code")),
            )
            seen += 1


def _pi_calls(data: Path) -> Iterator[RecordedCall]:
    for path in sorted((data / "pi_sessions").glob("*.jsonl")):
        messages = [line["message"] for line in _json_lines(path) if "message" in line]
        results = {
            message["toolCallId"]: message
            for message in messages
            if message.get("role") == "toolResult"
        }
        blocks = [
            block
            for message in messages
            if message.get("role") == "assistant"
            for block in message["content"]
            if block["type"] == "toolCall" and block["id"] in results
        ]
        for index, block in enumerate(blocks):
            result = results[block["id"]]
            yield RecordedCall(
                path.name,
                str(index),
                block["name"],
                block["arguments"],
                _text(result.get("content")),
                Evidence(is_error=result.get("isError")),
            )


def _swe_agent_calls(data: Path) -> Iterator[RecordedCall]:
    for path in sorted((data / "swe_agent_traj").glob("*.json")):
        steps = json.loads(path.read_text()).get("trajectory", ())
        session = f"swea-{path.name.removesuffix('.json')}"
        for index, step in enumerate(steps):
            word = (step["action"].split() or [""])[0]
            tool = word if word in _SWE_AGENT_TOOLS.split() else "bash"
            arguments = {"command": step["action"]}
            yield RecordedCall(
                session, str(index), tool, arguments, step["observation"]
            )


def _who_and_when_calls(data: Path) -> Iterator[RecordedCall]:
    for run in _json_lines(data / "who_and_when.jsonl"):
        code, seen = "", 0
        for entry in run["history"]:
            who = entry.get("name") or entry["role"]
            if who not in {"Computer_terminal", "ComputerTerminal"}:
                code = "\n".join(_CODE_BLOCK.findall(entry["content"])) or code
                continue
            if not _RAN.search(entry["content"]):
                continue
            session = f"ww-{run['file']}"
            arguments = {"code": code}
            yield RecordedCall(
                session, str(seen), "execute_code", arguments, entry["content"]
            )
            seen += 1


_READERS = {
    "claude-code": claude_code_calls,
    "openhands": _openhands_calls,
    "pimono": _pi_calls,
    "sweagent": _swe_agent_calls,
    "whowhen": _who_and_when_calls,
}


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _text(content: object) -> str | None:
    if isinstance(content, list):
        return "\n".join(block.get("text", "") for block in content)
    return content if isinstance(content, str) else None
