"""Commands as they are put together: words, redirects, heredocs, what a command carries."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Self

from oldhand.named_tuple import NamedTuple
from oldhand.shell.carriers import CARRIERS, carried_by
from oldhand.shell.command import SHELLS, Command
from oldhand.shell.programs import Identity, identify
from oldhand.shell.words import Unreadable, WordScanner

MAX_DEPTH = 20
_SCRIPT_FACTOR = 20


_NOBODY = Identity("", (), "", ())


class _Heredoc(NamedTuple):
    end: str  # the line that ends the body
    is_literal: bool
    cuts_tabs: bool
    readers: range = range(0)  # indices of the command that reads it and what it runs


class CommandBuilder(WordScanner):
    """Collects the commands of one text, in the order of the source.

    Attributes:
        commands: Those finished so far.
        words: Of the command under way.
        inner: Commands from substitutions in its words.
        start: Where its source begins; -1 where none is under way.
        end: Where the source of its last word or redirect ends.
        joiner: The operator before it.
        depth: Given to the commands read from now on.
        captured: Likewise.
        loses_status: As in `CommandLine`.
        script_chars: Characters of all nested scripts, counted at the root.
    """

    # Plain values stand here and not in __init__, which would be a tenth of the time.
    start = -1
    end = 0
    joiner = ""
    depth = 0
    captured = False
    loses_status = False
    script_chars = 0
    _stdin = ""
    _root: CommandBuilder | None = None  # not itself: a cycle costs as much as a parse

    def __init__(
        self, text: str, pos: int = 0, *, parent: CommandBuilder | None = None
    ) -> None:
        """Stand at `pos` in `text`, one level deeper than the parent.

        Raises:
            Unreadable: That is deeper than `MAX_DEPTH`.
        """
        super().__init__(text, pos)
        self.commands: list[Command] = []
        self.words: list[str] = []
        self.inner: list[Command] = []
        self._redirects: list[str] = []
        self._asked: list[_Heredoc] = []
        self._awaited: list[_Heredoc] = []
        if parent:
            self.deepen(parent.depth + 1)
            self._root = parent._root or parent  # noqa: SLF001 - another of our kind

    @abstractmethod
    def read(self) -> list[Command]:
        """Read to the end and return the commands."""

    @abstractmethod
    def nested(self, text: str, *, captured: bool) -> Self:
        """Make a reader of a text in this one, one level deeper."""

    def commands_of(self, script: str, *, captured: bool) -> list[Command]:
        """Read the commands of another text."""
        self._pay_for(script)
        reader = self.nested(script, captured=captured)
        commands = reader.read()
        self.loses_status |= reader.loses_status and not captured
        return commands

    def commands_in_data(self, data: str) -> list[Command]:
        """Read the substitutions in a text that is itself no command line."""
        self._pay_for(data)
        reader = self.nested(data, captured=True)
        reader.quoted("")
        return reader.inner

    def _pay_for(self, script: str) -> None:
        """Keep the time linear, since each level reads the scripts in it once more."""
        root = self._root or self
        root.script_chars += len(script)
        if root.script_chars > _SCRIPT_FACTOR * len(root.text):
            raise Unreadable

    def deepen(self, levels: int) -> None:
        """Go down, or with a negative number up, and refuse to go too deep."""
        self.depth += levels
        if self.depth > MAX_DEPTH:
            raise Unreadable

    def read_script(self, script: str) -> None:
        """Read the text between backticks."""
        self.inner += self.commands_of(script, captured=True)

    def read_data(self, data: str) -> None:
        """Read the substitutions in arithmetic."""
        if "$(" in data or "`" in data:
            self.inner += self.commands_in_data(data)

    def begin(self, start: int) -> None:
        """Mark where the source of a command begins, unless one is under way."""
        if self.start < 0:
            self.start = start

    def add_redirect(self, redirect: str) -> None:
        """Keep a redirect with its simple target, which ends here."""
        self._redirects.append(redirect)
        self.end = self.pos

    def read_redirect(self, operator: str) -> None:
        """Read the target of a redirect, where it has quotes or asks for a heredoc."""
        start = self.pos
        while self.text[self.pos : self.pos + 1] in {" ", "\t"}:
            self.pos += 1
        blanks, at = self.text[start : self.pos], self.pos
        target = self.word()
        self.add_redirect(operator + blanks + target)
        if operator.endswith("<<<"):
            self._stdin = target
        elif operator.endswith(("<<", "<<-")):
            is_literal = target != self.text[at : self.pos]
            self._asked.append(_Heredoc(target, is_literal, operator[-1] == "-"))

    def drop(self) -> None:
        """Forget the words under way, which were no command, and keep what they hold."""
        self.commands += self.inner
        self._reset()

    def finish(self) -> None:
        """Keep the command under way, if there is one."""
        if self.words:
            identity = identify(self.words)
        elif self._redirects:
            identity = _NOBODY
        else:
            return
        if identity.program or self._redirects:
            self._keep(identity)
        else:
            self.commands += self.inner
        self._reset()

    def _keep(self, identity: Identity) -> None:
        at = len(self.commands)
        command = Command(
            identity.program,
            identity.words,
            self.text[self.start : self.end],
            self.joiner if at else "",
            tuple(self._redirects),
            identity.subcommand,
            self.depth,
            identity.wrappers,
            self._stdin,
            self.captured,
        )
        self.joiner = ""
        self.commands.append(command)
        if self.inner:
            self.commands += self.inner
        if command.program in CARRIERS:
            self._keep_carried(command)
        if command.redirects:
            self._keep_input(range(at, len(self.commands)))

    def _keep_input(self, readers: range) -> None:
        self._awaited += [asked._replace(readers=readers) for asked in self._asked]
        if self._stdin and any(map(_reads_commands, self.commands[readers.start :])):
            self.commands += self.commands_of(self._stdin, captured=self.captured)

    def _keep_carried(self, command: Command) -> None:
        scripts, runs = carried_by(command.program, command.words)
        captured = self.captured or command.program == "trap"
        for script in scripts:
            self.commands += self.commands_of(script, captured=captured)
        self.deepen(1)
        for words in runs:
            self._keep_run(words, command.text)
        self.deepen(-1)

    def _keep_run(self, words: Sequence[str], text: str) -> None:
        program, rest, subcommand, wrappers = identify(words)
        command = Command(
            program,
            rest,
            text,
            "",
            (),
            subcommand,
            self.depth,
            wrappers,
            "",
            self.captured,
        )
        self.commands.append(command)
        if program in CARRIERS:
            self._keep_carried(command)

    def _reset(self) -> None:
        self.words = []
        self.start = -1
        if self.inner:
            self.inner = []
        if self._redirects:
            self._redirects = []
            self._asked = []
            self._stdin = ""

    @property
    def awaits_heredoc(self) -> bool:
        """Whether a body is still to come."""
        return bool(self._awaited or self._asked)

    def read_heredocs(self) -> None:
        """Read the bodies that begin here, in the order they were asked for."""
        bodies = [(heredoc, self._read_body(heredoc)) for heredoc in self._awaited]
        self._awaited = []
        # From the last to the first: what a body adds shifts the commands behind it.
        for heredoc, body in reversed(bodies):
            self._feed(heredoc, body)

    def _read_body(self, heredoc: _Heredoc) -> str:
        start = self.pos
        while self.pos < len(self.text):
            line_start = self.pos
            newline = self.text.find("\n", line_start)
            line_end = newline if newline >= 0 else len(self.text)
            self.pos = line_end + 1 if newline >= 0 else line_end
            line = self.text[line_start:line_end].rstrip("\r")
            if (line.lstrip("\t") if heredoc.cuts_tabs else line) == heredoc.end:
                return self.text[start:line_start]
        raise Unreadable

    def _feed(self, heredoc: _Heredoc, body: str) -> None:
        readers = self.commands[heredoc.readers.start : heredoc.readers.stop]
        added: list[Command] = []
        if not heredoc.is_literal and ("$(" in body or "`" in body):
            added += self.commands_in_data(body)
        if any(map(_reads_commands, readers)):
            added += self.commands_of(body, captured=self.captured)
        readers[0] = readers[0]._replace(stdin=body)
        self.commands[heredoc.readers.start : heredoc.readers.stop] = readers + added


def _reads_commands(command: Command) -> bool:
    """Say whether it is a shell that takes its commands from its input."""
    words = command.words
    return command.program in SHELLS and (
        "-s" in words or all(word[:1] in {"-", "+"} for word in words)
    )
