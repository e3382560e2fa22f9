"""What tools say when they refuse, stop, find nothing, or fail: the words, as data.

Each tuple or pattern is one family of signs, gathered from what agents and programs print.
A pattern is run over at most 1,900 characters, or over one line, and has no nested
repetition, so that its time is linear.
"""

from __future__ import annotations

import re

from oldhand.lazy_pattern import LazyPattern

REFUSALS = (
    "The user doesn't want to proceed",
    "The user doesn't want to take this action",
    "Permission to use ",
    "requires approval",
    "but you haven't granted",
    "rejected by user",
    "rejected by the user",
    "denied by user",
    "denied by the user",
    "User rejected",
    "User denied",
    "user declined",
    "Tool use was rejected",
    "BLOCKED:",
    "blocked by hook",
    "blocked by policy",
    "blocked by a hook",
    "PreToolUse",
    "hook blocking error",
    "operation blocked by",
    "not permitted by policy",
    "not allowed by policy",
    "denied by policy",
)

CANCELLATIONS = (
    "[Request interrupted by user",
    "Sibling tool call errored",
    "[Tool execution cancelled",
    "aborted by user",
    "cancelled by user",
    "canceled by user",
    "cancelled by the user",
    "Operation cancelled",
    "Operation canceled",
    "Operation aborted",
    "Command was aborted",
    "Command aborted",
    "Tool call was cancelled",
)

NOTHING = (
    "no files found",
    "no files matched",
    "no matches",
    "no match ",
    "no results",
    "no output",
    "no issues found",
    "no items",
    "no content",
    "no entries",
    "no symbols",
    "no references",
    "no definition",
    "no data",
    "no diagnostics",
    "no tasks",
    "nothing found",
    "found 0 ",
    "0 matches",
    "0 results",
    "(no ",
    "(bash completed with no output)",
    "your command ran successfully and did not produce",
    "<system-reminder>warning: the file exists but",  # and is empty, or ends before
)
NOTHING_EXACT = frozenset({"[]", "{}", "null", "none", "()", "no match", '""', "''"})

