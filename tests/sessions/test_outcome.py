"""How calls of many agents are judged: tables of what tools really print."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.sessions.call_view import CallView
from oldhand.sessions.known_tools import Use
from oldhand.sessions.model import NO_EVIDENCE, OUTCOMES, Evidence, Outcome
from oldhand.sessions.outcome import judge, judge_view
from oldhand.sessions.outcome.case import Case
from oldhand.sessions.outcome.rules import RULES, rules_for
from oldhand.shell import CommandLine

OK = Evidence(is_error=False)
BAD = Evidence(is_error=True)
SAY_NO = Evidence(exit_code=1)
EXIT_0 = Evidence(exit_code=0)


@pytest.mark.parametrize(
    ("command", "result", "evidence", "outcome"),
    [
        # Claude Code: `Exit code N` at the head of what failed, a flag on every run.
        (
            "go build ./...",
            "Exit code 1\n# pkg\na.go:3:1: undefined: x",
            BAD,
            "negative",
        ),
        ("mise run lint", "Exit code 1\n[lint] ERROR task failed", BAD, "negative"),
        ("gh pr checks 7", "Exit code 1\nlint\tfail\t16s\thttps://x", BAD, "negative"),
        ("./scripts/run-tests.sh", "Exit code 1\nstep 3 differs", BAD, "negative"),
        ("bash e2e-test.sh --keep", "Exit code 1\n✗ FAIL: exit", BAD, "negative"),
        ("uv run pytest -q", "Exit code 1\n1 failed in 0.1s", BAD, "negative"),
        ("python3 -m mypy src", "Exit code 1\na.py:1: error: x", BAD, "negative"),
        ("git commit -m x", "Exit code 1\nhusky - pre-commit failed", BAD, "negative"),
        ("git rebase main", "Exit code 1\nCONFLICT (content): a.py", BAD, "negative"),
        ("npx tsc --noEmit", "Exit code 2\na.ts(1,2): error TS1", BAD, "negative"),
        ("cd nope && go test", "Exit code 1\n(eval):cd:1: no such file", BAD, "error"),
        ("go test ./nope", "Exit code 1\nstat /x: directory not found", BAD, "error"),
        ("pytest --nope", "Exit code 4\nERROR: no such option: --nope", BAD, "error"),
        (
            "golangci-lint run --x",
            "Exit code 3\nError: unknown flag: --x",
            BAD,
            "error",
        ),
        ("mypyy src", "Exit code 127\nzsh: command not found: mypyy", BAD, "error"),
        ("pytest", "Exit code 127\nbash: pytest: command not found", BAD, "error"),
        ("timeout 9 make", "Exit code 124", BAD, "error"),
        ("git show x --no-y", "Exit code 128\nfatal: unrecognized", BAD, "error"),
        ("ls nope", "Exit code 1\nls: nope: No such file", BAD, "error"),
        ("python3 run.py", "Exit code 1\nTraceback (most recent call", BAD, "error"),
        ("grep -n x a.py", "Exit code 1", BAD, "empty"),
        ("cat a | grep x", "Exit code 1", BAD, "empty"),
        ("test -f a && cat a", "Exit code 1", BAD, "empty"),
        ("which ruff", "Exit code 1\nruff not found", BAD, "ok"),
        ("diff a b", "Exit code 1\n1c1\n< x\n---\n> y", BAD, "ok"),
        ("git diff --exit-code", "Exit code 1\ndiff --git a/x b/x", BAD, "ok"),
        ("grep -n x nope.py", "Exit code 2\ngrep: nope.py: No such file", BAD, "error"),
        ("cd d && grep x f", "Exit code 1\n(eval):cd:1: no such file", BAD, "error"),
        (
            "python a.py && grep y z",
            "Exit code 1\nTraceback (most recent call last):\n  File\nKeyError: 1",
            BAD,
            "error",
        ),
        ("go test ./... | grep -c FAIL", "Exit code 1\n0", BAD, "ok"),
        ("ls", "a\nb", OK, "ok"),
        ("ls\n", "a\nShell cwd was reset to /x", OK, "ok"),
        ("gofmt -l .", "", OK, "empty"),
        ("find . -name nope", "(Bash completed with no output)", OK, "empty"),
        ("cd x && git log -Snope", "Shell cwd was reset to /x", OK, "empty"),
        ("mkdir -p a && touch a/b", "", OK, "ok"),
        ("git add -A", "", OK, "ok"),
        # Masked exits: the status is that of `tail`, the text is the checker's.
        (
            "go test ./... 2>&1 | tail -3",
            "ok  \tx\nFAIL\ty [build failed]",
            OK,
            "negative",
        ),
        ("go test ./a | head -9", "--- FAIL: TestA (0.0s)\nmore", OK, "negative"),
        ("go test 2>&1 | grep FAIL", "FAIL", OK, "negative"),
        ("go build ./... 2>&1 | head", "# x\na/b.go:9:2: undefined: y", OK, "negative"),
        ("make 2>&1 | tail -2", "make: *** [all] Error 2", OK, "negative"),
        ("pytest -q | tail -1", "2 failed, 10 passed in 1.2s", OK, "negative"),
        ("pytest -q | tail -1", "10 passed in 1.2s", OK, "ok"),
        ("npm test | tail -2", "Tests:  1 failed, 2 total", OK, "negative"),
        ("npm test | tail -2", "Tests:  12 passed, 12 total", OK, "ok"),
        ("ruff check . | tail -1", "Found 3 errors.", OK, "negative"),
        ("ruff check . | tail -1", "All checks passed!", OK, "ok"),
        ("mypy src | tail -1", "Found 10 errors in 2 files", OK, "negative"),
        ("mypy src | tail -1", "a.py:3:1: error: Missing", OK, "negative"),
        ("npx eslint . | tail -1", "0 errors, 2 warnings", OK, "ok"),
        ("cargo build 2>&1 | tail", "error[E0308]: mismatched types", OK, "negative"),
        ("git push 2>&1 | tail -1", "! [rejected] main (fetch first)", OK, "negative"),
        ("git commit -m x | tail -1", "[main a1b2] fix 3 errors", OK, "ok"),
        ("go test -v | tail", "fatal: logged by a test\nPASS\nok  \tx 0.1s", OK, "ok"),
        ("mise run lint 2>&1 | tail -2", "[lint] $ golangci\n0 issues.", OK, "ok"),
        ("mise run lint 2>&1 | tail -2", "1 issues:\n* dupl: 1", OK, "negative"),
        ("gh pr checks 1 | head", "lint\tfail\t1s\nunit\tpass\t2s", OK, "negative"),
        ("pytest > o.txt; tail -1 o.txt", "1 failed in 3s", OK, "negative"),
        ('pytest -q > o; echo "exit: $?"', "exit: 1", OK, "negative"),
        ('pytest -q > o; echo "exit: $?"', "exit: 0", OK, "ok"),
        ("make | tail -1; echo ${PIPESTATUS[0]}", "done\n2", OK, "negative"),
        ("go test ./no 2>&1 | tail", "stat /x/no: directory not found", OK, "error"),
        ("ruff --bad 2>&1 | head", "error: unexpected argument '--bad'", OK, "error"),
        ("go vet; sc ./... || true", "zsh: command not found: sc", OK, "error"),
        ("git show a:b 2>&1 | head", "fatal: path 'b' does not exist", OK, "error"),
        ("gh api x | jq -r .b", "null\ngh: Not Found (HTTP 404)", OK, "error"),
        ("cat no.txt | head", "cat: no.txt: No such file or directory", OK, "error"),
        ("x -v 2>&1 | head", "unknown shorthand flag: 'v' in -v", OK, "error"),
        ("./x 2>&1 | head", "Usage:\n  x [flags]\n\nError: no input", OK, "error"),
        ("go run . | head", "starting\nexit status 1", OK, "negative"),
        ("ls *.zip | head", "(eval):1: no matches found: *.zip", OK, "error"),
        (
            "ls *.zip 2>/dev/null | head",
            "(eval):1: no matches found: *.zip",
            OK,
            "empty",
        ),
        # Readers talk about errors; that is no sign of one.
        ("cat build.log | tail -5", "Error: boom\nFAILED tests", OK, "ok"),
        ("grep -rn 'fatal: ' src | head", "src/a.py:3: fatal: x", OK, "ok"),
        (
            "git log --oneline | head -2",
            "a1 fix failing test\nb2 error paths",
            OK,
            "ok",
        ),
        ("git show HEAD~1 | head -3", "--- FAIL: in a fixture", OK, "ok"),
        # On purpose.
        (
            'x nope 2>&1; echo "Exit code: $?"',
            "Unknown command\nExit code: 1",
            OK,
            "ok",
        ),
        ("git worktree move --help | head", "usage: git worktree move", OK, "ok"),
        ("echo '(should fail)'; x bad; x worse", "fatal: bad\nfatal: worse", OK, "ok"),
        ('ls d 2>/dev/null || echo "none"', "none", OK, "empty"),
        ("which q || echo 'q not found'", "q not found\nq not found", OK, "empty"),
        ("a --json || b --json", "unknown flag: --json\n{}", OK, "ok"),
        # Agents without a flag.
        (
            "python a.py",
            "Traceback (most recent call last):\nKeyError: 1",
            NO_EVIDENCE,
            "error",
        ),
        ("python a.py", "42", NO_EVIDENCE, "ok"),
        ("strings f | grep x", "strings: 'f': No such file", NO_EVIDENCE, "error"),
        ("cat notes.md", "Error: is a word in this note", NO_EVIDENCE, "ok"),
        ("rm -r build", "", NO_EVIDENCE, "ok"),
        ("ls empty", "", NO_EVIDENCE, "empty"),
        ("make", "x", Evidence(exit_code=2), "negative"),
        ("./deploy", "no route", Evidence(exit_code=3), "error"),
        ("grep x y", "", SAY_NO, "empty"),
        ("make", "all built", EXIT_0, "ok"),
        # A command line that cannot be parsed is judged by its text.
        ("echo 'unclosed", "bash: unexpected EOF", BAD, "error"),
        ("echo 'unclosed", "hello", OK, "ok"),
    ],
)
def test_a_command_line_is_judged_by_exit_status_and_text(
    command: str, result: str, evidence: Evidence, outcome: Outcome
) -> None:
    judgement = judge("Bash", {"command": command}, result, evidence)

    assert judgement.outcome == outcome, judgement


@pytest.mark.parametrize(
    ("tool", "result", "evidence", "outcome"),
    [
        ("Edit", "The file a.py has been updated successfully.", NO_EVIDENCE, "ok"),
        ("Edit", "<tool_use_error>String to replace not found", BAD, "error"),
        ("Edit", "<tool_use_error>File has not been read yet.", NO_EVIDENCE, "error"),
        ("Edit", "", NO_EVIDENCE, "ok"),
        ("str_replace_editor", "ERROR:\nNo replacement was performed", OK, "error"),
        ("edit", "Your proposed edit has introduced new syntax error(s).", OK, "error"),
        ("Read", "     1→Error: is what this log says", NO_EVIDENCE, "ok"),
        ("Read", "<tool_use_error>File does not exist.</tool_use_error>", BAD, "error"),
        ("read", '{"error": "a JSON file that was read"}', OK, "ok"),
        ("read_file", '{"error": "File not found: a"}', NO_EVIDENCE, "error"),
        ("read_file", '{"content": "x", "error": null}', NO_EVIDENCE, "ok"),
        ("Grep", "No matches found", NO_EVIDENCE, "empty"),
        ("Glob", "No files found", NO_EVIDENCE, "empty"),
        ("Glob", "No files found", OK, "empty"),
        ("Grep", "No matches found", OK, "empty"),
        (
            "Read",
            "<system-reminder>Warning: the file exists but is shorter than the offset",
            OK,
            "empty",
        ),
        ("Read", "     1→No results are kept here.", OK, "ok"),
        ("find_file", "Found 0 matches", NO_EVIDENCE, "empty"),
        ("Grep", "Found 12 files\na\nb", NO_EVIDENCE, "ok"),
        ("WebFetch", "Request failed with status code 404", NO_EVIDENCE, "error"),
        ("WebFetch", "# Error handling in Go\n\nErrors are values", NO_EVIDENCE, "ok"),
        ("Task", "Failed tests: none. The work is done. " * 30, NO_EVIDENCE, "ok"),
        ("TaskUpdate", "Task not found", BAD, "error"),
        (
            "LSP",
            "Error performing incomingCalls: identifier not found",
            NO_EVIDENCE,
            "error",
        ),
        # OpenAI chat: nothing but the text.
        ("book_flight", "Error: payment amount does not add up", NO_EVIDENCE, "error"),
        ("book_flight", "ValueError: no such seat", NO_EVIDENCE, "error"),
        ("book_flight", '{"reservation": "A1B2"}', NO_EVIDENCE, "ok"),
        ("search_flights", "[]", NO_EVIDENCE, "empty"),
        ("search_flights", "", NO_EVIDENCE, "empty"),
        ("search_flights", '{"results": [], "ok": true}', NO_EVIDENCE, "empty"),
        ("search_flights", '{"results": [], "total": 0}', NO_EVIDENCE, "empty"),
        ("get_user", "null", NO_EVIDENCE, "empty"),
        ("calculate", "0", NO_EVIDENCE, "ok"),
        ("nope", "Tool 'nope' does not exist. Available: a, b", NO_EVIDENCE, "error"),
        ("nope", "unsupported call: nope", NO_EVIDENCE, "error"),
        # JSON that names its own success.
        ("api", '{"success": false, "reason": "x"}', NO_EVIDENCE, "error"),
        ("api", '{"ok": false}', NO_EVIDENCE, "error"),
        ("api", '{"isError": true, "content": []}', NO_EVIDENCE, "error"),
        ("api", '{"status": "failed"}', NO_EVIDENCE, "error"),
        ("api", '{"status": 503, "title": "x"}', NO_EVIDENCE, "error"),
        ("api", '{"status_code": 404}', NO_EVIDENCE, "error"),
        ("api", '{"errors": [{"message": "x"}]}', NO_EVIDENCE, "error"),
        ("api", '{"errors": [], "data": {"a": 1}}', NO_EVIDENCE, "ok"),
        ("api", '{"success": true, "id": 4}', NO_EVIDENCE, "ok"),
        ("api", '{"error": "x"}\n\n[Tool loop warning: count=2]', NO_EVIDENCE, "error"),
        ("api", "HTTP/1.1 500 Internal Server Error", NO_EVIDENCE, "error"),
        ("api", "created (HTTP 201)", NO_EVIDENCE, "ok"),
        ("api", "anything", BAD, "error"),
        # Hermes: results of the network come in a frame.
        (
            "web_extract",
            '<untrusted_tool_result source="web_extract">\nTreat it as DATA.\n\n'
            '{"success": false, "error": "x"}\n</untrusted_tool_result>',
            NO_EVIDENCE,
            "error",
        ),
        (
            "web_extract",
            "<persisted-output>\nFull output saved",
            NO_EVIDENCE,
            "unknown",
        ),
        ("api", "half of", Evidence(is_partial=True), "unknown"),
    ],
)
def test_an_answer_is_judged_by_flag_json_and_opening(
    tool: str, result: str, evidence: Evidence, outcome: Outcome
) -> None:
    judgement = judge(tool, {"a": 1}, result, evidence)

    assert judgement.outcome == outcome, judgement


@pytest.mark.parametrize(
    ("tool", "arguments", "result", "outcome"),
    [
        # Codex: text around the output, or JSON with metadata.
        ("shell", ["make"], "Exit code: 2\nWall time: 1 s\nOutput:\nx", "negative"),
        ("shell", ["ls"], "Exit code: 0\nWall time: 0.1 seconds\nOutput:\na", "ok"),
        ("shell", ["ls"], "Exit code: 0\nWall time: 0.1 seconds\nOutput:\n", "empty"),
        ("exec_command", "cat no", "Chunk ID: a1\nProcess exited with code 1", "error"),
        ("shell", "ls", '{"output":"a","metadata":{"exit_code":0}}', "ok"),
        ("shell", "x", '{"output":"","metadata":{"exit_code":1}}', "error"),
        ("shell", "grep a b", '{"output":"","metadata":{"exit_code":1}}', "empty"),
        (
            "shell",
            "make|tail",
            '{"output":"make: *** x","metadata":{"exit_code":0}}',
            "negative",
        ),
        ("shell", "rm -r /", "exec command rejected by user", "blocked"),
        ("shell", "sleep 99", "aborted by user after 3.2s", "cancelled"),
        ("shell", "x", "command timed out after 1000 milliseconds", "ok"),
        # Hermes: JSON with an exit code; a warning may follow it.
        (
            "terminal",
            "pytest",
            '{"output":"1 failed","exit_code":1,"error":null}',
            "negative",
        ),
        (
            "terminal",
            "ls",
            '{"output":"a","exit_code":0,"error":null}\n\n[Tool loop',
            "ok",
        ),
        ("terminal", "true", '{"output":"","exit_code":0,"error":null}', "ok"),
        (
            "terminal",
            "rm -rf build",
            '{"output":"","exit_code":-1,"error":"BLOCKED: User denied","status":"blocked"}',
            "blocked",
        ),
        (
            "terminal",
            "x",
            '{"output":"","exit_code":-1,"status":"pending_approval"}',
            "blocked",
        ),
        ("terminal", "x", '{"error": "no such environment"}', "error"),
        ("terminal", "x", "[Tool execution cancelled — skipped]", "cancelled"),
        ("terminal", "x", "<persisted-output>\nThis was too large", "unknown"),
        ("execute_code", "1/0", '{"status":"error","output":"","error":"x"}', "error"),
        ("execute_code", "1", '{"status":"success","output":"1","exit_code":0}', "ok"),
        # AutoGen, Magentic-One, mini-swe-agent, OpenHands, Pi, Gemini.
        (
            "execute_code",
            "x",
            "exitcode: 1 (execution failed)\nCode output: x",
            "error",
        ),
        (
            "execute_code",
            "x",
            "exitcode: 0 (execution succeeded)\nCode output: 8",
            "ok",
        ),
        (
            "execute_code",
            "x",
            "The script ran, then exited with Unix exit code: 1\n",
            "error",
        ),
        ("execute_code", "x", "No code block detected in the messages.", "error"),
        ("python", "x", "Traceback (most recent call last):\nKeyError: 'a'", "error"),
        ("python", "x", "3", "ok"),
        (
            "bash",
            "false-ish",
            "<returncode>1</returncode>\n<output>\nx</output>",
            "error",
        ),
        ("run", "ls x", "ls: x\n[The command completed with exit code 2.]", "error"),
        ("bash", "x", "some\n\nCommand exited with code 3", "error"),
        ("bash", "grep a b", "Command exited with code 1", "empty"),
        ("run_shell_command", "x", "Command: x\nOutput: y\nExit Code: 1", "error"),
    ],
)
def test_the_wrapping_of_each_agent_comes_off(
    tool: str, arguments: str | list[str], result: str, outcome: Outcome
) -> None:
    key = "code" if tool in {"execute_code", "python"} else "command"

    judgement = judge(tool, {key: arguments}, result)

    assert judgement.outcome == outcome, judgement


@pytest.mark.parametrize(
    ("result", "evidence", "outcome", "rule"),
    [
        (None, NO_EVIDENCE, "pending", "no-result"),
        (None, Evidence(refused=True), "blocked", "refused"),
        (None, Evidence(cancelled=True), "cancelled", "cancelled"),
        (None, BAD, "error", "flag"),
        ("x", Evidence(refused=True, is_error=True), "blocked", "refused"),
        ("x", Evidence(cancelled=True, exit_code=137), "cancelled", "cancelled"),
        ("The user doesn't want to proceed with this", BAD, "blocked", "refused-text"),
        ("Permission to use X has been denied", NO_EVIDENCE, "blocked", "refused-text"),
        ("PreToolUse:Bash hook error: no", BAD, "blocked", "refused-text"),
        ("This command requires approval", BAD, "blocked", "refused-text"),
        (
            "you haven't granted it: X, but you haven't granted",
            BAD,
            "blocked",
            "refused-text",
        ),
        ("a page: The user doesn't want to proceed", OK, "ok", "flag-ok"),
        (
            "<tool_use_error>Sibling tool call errored",
            BAD,
            "cancelled",
            "cancelled-text",
        ),
        (
            "[Request interrupted by user for tool use]",
            BAD,
            "cancelled",
            "cancelled-text",
        ),
        ("half\n\nCommand aborted", BAD, "cancelled", "cancelled-text"),
    ],
)
def test_refusals_and_stops_come_before_everything(
    result: str | None, evidence: Evidence, outcome: Outcome, rule: str
) -> None:
    judgement = judge("some_tool", {}, result, evidence)

    assert (judgement.outcome, judgement.rule) == (outcome, rule)


def test_a_run_that_ended_was_not_refused_whatever_it_printed() -> None:
    result = "Exit code 254\nAccessDenied: requires approval, denied by policy"

    judgement = judge("Bash", {"command": "aws s3 ls"}, result, BAD)

    assert judgement.outcome == "error"


@pytest.mark.parametrize(
    ("tool", "result", "kind"),
    [
        ("Edit", "<tool_use_error>String to replace not found in file.", "stale_state"),
        (
            "Edit",
            "<tool_use_error>Found 2 matches of the string to replace",
            "stale_state",
        ),
        ("Edit", "<tool_use_error>File has not been read yet.", "stale_state"),
        ("Edit", "<tool_use_error>File has been modified since read", "stale_state"),
        ("apply_patch", "Failed to find expected lines in a.py", "stale_state"),
        ("Read", "<tool_use_error>File does not exist.", "stale_state"),
        ("Grep", "<tool_use_error>Path does not exist: a", "stale_state"),
        ("Read", "EISDIR: illegal operation on a directory, read", "is_a_directory"),
        ("Read", "File content (1 MB) exceeds maximum allowed size", "output_limit"),
        ("Write", "EACCES: permission denied, open '/x'", "permission"),
        ("Edit", "<tool_use_error>No changes to make: the same", "parsing"),
        ("Grep", "<tool_use_error>InputValidationError: Grep failed", "parsing"),
        ("Task", "Agent type 'x' not found. Available agents: y", "unknown_tool"),
        ("x", "Tool 'x' does not exist.", "unknown_tool"),
        ("WebFetch", "Request failed with status code 429", "limit"),
        ("WebFetch", "Request failed with status code 503", "service_unavailable"),
        ("WebFetch", "getaddrinfo ENOTFOUND x.example", "service_unavailable"),
        ("api", "Error: request timed out", "timeout"),
        ("api", "Entity not found: Issue", "not_found"),
        ("api", "Error: gift card balance is not enough", "unknown"),
        ("Bash", "Exit code 1\nls: x: No such file or directory", "file_not_found"),
        ("Bash", "Exit code 127\nbash: x: command not found", "command"),
        ("Bash", "Exit code 124", "timeout"),
        ("Bash", "Command timed out after 2m 0.0s", "timeout"),
        ("Bash", "Exit code 1\nnope", "command"),
        ("python", "UnicodeDecodeError: 'utf-8' codec can't decode", "unicode_decode"),
    ],
)
def test_an_error_has_a_kind(tool: str, result: str, kind: str) -> None:
    arguments = {"command": "x"} if tool == "Bash" else {}

    judgement = judge(tool, arguments, result, BAD)

    assert (judgement.outcome, judgement.error_kind) == ("error", kind)


def test_only_errors_have_a_kind() -> None:
    judgement = judge("Bash", {"command": "make"}, "Exit code 2\ntimeout", BAD)

    assert (judgement.outcome, judgement.error_kind) == ("negative", None)


def test_the_exit_code_of_the_record_beats_that_of_the_text() -> None:
    judgement = judge("Bash", {"command": "x"}, "Exit code 1\n", EXIT_0)

    assert judgement.outcome != "error"


def test_judging_a_view_equals_judging_the_call() -> None:
    arguments = {"command": "go test | tail"}

    by_view = judge_view(CallView("Bash", arguments), "FAIL\n", OK)

    assert by_view == judge("Bash", arguments, "FAIL\n", OK)


@pytest.mark.parametrize("use", get_args(Use))
def test_every_use_of_tools_has_rules_that_end(use: Use) -> None:
    rules = rules_for(use)

    assert rules[-1].holds.__name__ == "always"
    assert all(rule.holds.__name__ != "always" for rule in rules[:-1])


def test_every_rule_names_an_outcome_and_a_confidence() -> None:
    wrong = [
        rule.name
        for rule in RULES
        if rule.outcome not in OUTCOMES or not 0 < rule.confidence <= 1
    ]

    assert wrong == []


_TOOLS = st.sampled_from(
    [
        "Bash",
        "shell",
        "terminal",
        "Read",
        "Edit",
        "WebFetch",
        "TodoWrite",
        "python",
        "x",
    ]
) | st.text(max_size=8)
_PIECES = st.lists(
    st.sampled_from(
        [
            "Exit code 1\n",
            "Error: ",
            "FAIL\n",
            "{",
            '{"error": ',
            '"x"}',
            "\x1b[31m",
            "\n",
            "fatal: ",
            "1 failed",
            "\ud800",
            "\0",
            "Traceback (most recent call last):",
            "<persisted-output>",
            "</untrusted_tool_result>",
            "<untrusted_tool_result",
            "exit: 1",
            "[[[[",
        ]
    )
    | st.text(max_size=20),
    max_size=12,
).map("".join)
_COMMANDS = st.lists(
    st.sampled_from(
        ["go test", "grep x", " | ", " || echo none", "; ", "'", "$?", "$(", "\n", "-h"]
    )
    | st.text(max_size=6),
    max_size=8,
).map("".join)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _COMMANDS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner)
    ),
    max_leaves=6,
)
_ARGUMENTS = st.dictionaries(
    st.sampled_from(["command", "cmd", "code", "path"]) | st.text(max_size=4),
    _VALUES,
    max_size=4,
)
_EVIDENCE = st.builds(
    Evidence,
    is_error=st.none() | st.booleans(),
    exit_code=st.none() | st.integers(-1, 255),
    refused=st.booleans(),
    cancelled=st.booleans(),
    is_partial=st.booleans(),
)


@given(_TOOLS, _ARGUMENTS, st.none() | _PIECES, _EVIDENCE)
def test_any_call_gets_a_judgement(
    tool: str, arguments: Mapping[str, Any], result: str | None, evidence: Evidence
) -> None:
    judgement = judge(tool, arguments, result, evidence)

    assert judgement.outcome in OUTCOMES
    assert 0 < judgement.confidence <= 1
    assert judgement.rule in {rule.name for rule in RULES}
    assert (judgement.error_kind is not None) == (judgement.outcome == "error")


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        " ",
        "\n",
        "[",
        "{",
        '{"a":',
        "\x1b[",
        "Error",
        "1 ",
        "fatal: ",
        "_Error",
        "\\",
    ],
)
@pytest.mark.parametrize("tool", ["Bash", "execute_code", "Read", "Edit", "api"])
def test_a_result_of_a_million_characters_takes_no_time(tool: str, piece: str) -> None:
    result = piece * (1_000_000 // len(piece))
    view = CallView(tool, {"command": "go test | tail", "code": "x"})

    start = time.process_time()
    judge_view(view, result)

    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("piece", ["a", "|| echo ", "$?", "'", "should ", "-h ", "\n"])
def test_a_command_of_a_million_characters_takes_no_time(piece: str) -> None:
    command = piece * (1_000_000 // len(piece))

    start = time.process_time()
    judge("Bash", {"command": command}, "Error: x", OK)

    assert time.process_time() - start < 2.0


@pytest.mark.parametrize("tool", ["Bash", "Read", "python", "Edit", "Task", "book"])
def test_a_call_of_which_nothing_is_known_is_what_the_rules_say_of_it(
    tool: str,
) -> None:
    view = CallView(tool, {"command": "ls"})
    case = Case(view, None, NO_EVIDENCE)
    rule = next(rule for rule in rules_for(view.use) if rule.holds(case))

    pending = judge_view(view, None, NO_EVIDENCE)

    assert pending == (rule.outcome, rule.name, rule.confidence, None)


def test_what_was_found_out_of_a_command_line_is_kept_with_it() -> None:
    asked = []

    def count(line: CommandLine | None) -> int:
        asked.append(line)
        return 0 if line is None else len(line.commands)

    command = {"command": "git add a && git commit -m kept"}
    answers = [CallView("Bash", command).ask(count) for _ in range(3)]

    assert answers == [2, 2, 2]
    assert len(asked) == 1


def test_a_long_command_line_is_not_kept() -> None:
    asked = []

    def note(line: CommandLine | None) -> None:
        asked.append(line)

    for _ in range(2):
        CallView("Bash", {"command": f"echo {'x' * 1_000}"}).ask(note)

    assert len(asked) == 2
