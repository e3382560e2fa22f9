"""Matchers for what is run: as whom, from where, and what is stopped."""

from __future__ import annotations

from oldhand.lazy_pattern import LazyPattern
from oldhand.risk.options import operands
from oldhand.shell import Command, CommandLine

_PIPES = frozenset({"|", "|&"})
_PRIVILEGE = frozenset({"sudo", "doas", "pkexec"})
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"})
_DOWNLOADERS = frozenset({"curl", "wget", "fetch", "aria2c", "http", "https", "nc"})
_SUBSTITUTION = LazyPattern(r"\$\(|`|<\(")
_HIDDEN = LazyPattern(r"[$`*?\[{\s]")
_TESTS = frozenset({"[", "[["})
_EVALUATES = frozenset({"eval", "source", "."})
_SHELL_SETUP = frozenset(
    {"kubectl", "helm", "gh", "npm", "pip", "poetry", "docker"}
    | {"ssh-agent", "direnv", "brew", "pyenv", "rbenv", "nodenv", "mise", "asdf", "fnm"}
    | {"dircolors", "opam", "starship", "zoxide", "conda", "minikube", "keychain"}
)
_RELEASE = frozenset({"deploy", "publish"})
_RUN = frozenset({"run", "run-script", "r", "exec", "x"})
_PACKAGE_MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_NAME_PARTS = LazyPattern(r"[^A-Za-z0-9]+")


def is_privileged(command: Command, _line: CommandLine) -> bool:
    """Run through `sudo` or its like."""
    return bool(command.wrappers) and not _PRIVILEGE.isdisjoint(command.wrappers)


def reads_pipe(command: Command, _line: CommandLine) -> bool:
    """A shell that takes its commands from a pipe."""
    words = command.words
    return command.before in _PIPES and (
        "-s" in words or "-" in words or all(w[:1] == "-" for w in words)
    )


def reads_download(command: Command, line: CommandLine) -> bool:
    """An interpreter that takes its program from a download."""
    takes_input = all(word == "-" for word in command.words)
    return takes_input and command.before in _PIPES and _downloads(line)


def runs_download(command: Command, line: CommandLine) -> bool:
    """A shell whose script is what a download prints."""
    written = "\n".join((*command.words, *command.redirects))
    return bool(_SUBSTITUTION.search(written)) and _downloads(line)


def opens_socket(command: Command, _line: CommandLine) -> bool:
    """`/dev/tcp/…`, by which a shell is handed to another machine."""
    return any("/dev/tcp/" in r for r in command.redirects)


def is_hidden(command: Command, line: CommandLine) -> bool:
    """`$CMD`, `$(…)`, `/bin/r?`."""
    name = command.program
    if name.isalnum() or not name or not _HIDDEN.search(name):
        return False
    return name not in _TESTS and not _sets_up_shell(line)


def _sets_up_shell(line: CommandLine) -> bool:
    """Say whether all that is put into words comes from tools made to be evaluated."""
    captured = [c.program for c in line.commands if c.captured]
    evaluates = any(c.program in _EVALUATES for c in line.commands)
    return evaluates and bool(captured) and _SHELL_SETUP.issuperset(captured)


def reads_substitution(command: Command, line: CommandLine) -> bool:
    """`source <(…)`, a script that no file holds."""
    return any("<(" in word for word in command.words) and not _sets_up_shell(line)


def runs_alias(command: Command, _line: CommandLine) -> bool:
    """`git -c alias.x='!…' x`: a command line in a setting."""
    return any("=!" in word for word in command.words)


def is_fork_bomb(command: Command, line: CommandLine) -> bool:
    """A function that calls itself twice, in the background."""
    return (
        command.program == ":" and command.before in _PIPES and len(line.commands) > 1
    )


def kills_widely(command: Command, _line: CommandLine) -> bool:
    """Every process, a group, the first one, or those that another command names."""
    words = command.words
    if {"-l", "-L"} & set(words):
        return False
    after_signal = words[1:] if words[:1] and words[0][:1] == "-" else words
    if words[:1] in (("-s",), ("-n",)):
        after_signal = words[2:]
    targets = [word for word in after_signal if word != "--"]
    return not targets or any(
        word in {"0", "1", "-1"} or word[:1] == "-" or _SUBSTITUTION.search(word)
        for word in targets
    )


def is_release_task(command: Command, _line: CommandLine) -> bool:
    """`make deploy`, `npm run publish:docs`, `just release`."""
    words = operands(command)
    if words[:1] and words[0] in _RUN:
        words = words[1:]
    elif command.program in _PACKAGE_MANAGERS:
        words = words[:1]
    for word in words[:3]:
        parts = _NAME_PARTS.split(word.lower())
        if word.lower() == "release" or not _RELEASE.isdisjoint(parts):
            return True
    return False


def is_release_script(command: Command, _line: CommandLine) -> bool:
    """`./deploy.sh`, also as the operand of a shell or an interpreter."""
    name = command.program.lower()
    if name in _SHELLS and command.words:
        name = command.words[0].rpartition("/")[2].lower()
    if "deploy" not in name and "publish" not in name:
        return False
    return not _RELEASE.isdisjoint(_NAME_PARTS.split(name))


def _downloads(line: CommandLine) -> bool:
    return any(command.program in _DOWNLOADERS for command in line.commands)
