"""What a session is made of, as every importer and the recorder hand it over.

One `Session` holds `Message`s in order; an assistant's message holds the `ToolCall`s it
made; a message of role `tool` answers one of them and carries the `Evidence` that the
agent's own record gives about how it went. Nothing here is judged yet: `outcome` does
that, as the record is written.
"""

from __future__ import annotations

from typing import Any, Literal, Self

from oldhand.named_tuple import NamedTuple

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
    later: str | None = None


class OnRecord(NamedTuple):
    """What another database of ours knew of a session, and no agent's record says."""

    task: str | None
    updated_at_us: int
    is_redacted: bool
    """Secrets were taken out on the way."""


class _Values:
    """What has values by name, and is compared, copied and printed by them.

    No dataclass: the module takes 8 ms on import and the four here 4, which was an eighth
    of the time to a recorder's first message.
    """

    def __eq__(self, other: object) -> bool:
        """Say whether the other is of the same kind and has the same values."""
        return type(other) is type(self) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]  # values change

    def __repr__(self) -> str:
        """Write it as it is made."""
        values = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({values})"

    def but(self, **changes: Any) -> Self:  # noqa: ANN401 - of each value's own type
        """Return a copy in which some values are others."""
        return type(self)(**(vars(self) | changes))


class ToolCall(_Values):
    """One call as the agent wrote it.

    Attributes:
        call_id: As the agent named it; an importer makes one where there is none.
        tool: The tool's name.
        arguments: The raw text of the arguments, JSON in nearly all agents.
        verdict: How it was judged before; None where that is still to be done.
    """

    def __init__(
        self, call_id: str, tool: str, arguments: str, verdict: Verdict | None = None
    ) -> None:
        self.call_id = call_id
        self.tool = tool
        self.arguments = arguments
        self.verdict = verdict


class Usage(_Values):
    """Tokens of one answer of a model; None is unknown and never means 0.

    `input_tokens` counts what was not read from a cache, as Anthropic counts it.
    """

    def __init__(
        self,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cache_read_tokens: int | None = None,
        cache_write_tokens: int | None = None,
    ) -> None:
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens
        self.cache_read_tokens = cache_read_tokens
        self.cache_write_tokens = cache_write_tokens


class Message(_Values):
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

    def __init__(  # noqa: PLR0913 - all by name
        self,
        *,
        role: Role,
        content: str = "",
        type: MessageType = "turn",  # noqa: A002 - the word for it
        active: bool = True,
        at_us: int | None = None,
        native_id: str | None = None,
        model: str | None = None,
        usage: Usage | None = None,
        cost_usd: float | None = None,
        calls: list[ToolCall] | None = None,
        call_id: str | None = None,
        evidence: Evidence = NO_EVIDENCE,
        dropped_chars: int | None = None,
    ) -> None:
        self.role = role
        self.content = content
        self.type = type
        self.active = active
        self.at_us = at_us
        self.native_id = native_id
        self.model = model
        self.usage = usage
        self.cost_usd = cost_usd
        self.calls = [] if calls is None else calls
        self.call_id = call_id
        self.evidence = evidence
        self.dropped_chars = dropped_chars


class Session(_Values):
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

    def __init__(  # noqa: PLR0913 - all by name
        self,
        *,
        uid: str,
        source: str,
        agent: str | None = None,
        model: str | None = None,
        model_config: str | None = None,
        principal: str | None = None,
        project: str | None = None,
        cwd: str | None = None,
        git_branch: str | None = None,
        parent: str | None = None,
        relation: Relation | None = None,
        title: str | None = None,
        started_at_us: int | None = None,
        ended_at_us: int | None = None,
        end_reason: str | None = None,
        usage: Usage | None = None,
        cost_usd: float | None = None,
        revision: str | None = None,
        root_native_id: str | None = None,
        on_record: OnRecord | None = None,
        messages: list[Message] | None = None,
    ) -> None:
        self.uid = uid
        self.source = source
        self.agent = agent
        self.model = model
        self.model_config = model_config
        self.principal = principal
        self.project = project
        self.cwd = cwd
        self.git_branch = git_branch
        self.parent = parent
        self.relation = relation
        self.title = title
        self.started_at_us = started_at_us
        self.ended_at_us = ended_at_us
        self.end_reason = end_reason
        self.usage = usage
        self.cost_usd = cost_usd
        self.revision = revision
        self.root_native_id = root_native_id
        self.on_record = on_record
        self.messages = [] if messages is None else messages
