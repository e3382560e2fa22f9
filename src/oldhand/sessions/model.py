"""What a session is made of, as every importer and the recorder hand it over.

One `Session` holds `Message`s in order; an assistant's message holds the `ToolCall`s it
made; a message of role `tool` answers one of them and carries the `Evidence` that the
agent's own record gives about how it went. Nothing here is judged yet: `outcome` does
that, as the record is written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Role = Literal["system", "user", "assistant", "tool"]
MessageType = Literal["turn", "summary", "injected", "sidechain", "meta"]
Outcome = Literal[
    "ok", "empty", "negative", "error", "blocked", "cancelled", "pending", "unknown"
]
Relation = Literal["fork", "resume", "subagent", "compression"]

ROLES: tuple[Role, ...] = ("system", "user", "assistant", "tool")
MESSAGE_TYPES: tuple[MessageType, ...] = (
    "turn",
    "summary",
    "injected",
    "sidechain",
    "meta",
)
OUTCOMES: tuple[Outcome, ...] = (
    "ok",
    "empty",
    "negative",
    "error",
    "blocked",
    "cancelled",
    "pending",
    "unknown",
)


class Evidence(NamedTuple):
    """What the agent's own record says about one finished call; None: it does not say."""

    is_error: bool | None = None
    """The agent's success flag, turned round."""
    exit_code: int | None = None
    """Of the process that ran, where the record names it."""
    refused: bool = False
    """A person or a policy did not let it run."""
    cancelled: bool = False
    """It was stopped, or never started because a sibling failed."""
    is_partial: bool = False
    """The stored text is only a preview: what follows it is unknown."""
    duration_us: int | None = None
    """How long it ran, in microseconds."""


NO_EVIDENCE = Evidence()


class Verdict(NamedTuple):
    """How a call was judged in the database that it was exported from."""

    outcome: Outcome
    rule: str
    confidence: float
    error_kind: str | None
    result_chars: int | None


class OnRecord(NamedTuple):
    """What another database of ours knew of a session, and no agent's record says."""

    task: str | None
    updated_at_us: int
    is_redacted: bool
    """Secrets were taken out on the way."""


@dataclass(slots=True)
class ToolCall:
    """One call as the agent wrote it.

    Attributes:
        call_id: As the agent named it; an importer makes one where there is none.
        tool: The tool's name.
        arguments: The raw text of the arguments, JSON in nearly all agents.
        verdict: How it was judged before; None where that is still to be done.
    """

    call_id: str
    tool: str
    arguments: str
    verdict: Verdict | None = None


@dataclass(slots=True)
class Usage:
    """Tokens of one answer of a model; None is unknown and never means 0.

    `input_tokens` counts what was not read from a cache, as Anthropic counts it.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None


@dataclass(slots=True, kw_only=True)
class Message:
    """One entry of a session.

    Attributes:
        role: Who speaks.
        content: The text; of role `tool`, the result.
        type: `turn` is what was said; the others are summaries, text put in by the
            agent's program, a subagent's side conversation, and bookkeeping.
        active: False where the user rewound behind it. It stays on record.
        at_us: Microseconds since 1970-01-01 UTC; None where unknown.
        native_id: The agent's own id of the entry, by which a second import finds it.
        model: Which model said it.
        usage: What the answer cost in tokens.
        cost_usd: What it cost in US dollars; None is unknown and never means 0.
        calls: Of role `assistant`: the calls it made, in order.
        call_id: Of role `tool`: the call that it answers.
        evidence: Of role `tool`: what the agent's record says about the call.
        dropped_chars: How long the text was, where it was pruned.
    """

    role: Role
    content: str = ""
    type: MessageType = "turn"
    active: bool = True
    at_us: int | None = None
    native_id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    calls: list[ToolCall] = field(default_factory=list)
    call_id: str | None = None
    evidence: Evidence = NO_EVIDENCE
    dropped_chars: int | None = None


@dataclass(slots=True, kw_only=True)
class Session:
    """One conversation of an agent, whole.

    Attributes:
        uid: Unique over all sources; the agent's own id where that is unique.
        source: Which importer or recorder it came from, as `claude-code`.
        agent: The program and its version, as `claude-code 2.1.7`.
        model: The model that answered last.
        model_config: How that model was set, as JSON text: temperature, tools, and so on.
        principal: Whose session it is.
        project: The root of the git checkout it worked in, else its directory.
        cwd: The directory it was started in.
        git_branch: The branch at its start.
        parent: The uid of the session it came from, imported or not.
        relation: How it came from there.
        title: The agent's own title for it.
        started_at_us: Microseconds since 1970-01-01 UTC.
        ended_at_us: The same; None while it may go on.
        end_reason: In the agent's own words. It says nothing about success.
        usage: Totals, where the agent keeps them for the session and not by message.
        cost_usd: The same of US dollars; None is unknown and never means 0.
        revision: Any text that changes when the source's copy does; lets a reader of a
            database pass over what has not changed.
        root_native_id: Of the first message of the copy that this session began with,
            where that message is not among its own.
        on_record: What an export of ours says beyond what an agent does.
        messages: In the order in which they came.
    """

    uid: str
    source: str
    agent: str | None = None
    model: str | None = None
    model_config: str | None = None
    principal: str | None = None
    project: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    parent: str | None = None
    relation: Relation | None = None
    title: str | None = None
    started_at_us: int | None = None
    ended_at_us: int | None = None
    end_reason: str | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    revision: str | None = None
    root_native_id: str | None = None
    on_record: OnRecord | None = None
    messages: list[Message] = field(default_factory=list)
