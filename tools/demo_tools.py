"""The tools of the scripted agent: each really does what it says, in one folder.

They are like the tools of everyday agents, with the rules that such agents trip over: a
file must be read before it is changed, a replaced text must occur once, a folder is not
made by the way. Commands see a small, fixed set of programs and nothing of the
environment of whoever runs the generator, so that a run elsewhere gives the same.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

HOME = "/home/demo"
"""What the temporary folder is called in the sessions."""

_PROGRAMS = """
    bash sh git curl grep ls find sed wc head tail cat sort uniq cut awk mkdir mv rm touch
    tr tar gzip diff xargs basename
"""
_PARAMETERS: dict[str, tuple[set[str], set[str]]] = {
    "bash": ({"command"}, set()),
    "read_file": ({"path"}, {"offset", "limit"}),
    "write_file": ({"path", "content"}, set()),
    "edit_file": ({"path", "old_string", "new_string"}, set()),
    "search": ({"pattern", "path"}, set()),
    "list_directory": ({"path"}, set()),
    "todo": ({"items"}, set()),
}
_TIMEOUT_SECONDS = 30


class Result(NamedTuple):
    """What a call gave: the text, and for `bash` the exit code."""

    content: str
    exit_code: int | None = None

    @property
    def failed(self) -> bool:
        """Whether the tool itself says that it failed."""
        return bool(self.exit_code) or self.content.startswith("Error: ")


class Refusal(Exception):
    """A call that a tool turns down; the message is the result."""


def install_programs(folder: Path) -> None:
    """Link the programs that commands may use into `folder`; the only PATH they get.

    Raises:
        SystemExit: One of them is not on this machine.
    """
    folder.mkdir()
    (folder / "python3").symlink_to(Path(sys.executable).resolve())
    for name in _PROGRAMS.split():
        found = shutil.which(name)
        if found is None:
            raise SystemExit(f"the demo sessions need the program {name!r}")
        (folder / name).symlink_to(found)


class Tools:
    """The tools of one session.

    Args:
        root: The temporary folder that stands for the demo user's home.
        folder: The project in it.
        environment: All that commands see.
    """

    def __init__(
        self, root: Path, folder: Path, *, environment: Mapping[str, str]
    ) -> None:
        self._root = root
        self._folder = folder
        self._environment = environment
        self._read: set[Path] = set()

    def run(self, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Run one call and return what it gave; a refusal is a result too."""
        try:
            _check_arguments(tool, arguments)
            if tool == "bash":
                return self._bash(arguments["command"])
            return Result(getattr(self, f"_{tool}")(**arguments))
        except Refusal as refusal:
            return Result(f"Error: {refusal}")

    def _bash(self, command: str) -> Result:
        done = subprocess.run(  # noqa: S603 - running the scenario's commands is its task
            [f"{self._environment['PATH']}/bash", "-c", self._real(command), "bash"],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
        output = done.stdout.decode(errors="replace").rstrip("\n")
        return Result(output or "(no output)", done.returncode)

    def _read_file(self, path: str, offset: int = 1, limit: int | None = None) -> str:
        lines = self._existing(path).read_text().splitlines()
        self._read.add(self._path(path))
        if not lines:
            return "(empty file)"
        if offset > len(lines):
            raise Refusal(f"offset {offset} is beyond the end: {len(lines)} lines")
        wanted = lines[offset - 1 :][:limit]
        return "\n".join(f"{n:>4}  {line}" for n, line in enumerate(wanted, offset))

    def _write_file(self, path: str, content: str) -> str:
        target = self._path(path)
        if not target.parent.is_dir():
            raise Refusal(f"no such folder: {Path(path).parent}")
        if target.exists() and target not in self._read:
            raise Refusal(f"{path} exists and has not been read; read it first")
        target.write_text(content)
        self._read.add(target)
        return f"Wrote {len(content.splitlines())} lines to {path}"

    def _edit_file(self, path: str, old_string: str, new_string: str) -> str:
        target = self._existing(path)
        if target not in self._read:
            raise Refusal(f"{path} has not been read; read it before you edit it")
        before = target.read_text()
        count = before.count(old_string)
        if count == 0:
            raise Refusal(f"old_string was not found in {path}")
        if count > 1:
            raise Refusal(
                f"old_string occurs {count} times in {path}; give more of its surroundings"
            )
        target.write_text(before.replace(old_string, new_string))
        return f"Edited {path}: 1 replacement"

    def _search(self, pattern: str, path: str) -> str:
        try:
            wanted = re.compile(pattern)
        except re.error as error:
            raise Refusal(f"invalid pattern {pattern!r}: {error}") from error
        start = self._path(path)
        if not start.exists():
            raise Refusal(f"no such file or folder: {path}")
        files = sorted(start.rglob("*")) if start.is_dir() else [start]
        hits = [hit for file in files for hit in self._hits(wanted, file)]
        return "\n".join(hits) or f"No matches for {pattern!r} in {path}"

    def _hits(self, wanted: re.Pattern[str], file: Path) -> list[str]:
        name = file.relative_to(self._folder)
        if not file.is_file() or ".git" in name.parts:
            return []
        lines = file.read_text(errors="replace").splitlines()
        found = ((n, line) for n, line in enumerate(lines, 1) if wanted.search(line))
        return [f"{name}:{n}: {line.strip()}" for n, line in found]

    def _list_directory(self, path: str) -> str:
        folder = self._path(path)
        if not folder.is_dir():
            raise Refusal(f"no such folder: {path}")
        entries = sorted(folder.iterdir())
        names = (
            f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries
        )
        return "\n".join(names) or "(empty folder)"

    def _todo(self, items: list[dict[str, str]]) -> str:
        done = sum(item["state"] == "done" for item in items)
        return f"{done} of {len(items)} done"

    def _existing(self, path: str) -> Path:
        target = self._path(path)
        if not target.is_file():
            raise Refusal(f"no such file: {path}")
        return target

    def _path(self, path: str) -> Path:
        return (self._folder / self._real(path)).resolve()

    def _real(self, words: str) -> str:
        return words.replace(HOME, str(self._root))


def _check_arguments(tool: str, arguments: Mapping[str, Any]) -> None:
    needed, optional = _PARAMETERS[tool]
    for name in sorted(needed - arguments.keys()):
        raise Refusal(f"{tool} needs the argument {name!r}; it got {[*arguments]}")
    for name in sorted(arguments.keys() - needed - optional):
        raise Refusal(f"{tool} takes no argument {name!r}")
