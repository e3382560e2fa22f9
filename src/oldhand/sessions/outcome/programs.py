"""What is known of command-line programs: who checks, who only reads, who says nothing.

Each table is text, one program a line with those of its subcommands that count, or
programs alone. A name that is in none of them is a program that acts, and nothing more is
assumed of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from oldhand.named_tuple import NamedTuple
from oldhand.shell import Command, CommandLine

_CHECKERS = """
    pytest py.test tox nox unittest mypy pyright pyre ruff flake8 pylint black isort bandit
    lint-imports pre-commit coverage
    golangci-lint staticcheck gofmt goimports gotestsum ginkgo
    tsc tsgo eslint biome prettier jest vitest mocha playwright cypress ava tap webpack
    vite rollup esbuild turbo nx ng
    make gmake cmake ctest ninja meson bazel gradle gradlew mvn mvnw ant sbt just
    gcc g++ cc c++ clang clang++ rustc javac kotlinc ghc tcc
    rspec rubocop rake phpunit phpstan psalm swiftlint swiftc xcodebuild mix credo
    shellcheck hadolint yamllint markdownlint actionlint tflint vale codespell
"""
_CHECKING = """
    go        test build vet run install generate tool
    mise      run r
    npm       test t run run-script ci
    pnpm      test t run build lint typecheck check
    yarn      test run build lint typecheck check
    bun       test run build
    deno      test lint check fmt task
    cargo     test build check clippy fmt run nextest bench doc
    dotnet    test build format publish
    swift     test build
    terraform validate plan fmt
    helm      lint template
    docker    build buildx
    gh        checks watch
    git       fsck rebase merge cherry-pick push commit pull am apply revert stash
"""
_RUNNERS = """
    npx bunx uvx pipx uv poetry pipenv hatch pdm bundle python python3 pnpm yarn
"""
_SCRIPT_RUNNERS = "bash sh zsh node python python3 ruby"
_READERS = """
    cat bat less more head tail grep egrep fgrep zgrep rg ag ack sed awk gawk nl wc sort uniq
    cut tr paste column tac rev fold fmt ls exa eza tree find fd fdfind stat file du df
    strings xxd od hexdump jq yq xmllint diff cmp comm echo printf pwd cd true false test [
    [[ which type command whereis pgrep ps lsof basename dirname realpath readlink date
    whoami hostname uname env printenv read xargs tee seq sleep zcat xzcat md5sum
    sha256sum shasum export set
"""
_READING = """
    git       log diff show blame grep cat-file ls-tree ls-files ls-remote status branch tag reflog rev-parse rev-list describe shortlog remote config show-ref merge-base name-rev for-each-ref check-ignore check-ref-format worktree
    gh        pr issue run api repo release search workflow
    go        doc list env version
    docker    ps logs images inspect
    kubectl   get describe logs
"""
_BENIGN = """
    grep egrep fgrep zgrep rg ag ack diff cmp comm test [ [[ which type command hash whereis
    pgrep pidof pkill killall lsof fd fdfind expr false
"""
_BENIGN_ASKING = """
    git       diff grep merge-base check-ignore show-ref config diff-index ls-files
"""
_SILENT = """
    rm rmdir mkdir mv cp ln touch chmod chown kill pkill killall cd export set unset source .
    sleep true install tee tar unzip gunzip gzip pushd popd alias ulimit umask truncate
    rsync wait trap
"""
_SILENT_ACTING = """
    git       add rm mv restore reset config init tag checkout switch
"""

_SCRIPT_SIGNS = ("test", "check", "lint", "verify", "spec")
_SCRIPT_ENDINGS = (".sh", ".py", ".js", ".ts", ".rb", ".mjs", ".bash")
_NO_SUBCOMMANDS: frozenset[str] = frozenset()


class _Group(NamedTuple):
    programs: frozenset[str]
    subcommands: Mapping[str, frozenset[str]]

    def holds(self, command: Command) -> bool:
        program = command.program
        if program in self.programs:
            return True
        wanted = self.subcommands.get(program, _NO_SUBCOMMANDS)
        return bool(wanted) and not wanted.isdisjoint(
            (command.subcommand, *command.words[:2])
        )


def _group(programs: str, subcommands: str) -> _Group:
    rows = (row.split() for row in subcommands.strip().splitlines())
    return _Group(
        frozenset(programs.split()), {name: frozenset(rest) for name, *rest in rows}
    )


_CHECK = _group(_CHECKERS, _CHECKING)
_READ = _group(_READERS, _READING)
_SAY_NO = _group(_BENIGN, _BENIGN_ASKING)
_KEEP_SILENT = _group(_SILENT, _SILENT_ACTING)
_RUN_ANOTHER = frozenset(_RUNNERS.split())
_RUN_SCRIPTS = frozenset(_SCRIPT_RUNNERS.split())


class Programs(NamedTuple):
    """What a command line's programs are, taken together.

    Attributes:
        checkers: Those whose failure is a finding.
        only_reads: None of them does anything but show what there is.
        is_silent: None of them prints when it succeeds.
        names: The programs' names.
    """

    checkers: frozenset[str]
    only_reads: bool
    is_silent: bool
    names: frozenset[str]


def survey(line: CommandLine) -> Programs:
    """Say what a command line's programs are, taken together."""
    commands = [command for command in line.commands if command.program]
    return Programs(
        frozenset(command.program for command in commands if is_checker(command)),
        all(map(_READ.holds, commands)),
        all(map(_KEEP_SILENT.holds, commands)),
        frozenset(command.program for command in commands),
    )


def is_checker(command: Command) -> bool:
    """Say whether a failure of this command is a finding and no mistake of the caller.

    Scripts are known by their names.

    Example:
        >>> from oldhand.shell import parse
        >>> [is_checker(command) for command in parse("go test; go env; ./test.sh").commands]
        [True, False, True]
    """
    if _CHECK.holds(command):
        return True
    program, words = command.program, command.words[:3]
    if program in _RUN_ANOTHER and not _CHECK.programs.isdisjoint(words):
        return True
    scripts = (program, *words) if program in _RUN_SCRIPTS else (program,)
    return any(
        script.endswith(_SCRIPT_ENDINGS)
        and any(sign in script for sign in _SCRIPT_SIGNS)
        for script in scripts
    )


def is_benign(command: Command) -> bool:
    """Say whether exit status 1 of this command only says no, as of `grep` and `diff`."""
    return _SAY_NO.holds(command)