OPENS_WITH_ERROR = LazyPattern(
    r"""<tool_use_error>
    | (?:[a-z]+\ )?err(?:or)?\s*(?::|$)
    | error\s(?:performing|executing|calling|running|reading|writing|fetching|loading
        |parsing|invoking|while|during|occurred|in\ tool|from|code|\d)
    | \w*(?:Error|Exception)\b\s*[:(\n]
    | traceback\ \(most\ recent | fatal: | panic:
    | fail(?:ed|ure)\b[^.\n]{0,20}?(?:\sto\b|:|$)
    | can(?:not|\ not|'t)\s | could(?:\ not|n't)\s | unable\ to\s
    | invalid\ (?:arg|param|input|json|request|tool|path|option|value|`)
    | unknown\ (?:tool|action|command|flag|option|function|skill|agent|shorthand)
    | unsupported\ call
    | no\ (?:such|tool\ named|replacement\ was\ performed|code\ block\ detected)\b
    | permission\ denied | access\ denied | timed?\ ?out\b | request\ (?:failed|timed)
    | enoent | eisdir | eacces | eperm | api\ error | mcp\ error | http\ error
    | (?:http|status)(?:\ code)?:?\ [45]\d\d\b
    | file\ (?:does\ not\ exist|not\ found|has\ not\ been\ read|has\ been\ modified)
    | path\ (?:does\ not\ exist|not\ found)
    | (?:old_?string|old_str|string\ to\ replace|search\ text|oldtext)\b[^\n]{0,40}?not\ found
    | tool\ '[^'\n]{1,100}'\ does\ not\ exist
    | (?:task|entity|agent|resource|session|item|record)\ not\ found
    | argument\ validation\ | received\ non-
    | your\ (?:proposed\ edit|command|tool\ call)\ (?:has|could|cannot|was)
    | execution\ error | sandbox\ error | command\ not\ found
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How a result begins that is no result; matched at its start."""

HTTP_FAILURE = LazyPattern(
    r"(?:\bHTTP(?:/\d(?:\.\d)?)?|\b[Ss]tatus(?:[ _]?[Cc]ode)?)[\"': =]{1,4}[45]\d\d\b"
)

SHELL_COMPLAINT = LazyPattern(
    r"""(?:/(?:usr/)?bin/)?(?:zsh|bash|sh|dash|ksh|fish)(?:\[\d+\])?:\ (?!\$)
    | \(eval\):\w* | -?bash:
    | \S{1,80}\.sh:\ line\ \d+:
    | command_not_found_handler:
    | \S{0,80}:\ command\ not\ found
    | command\ not\ found:
    """,
    re.VERBOSE,
)
"""A line in which the shell itself complains."""

USAGE_COMPLAINT = LazyPattern(
    r"""(?:error:\s)?(?:invalid\ usage:\s)?
      (?:unknown|unrecognized|unrecognised|invalid|illegal|no\ such|unexpected)
      \ (?:shorthand\ flag|flag|option|command|subcommand|argument|task|linter)s?\b
    | failed\ to\ parse\ jq
    | mise\ ERROR\ no\ tasks
    | (?:error|fatal):\ (?:unknown|unrecognized|unexpected|invalid)[ ]
    | error:\ can't\ load\ config
    | \S{1,40}:\ (?:illegal|invalid|unknown|unrecognized)\ (?:option|flag|command)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A line in which a program says that it was called wrongly."""

PROGRAM_FAILURE = LazyPattern(
    r"""Traceback\ \(most\ recent | panic:\ | fatal:\ | [Ee]rror:\ | ERROR:\ | ERROR[ ]
    | exit\ status\ [1-9] | Segmentation\ fault | Killed$ | failed\ to\ \w
    | \w*(?:Error|Exception):\ | npm\ (?:ERR!|error)
    | Error\ (?:performing|response|connecting)
    """,
    re.VERBOSE,
)
"""A line in which a program that acts says that it did not succeed."""

TROUBLE = (
    "o such file",
    "ot found",
    "enied",
    "rror",
    "annot ",
    "an't ",
    "nvalid",
    "llegal",
    "nknown",
    "nrecogni",
    "s a directory",
    "ot a ",
    "ailed",
    "HTTP 4",
    "HTTP 5",
    "issing",
    "nable to",
    "refused",
    "imed out",
    "o matches",
)
"""What stands behind `program: ` when the program complains."""

OPENING_VERDICT = "FAIL"
VERDICTS = ("--- FAIL", f"\n{OPENING_VERDICT}", "FAILED", "error TS")
"""What test runners and compilers write wherever they find something; looked for in all
of the output, for a pipe into `head` cuts the end off."""

NEGATIVE_MARKS = (
    "FAIL\t",
    "ERROR task failed",
    "[build failed]",
    "[setup failed]",
    "error[E",
    "npm ERR!",
    "npm error",
    "make: ***",
    "make[1]: ***",
    "CONFLICT (",
    "! [rejected]",
    "hook declined",
    "Test Suites: 1 failed",
    "BUILD FAILURE",
    "Found 1 error",
    "mise ERROR",
    "error: failed to push",
    "error: could not",
    "\tfail\t",
    "could not compile",
    "CMake Error",
    "compilation terminated",
)
"""What only checkers say, and only when they find something."""

NEGATIVE_COUNT = LazyPattern(
    r"""(?<![\d.])[1-9]\d{0,8}\ (?:issues?:
    | (?:failed|failing|failures?|errored)(?=\ *(?:$|[,|;.)]|in\b|tests?\b|passed)))
    """,
    re.MULTILINE | re.VERBOSE,
)
"""How test runners and linters count what they found."""

ERROR_COUNT = LazyPattern(r"(?<![\d.])[1-9]\d{0,8} (?:errors?|problems?)\b")
"""The same, in words that a test which passes may log as well."""

NEGATIVE_LINE = LazyPattern(
    r"""\n(?:panic:\ | fatal:\ | E\ \ \  | Error:\ | (?:fatal\ )?error:[ ]
    | exit\ status\ [1-9] | would\ reformat\ | \ {0,8}[✗✖][ ]
    | [^\s:()]{1,200}(?::\d{1,7}:\d{1,7}:\ |:\d{1,7}:\ error:|\(\d{1,7},\d{1,7}\):\ error))
    """,
    re.VERBOSE,
)
"""How checkers place and list what they found: a line that begins so."""

PASS_MARKS = ("\nPASS\n", "\nok  \t", " passed")
PASS_COUNT = LazyPattern(r"(?<!\d)0 (?:errors|issues|failed|failures|problems)")
"""How checkers say that all is well."""

COUNTED = (" fail", " issue", " errored")
COUNTED_ERRORS = (" error", " problem")
"""What a count of findings holds, so that the patterns need not be tried without."""

EXPECTS_FAILURE = LazyPattern(
    r"""\b(?:should|expected?\ to|must|will)\ (?:fail|error|be\ rejected)\b
    | \bexpect(?:s|ed|ing)?\ (?:a\ |an\ )?(?:failures?|errors?)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A command line that wants to see a failure."""

NONZERO_AT_END = LazyPattern(r"(?<!\d)[1-9]\d{0,2}\W{0,3}$")
"""A line that ends with a number that an exit status may be, other than 0."""

ASKS = LazyPattern(r"\$\?|PIPESTATUS|--help\b|\s-h(?=\s*(?:$|[|;&2]))", re.MULTILINE)
"""A command line that prints an exit status, or asks for the help."""

FALLBACK = LazyPattern(r"""\|\|\s*echo\s+(?:-\w+\s+)?["']?([^"'\n;|&]{1,200})""")
"""What a command line prints where its first part fails."""

MISUSE = (
    "cannot find main module",
    "no Go files",
    "outside main module",
    "directory not found",
    "no tasks defined",
    "Missing script",
    "missing script",
    "No rule to make target",
    "can't load config",
    "file or directory not found",
    "no such option",
    "the following arguments are required",
    "error: unrecognized arguments",
)
"""What a checker says when it was called wrongly: no finding, but a mistake."""
