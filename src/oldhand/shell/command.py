"""What a command line is once it is read: its simple commands, in the order written."""

from __future__ import annotations

import re
from itertools import pairwise

from oldhand.named_tuple import NamedTuple

_PREPARING = """
    cd pushd popd set shopt export declare local readonly alias source . unset umask
    trap true : ulimit exit return break continue wait shift
"""
PREPARES = frozenset(_PREPARING.split())
"""Programs that make ready for the work and do none of it."""

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "eval"})
"""Programs whose words or input are themselves command lines."""

_SPEAKS = frozenset({"echo", "printf", "sleep"})

_PIPES = frozenset({"|", "|&"})
_SEQUENCES = frozenset({";", "\n"})

_FLAG = re.compile(r"-[A-Za-z](?=\d+\Z)|--?[A-Za-z][\w.-]*+")
_NUMBER = re.compile(r"-\d+")


class Command(NamedTuple):
    """One simple command: a program with its words.

    Attributes:
        program: Base name of what really runs, with assignments and wrappers removed:
            `git` for `A=1 sudo -u x timeout 5 /usr/bin/git -C . status`. Empty where a
            redirect stands alone, as after a group.
        words: The words after the program, quotes removed, nothing expanded.
        text: The source of this command, without the bodies of its heredocs.
        before: The operator that joins it to the command before: `&&`, `||`, `;`, `|`,
            `|&`, `&`, a newline, or empty where there is none.
        redirects: As written, with quotes removed: `2>&1`, `> out.txt`, `<<EOF`.
        subcommand: `diff` of `git diff`, `-m pytest` of `python -m pytest`, for
            programs known to have subcommands; else empty.
        depth: 0 at the top, one more in each subshell, group, substitution, script
            given to a shell, and for what `xargs` or `find -exec` runs.
        wrappers: Programs that run this one, outermost first: `sudo`, `timeout`.
        stdin: The text of its heredoc or `<<<`, else empty.
        captured: Stands in a substitution or a trap, so that its exit status is not
            that of the line, unless it is all there is, as in `A=$(git log)`.
    """

    program: str
    words: tuple[str, ...]
    text: str
    before: str
    redirects: tuple[str, ...]
    subcommand: str
    depth: int
    wrappers: tuple[str, ...] = ()
    stdin: str = ""
    captured: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """The option words up to `--`, without their values; a number gives `-N`.

        Example:
            >>> from oldhand.shell import parse
            >>> parse("log -50 -n5 --since=monday -la -- -x").commands[0].flags
            ('-N', '-n', '--since', '-la')
        """
        found = []
        for word in self.words:
            if word == "--":
                break
            if _NUMBER.fullmatch(word):
                found.append("-N")
            elif flag := _FLAG.match(word):
                found.append(flag[0])
        return tuple(found)


class CommandLine(NamedTuple):
    """A whole command line.

    Attributes:
        commands: Every simple command in the order of the source, those inside a
            substitution or a script after the command that holds them.
        loses_status: The line throws an exit status away without an operator between
            two commands: a loop, a `!`, a last `&`.
    """

    commands: tuple[Command, ...]
    loses_status: bool = False

    @property
    def first(self) -> Command | None:
        """The first command that does work, or None.

        What only prepares is passed over (`cd`, `export`). What stands in a
        substitution, or is a shell that is given its script, comes after all others;
        what only speaks or waits (`echo`, `printf`, `sleep`) after that.

        Example:
            >>> from oldhand.shell import parse
            >>> parse("cd x && echo --- && FOO=1 go test ./...").first.subcommand
            'test'
        """
        best: Command | None = None
        best_rank = _NEVER
        for at, command in enumerate(self.commands):
            rank = self._rank(at, command)
            if rank < best_rank:
                best, best_rank = command, rank
                if rank == 0:
                    break
        return best

    @property
    def last(self) -> Command | None:
        """The command whose exit status is the status of the line, or None.

        Example:
            >>> from oldhand.shell import parse
            >>> parse("go test ./... 2>&1 | tail -5").last.program
            'tail'
        """
        named = [command for command in self.commands if command.program]
        shown = (command for command in reversed(named) if not command.captured)
        return next(shown, named[-1] if named else None)

    @property
    def masks_exit(self) -> bool:
        """Whether a working command can fail and the line still exit with 0.

        So it is where one is piped on without `pipefail`, or followed by `;`, a
        newline (both without `set -e`), `||` or `&`, and where a loop, a `!` or a
        last `&` throws the status away.

        Example:
            >>> from oldhand.shell import parse
            >>> parse("cd x && make 2>/dev/null").masks_exit
            False
            >>> parse("make | tail -5").masks_exit
            True
        """
        shown = [c for c in self.commands if c.program and not c.captured]
        hiding = {"||", "&", *_PIPES, *_SEQUENCES}
        for command in shown:
            if command.program == "set":
                hiding -= _relaxed_by(command.words)
        return self.loses_status or any(
            after.before in hiding
            and command.program not in PREPARES
            and command.program not in _SPEAKS
            for command, after in pairwise(shown)
        )

    def _rank(self, at: int, command: Command) -> int:
        if not command.program or command.program in PREPARES:
            return _NEVER
        if command.program in _SPEAKS:
            return 2
        if command.captured:
            return 1
        following = self.commands[at + 1 : at + 2]
        carries = any(c.depth > command.depth and not c.captured for c in following)
        return 1 if carries and command.program in SHELLS else 0


_NEVER = 3


def _relaxed_by(words: tuple[str, ...]) -> frozenset[str]:
    relaxed: frozenset[str] = frozenset()
    for word in words:
        if word == "pipefail":
            relaxed |= _PIPES
        elif word == "errexit" or (word[:1] == "-" and "e" in word):
            relaxed |= _SEQUENCES
    return relaxed
