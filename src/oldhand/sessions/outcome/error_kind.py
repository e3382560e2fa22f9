"""What kind of mistake a bad call was, as one table.

The names are those of Inspect's `ToolCallError`, so that evaluations can be compared, with
three of our own: `stale_state` (the agent's picture of a file or a path is out of date: by
far the most frequent mistake of coding agents), `unknown_tool` and `command` (a command
that failed for a reason none of the others names).
"""

from __future__ import annotations

from oldhand.named_tuple import NamedTuple
from oldhand.sessions.outcome.case import Case


class KindSign(NamedTuple):
    """One row: a result that holds any of the words is of this kind.

    Attributes:
        kind: The name of the kind.
        words: In small letters; looked for at the beginning and the end of the result.
        uses: For which uses of a tool the row holds, as `read edit`; "" is all.
    """

    kind: str
    words: tuple[str, ...]
    uses: str = ""


KINDS: tuple[KindSign, ...] = (
    KindSign(
        "stale_state",
        (
            "string to replace not found",
            "matches of the string to replace",
            "old_string not found",
            "did not appear verbatim",
            "could not find the exact text",
            "could not find the old",
            "could not find old",
            "could not find a match",
            "multiple occurrences",
            "not unique",
            "must be unique",
            "ensure it is unique",
            "occurrences of the text",
            "has not been read",
            "modified since",
            "has changed since",
            "failed to find expected lines",
            "failed to find context",
            "patch does not apply",
            "patch failed",
            "hunk #",
        ),
    ),
    KindSign("service_unavailable", ("posix_spawn",)),
    KindSign(
        "stale_state",
        (
            "does not exist",
            "no such file",
            "enoent",
            "file not found",
            "path not found",
            "not found in file",
        ),
        "read edit",
    ),
    KindSign(
        "unknown_tool",
        (
            "unknown tool",
            "no such tool",
            "no tool named",
            "tool not found",
            "unsupported call",
            "unknown skill",
            "unknown action",
            "agent type '",
            "unknown function",
        ),
    ),
    KindSign("unknown_tool", ("tool '",), "other idle delegate web read edit"),
    KindSign(
        "timeout",
        ("timed out", "timeout", "time out", "deadline exceeded", "time limit"),
    ),
    KindSign(
        "unicode_decode",
        (
            "unicodedecodeerror",
            "codec can't decode",
            "invalid utf-8",
            "not valid utf-8",
            "invalid start byte",
        ),
    ),
    KindSign(
        "output_limit",
        (
            "exceeds maximum allowed",
            "exceeds the maximum",
            "output too large",
            "too many tokens",
            "maximum allowed tokens",
            "response too large",
        ),
    ),
    KindSign(
        "limit",
        (
            "rate limit",
            "too many requests",
            "status code 429",
            "http 429",
            "quota",
            "no space left",
            "enospc",
            "out of memory",
            "context length",
        ),
    ),
    KindSign(
        "is_a_directory", ("is a directory", "eisdir", "illegal operation on a dir")
    ),
    KindSign(
        "permission",
        (
            "permission denied",
            "eacces",
            "eperm",
            "operation not permitted",
            "access denied",
            "read-only file system",
            "http 403",
            "status code 403",
            "forbidden",
            "sandbox",
        ),
    ),
    KindSign(
        "service_unavailable",
        (
            "service unavailable",
            "bad gateway",
            "connection refused",
            "connection reset",
            "econnrefused",
            "econnreset",
            "could not resolve host",
            "getaddrinfo",
            "network is unreachable",
            "temporarily unavailable",
            "overloaded",
            "http 50",
            "status code 50",
        ),
    ),
    KindSign(
        "parsing",
        (
            "inputvalidationerror",
            "validation error",
            "validationerror",
            "failed to parse",
            "parse error",
            "syntax error",
            "syntaxerror",
            "invalid json",
            "jsondecodeerror",
            "missing required",
            "is required",
            "required parameter",
            "invalid argument",
            "invalid parameter",
            "invalid `",
            "unexpected keyword",
            "no changes to make",
            "must be different",
            "non-uuid",
            "no code block detected",
            "indentationerror",
            "no subschema",
        ),
    ),
    KindSign(
        "file_not_found",
        (
            "no such file",
            "enoent",
            "filenotfounderror",
            "cannot access",
            "can't cd to",
            "directory not found",
            "does not exist in",
            "not in the working tree",
            "did not match any file",
            "cannot open",
        ),
    ),
    KindSign("command", ("command not found",), "shell code"),
    KindSign(
        "not_found",
        ("not found", "does not exist", "http 404", "status code 404", "no such"),
        "read edit web delegate idle other",
    ),
    KindSign("not_found", ("(http 404)", "http 404"), "shell code"),
    KindSign("command", ("",), "shell code"),
)
"""First match wins; order is part of the meaning."""

_TIMEOUT_STATUS = 124


def error_kind(case: Case) -> str:
    """Name the kind of a call that was judged an error; `unknown` where none fits."""
    if case.exit_code == _TIMEOUT_STATUS:
        return "timeout"
    use = case.view.use
    said = case.raw_head if case.raw_head == case.text else f"{case.head}\n{case.tail}"
    said = said.lower()
    for kind, words, uses in KINDS:
        if (not uses or use in uses) and any(word in said for word in words):
            return kind
    return "unknown"
