"""What calls look like without their particulars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.sessions.call_view import CallView
from oldhand.sessions.shape import MAX_CHARS, shape_of, shape_of_view


def test_a_shape_has_four_levels() -> None:
    arguments = {"command": "git diff --stat HEAD | head -5", "description": "See it"}

    shape = shape_of("Bash", arguments)

    assert shape == ("Bash", "Bash(command)", "Bash:git diff", "Bash:git diff --stat|")


@pytest.mark.parametrize(
    ("command", "shape", "flags"),
    [
        ("ls", "Bash:ls", "Bash:ls"),
        ("ls -la", "Bash:ls", "Bash:ls -la"),
        ("/usr/bin/git -C x status", "Bash:git status", "Bash:git status -C"),
        ("cd x && go test ./...", "Bash:go test", "Bash:go test&"),
        ("FOO=1 sudo make -j4", "Bash:make", "Bash:make -j"),
        (
            "go test -run TestX -v 2>&1 | tail -40",
            "Bash:go test",
            "Bash:go test -run -v|",
        ),
        ("python -m pytest -q", "Bash:python -m pytest", "Bash:python -m pytest -m -q"),
        ("echo --- && cat a", "Bash:cat", "Bash:cat&"),
        ("grep -n x a || echo none", "Bash:grep", "Bash:grep -n"),
        ("git commit -m 'a && b | c'", "Bash:git commit", "Bash:git commit -m"),
        ("git log --since=2026-01-01", "Bash:git log", "Bash:git log --since"),
        ("a -b -c -d -e -f -g -h", "Bash:a", "Bash:a -b -c -d -e -f -g"),
        ("a -z -y", "Bash:a", "Bash:a -y -z"),
        ("a -x -x", "Bash:a", "Bash:a -x"),
        ("FOO=1 git 'unclosed", "Bash:git", "Bash:git"),
        ("# why\n./run.sh 'x", "Bash:run.sh", "Bash:run.sh"),
        ("", "Bash:?", "Bash:?"),
    ],
)
def test_a_command_line_is_its_program_and_its_options(
    command: str, shape: str, flags: str
) -> None:
    found = shape_of("Bash", {"command": command})

    assert (found.shape, found.flags) == (shape, flags)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("src/a.py", "a:path.py"),
        ("/home/x/Makefile", "a:path"),
        ("**/*.GO", "a:path.go"),
        ("https://x.example/a.html?b", "a:url"),
        ("2026-01-05T10:00:00Z", "a:date"),
        ("two\nlines", "a:text"),
        ("/a path/with spaces", "a:str"),
        ("word", "a:str"),
        ("", "a:str"),
        (3, "a:num"),
        (3.5, "a:num"),
        (True, "a=true"),
        (False, "a=false"),
        (None, "a=null"),
        ([1, 2], "a:list"),
        ({"b": 1}, "a:obj"),
    ],
)
def test_a_value_is_its_class(value: object, shown: str) -> None:
    assert shape_of("x", {"a": value}).shape == f"x({shown})"


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("output_mode", "files_with_matches", "output_mode=files_with_matches"),
        ("type", "go", "type=go"),
        ("status", "in_progress", "status=in_progress"),
        ("subagent_type", "general-purpose", "subagent_type=general-purpose"),
        ("cabin", "basic_economy", "cabin=basic_economy"),
        ("status", "three words here", "status:str"),
        ("type", "a" * 25, "type:str"),
        ("type", "a1b2c3", "type:str"),
        ("name", "anna", "name:str"),
        ("file_path", "a.py", "file_path:path.py"),
        ("glob", "*.go", "glob:path.go"),
    ],
)
def test_a_key_tells_what_a_short_value_is(key: str, value: str, shown: str) -> None:
    assert shape_of("x", {key: value}).shape == f"x({shown})"


def test_an_edit_shows_its_keys_in_order_whatever_their_order() -> None:
    one = shape_of(
        "Edit", {"file_path": "a/b.go", "old_string": "x", "new_string": "y\n"}
    )
    two = shape_of(
        "Edit", {"new_string": "y\n", "old_string": "x", "file_path": "a/b.go"}
    )

    assert one == two
    assert one.shape == "Edit(file_path:path.go,new_string:text,old_string:str)"
    assert one.flags == one.shape


def test_code_is_its_first_import() -> None:
    code = "# a comment\nfrom numpy.linalg import norm\nimport pandas as pd"

    assert shape_of("execute_code", {"code": code}).shape == "execute_code:numpy"


def test_code_without_an_import_is_the_tool_alone() -> None:
    assert shape_of("execute_code", {"code": "print(1)"}).shape == "execute_code:"


def test_a_shell_without_a_command_is_known_by_its_keys() -> None:
    assert shape_of("Bash", {"keys": "y"}).shape == "Bash(keys:str)"


def test_the_shape_of_a_view_equals_that_of_the_call() -> None:
    arguments = {"command": "git status -s"}

    assert shape_of_view(CallView("Bash", arguments)) == shape_of("Bash", arguments)


@pytest.mark.parametrize(
    "template",
    [
        "mysql -p{} db",
        "mysql -u root -p{}",
        "curl -u me:{} https://x.example",
        "curl -ume:{} https://x.example",
        "curl -H 'Authorization: Bearer {}' https://x.example",
        "gh auth login --with-token={}",
        "TOKEN={} make",
        "{} run",
        "/opt/{} run",
        "tool -{}",
        "echo {} | docker login -p{}",
        "'unclosed {}",
    ],
)
def test_no_value_of_an_option_gets_into_a_shape(template: str) -> None:
    secret = "gh" + "p_" + "a1B2" * 9

    shape = shape_of("Bash", {"command": template.format(*[secret] * 2)})

    assert not any("a1B2" in level for level in shape)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
_ARGUMENTS = st.dictionaries(
    st.sampled_from(["command", "code", "path", "type"]) | st.text(),
    _VALUES,
    max_size=5,
)
_TOOLS = st.sampled_from(["Bash", "shell", "Edit", "execute_code"]) | st.text()


@given(_TOOLS, _ARGUMENTS)
def test_any_call_has_a_printable_shape_that_does_not_depend_on_order(
    tool: str, arguments: Mapping[str, Any]
) -> None:
    shape = shape_of(tool, arguments)

    backwards = dict(reversed(list(arguments.items())))
    assert shape_of(tool, backwards) == shape
    assert all(0 < len(level) <= MAX_CHARS and level.isprintable() for level in shape)


@pytest.mark.parametrize("key", ["command", "path", "x" * 300])
@pytest.mark.parametrize("piece", ["a", "/", "-a ", "'", ".", "\n", "a=b ", "#\n"])
def test_arguments_of_a_million_characters_have_a_shape(key: str, piece: str) -> None:
    value = piece * (1_000_000 // len(piece))

    shape = shape_of("Bash", {key: value})

    assert all(len(level) <= MAX_CHARS for level in shape)
