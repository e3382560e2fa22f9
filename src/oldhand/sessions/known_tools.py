"""What is known of tools by their names, over all the agents that we read: one table.

Judging asks whether a tool is a shell or a reader; shapes ask which argument is a command
line; the kind of a session counts what its tools do; mining passes over tools that do no
work. A name that is not here is a tool that acts, and nothing more is assumed of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Use = Literal[
    "shell",  # runs a command line
    "code",  # runs source text
    "read",  # shows files or their names
    "edit",  # changes files
    "web",  # asks the network
    "delegate",  # hands work to another agent
    "idle",  # does no work: plans, notes, questions, bookkeeping
    "other",
]

_NAMES: dict[Use, str] = {
    "shell": """
        bash shell terminal run run_command run_shell_command run_terminal_cmd
        shell_command local_shell execute_bash execute_command exec_command exec
        container.exec
    """,
    "code": "execute_code execute_python execute_ipython_cell python ipython run_python",
    "read": """
        read grep glob ls search open find_file search_dir search_file read_file view cat
        notebookread find list_directory list_dir list_files read_many_files search_files
        search_file_content glob_file_search file_search codebase_search view_image
    """,
    "edit": """
        edit write multiedit notebookedit apply_patch patch write_file edit_file create
        replace str_replace str_replace_editor str_replace_based_edit_tool insert
        create_file search_replace delete_file
    """,
    "web": """
        webfetch websearch web_fetch web_search web_extract fetch google_web_search
        browser_navigate browser_click browser_type browser_snapshot browser_scroll
    """,
    "delegate": "task agent delegate_task spawn_agent subagent",
    "idle": """
        todowrite todoread todo taskcreate taskupdate tasklist taskget taskoutput taskstop
        update_plan clarify memory think askuserquestion ask_user exitplanmode
        enterplanmode skill skills_list skill_view skill_manage toolsearch tool_search
        send_message send_user_message request_user_input session_search cronjob
        bashoutput killshell write_stdin final_answer finish submit
    """,
}

_USE_BY_NAME: dict[str, Use] = {
    name: use for use, names in _NAMES.items() for name in names.split()
}

# The last of each is what arguments are called that were given as free text.
_COMMAND_KEYS = ("command", "cmd", "commands", "script", "input")
_CODE_KEYS = ("code", "source", "script", "input")


def use_of(tool: str) -> Use:
    """Say what a tool is for, by its name alone; case does not matter.

    Example:
        >>> use_of("Bash"), use_of("TodoWrite"), use_of("book_flight")
        ('shell', 'idle', 'other')
    """
    return _USE_BY_NAME.get(tool.lower(), "other")


def is_idle(tool: str) -> bool:
    """Say whether a tool does no work, so that its calls are neither mined nor counted."""
    return use_of(tool) == "idle"


def command_of(tool: str, arguments: Mapping[str, Any]) -> str | None:
    """Return the command line that a shell tool was given, else None.

    A command given as a list of words, `["bash", "-lc", "ls | wc"]`, gives its script.

    Example:
        >>> command_of("Bash", {"command": "git status"})
        'git status'
        >>> command_of("shell", {"command": ["bash", "-lc", "ls | wc"]})
        'ls | wc'
    """
    if use_of(tool) != "shell":
        return None
    for key in _COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return _join(value)
    return None


def code_of(tool: str, arguments: Mapping[str, Any]) -> str | None:
    """Return the source text that a code tool was given, else None."""
    if use_of(tool) != "code":
        return None
    values = (arguments.get(key) for key in _CODE_KEYS)
    return next((value for value in values if isinstance(value, str)), None)


def _join(words: list[str]) -> str:
    if len(words) == 3 and words[0].endswith("sh") and words[1] in {"-c", "-lc"}:  # noqa: PLR2004
        return words[2]
    # 1 ms that only those pay who read such a call anew.
    import shlex  # noqa: PLC0415

    return shlex.join(words)
