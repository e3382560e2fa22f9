"""Claude Code, as `claude -p --output-format stream-json --verbose`.

The prompt goes to its standard input: there it is never read as an option, and it may be
longer than a command line. One answer of the model comes as several events with the same
id, each with the usage so far; what a run cost in all, of all models, is in the last event.
"""

from __future__ import annotations

from oldhand.cron.runner.agents import options
from oldhand.cron.runner.agents.agent import CannotRun, Line
from oldhand.cron.runner.agents.claude_code_stream import ClaudeCodeReader
from oldhand.cron.runner.protocol import Task

_STREAM = "stream-json"
_PROVIDERS = {
    "anthropic": {},
    "bedrock": {"CLAUDE_CODE_USE_BEDROCK": "1"},
    "vertex": {"CLAUDE_CODE_USE_VERTEX": "1"},
}
_NO_LOCAL_TOOLS = ("--tools=WebSearch", "--strict-mcp-config")
"""No built-in tool but the search, which its provider does, and no MCP server."""
_OPENS_TOOLS = ("--tools", "--mcp-config", "--agents", "--plugin-dir")
_PARENT = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT")
"""By which it sees that it runs inside another one, where it refuses to start."""


def line_of(task: Task) -> Line:
    """Return how Claude Code is run.

    Raises:
        CannotRun: The command and the job want different things.
    """
    words = task.command
    if options.value_of(words, "--input-format") == _STREAM:
        raise CannotRun("its command says --input-format stream-json; a prompt is text")
    added = [] if options.has(words, "-p", "--print") else ["--print"]
    form = options.value_of(words, "--output-format")
    if form is None:
        added.append(f"--output-format={_STREAM}")
    if form in {None, _STREAM} and not options.has(words, "--verbose"):
        added.append("--verbose")
    added += options.asked(words, ("--model",), task.model)
    added += _limits(task)
    if not task.has_local_tools:
        added += _without_tools(task)
    return Line(
        options.with_options(words, added),
        ClaudeCodeReader(is_text=form == "text"),
        stdin=task.prompt,
        environment=_endpoint(task),
        without=_PARENT,
        limits=frozenset() if form in {"text", "json"} else _KEPT,
    )


_KEPT = frozenset({"turns", "tokens", "cost_usd"})


def _limits(task: Task) -> list[str]:
    """Let it keep what it can by itself: it ends in order then, and says so."""
    added = []
    if task.limits.turns is not None and not options.has(task.command, "--max-turns"):
        added.append(f"--max-turns={task.limits.turns}")
    dollars = task.limits.cost_usd
    if dollars is not None and not options.has(task.command, "--max-budget-usd"):
        added.append(f"--max-budget-usd={dollars:f}")
    return added


def _without_tools(task: Task) -> tuple[str, ...]:
    for name in _OPENS_TOOLS:
        if options.has(task.command, name):
            raise CannotRun(
                f"it is to run without local tools, and its command says {name}"
            )
    return _NO_LOCAL_TOOLS


def _endpoint(task: Task) -> dict[str, str]:
    if task.base_url:
        return {"ANTHROPIC_BASE_URL": task.base_url}
    if task.provider and task.provider not in _PROVIDERS:
        known = ", ".join(_PROVIDERS)
        raise CannotRun(
            f"Claude Code knows no provider {task.provider}; there are {known}, and any "
            "with a base_url"
        )
    return dict(_PROVIDERS.get(task.provider or "", {}))
