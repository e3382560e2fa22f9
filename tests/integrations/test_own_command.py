"""The command by which an agent finds this oldhand again."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from oldhand.errors import InvalidInput
from oldhand.integrations.own_command import own_command


def a_program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_program_is_named_by_its_whole_path_with_its_links(tmp_path: Path) -> None:
    real = a_program(tmp_path / "tools" / "it's here" / "oldhand")
    link = tmp_path / "bin" / "oldhand"
    link.parent.mkdir()
    link.symlink_to(real)

    assert shlex.split(own_command(started_as=str(link))) == [str(link)]
    assert shlex.split(own_command(started_as=str(real))) == [str(real)]


def test_without_a_program_the_interpreter_is_named_and_shuts_out_the_project() -> None:
    command = own_command(
        started_as="/x/oldhand/__main__.py", python="/py 3/bin/python"
    )

    assert shlex.split(command) == ["/py 3/bin/python", "-P", "-m", "oldhand"]


def test_a_database_is_named_so_that_it_is_found_from_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    command = own_command(started_as="", python="python", database="mine.db")

    assert shlex.split(command)[-2:] == ["--database", str(tmp_path / "mine.db")]


def test_a_password_is_not_written_into_settings() -> None:
    with pytest.raises(InvalidInput, match="holds a secret"):
        own_command(started_as="", database="postgresql://ada:Tr0ub4dor-3@db/oldhand")
