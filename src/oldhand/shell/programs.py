"""Which program a list of words runs, and with which subcommand.

What is known of programs is data. A program that is not here runs by itself and has no
subcommand; an option missing from a row costs a wrong name, never a lost command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from oldhand.named_tuple import NamedTuple


class Identity(NamedTuple):
    """Who a list of words really runs."""

    program: str
    words: tuple[str, ...]
    subcommand: str
    wrappers: tuple[str, ...]


class _Wrapper(NamedTuple):
    own: int  # words of its own before the command begins
    valued: frozenset[str]


# Each wrapper, how many words of its own come before the command, and its options whose
# value is the next word.
_WRAPPER_ROWS = """
    sudo      0  -u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir
    doas      0  -u -C
    pkexec    0  --user
    env       0  -u -C --unset --chdir
    time      0  -f -o --format --output
    timeout   1  -s -k --signal --kill-after
    gtimeout  1  -s -k --signal --kill-after
    nohup     0
    nice      0  -n --adjustment
    ionice    0  -c -n --class --classdata
    chrt      1
    taskset   1
    setsid    0
    stdbuf    0  -i -o -e --input --output --error
    unbuffer  0
    command   0
    builtin   0
    exec      0  -a
    coproc    0
    caffeinate 0 -t -w
    strace    0  -e -o -p -s -P
    ltrace    0  -e -o -p -s
    watch     0  -n --interval
    chroot    1  --userspec --groups
    flock     1  -w -E --timeout --wait
    busybox   0
    gosu      1
    su-exec   1
    faketime  1
    setpriv   0
    prlimit   0
    unshare   0
    systemd-run 0 -p -u --unit --property
    xvfb-run  0
    torsocks  0
    proxychains4 0
    rlwrap    0
    valgrind  0
"""

# Programs with subcommands, whose options before them take no value.
_BARE = """
    ansible apk asdf az brew bundle dart deno dnf dotnet flutter gem golangci-lint
    hub launchctl lerna mix mypy netlify ng nx op openssl pacman php pipenv pipx
    prisma rails rustup serverless service snap supabase swift terraform tofu turbo
    vault yum
"""

# Programs with subcommands, and their options whose value is the next word.
_VALUED_ROWS = """
    git       -C -c --git-dir --work-tree --namespace --exec-path --config-env --attr-source
    go        -C
    npm       --prefix -w --workspace -C --loglevel
    npx       -p --package
    pnpm      -C --dir -F --filter
    yarn      --cwd
    bun       --cwd
    cargo     -C --config -Z --color --manifest-path
    docker    -H --host -c --context --config -l --log-level
    podman    -c --connection --url --log-level
    kubectl   -n --namespace --context --kubeconfig --cluster -s --server --user
    oc        -n --namespace --context
    helm      -n --namespace --kube-context --kubeconfig
    gh        -R --repo
    glab      -R --repo
    pip       --python --proxy --timeout
    pip3      --python --proxy --timeout
    uv        --directory --project --config-file --cache-dir --python -p
    uvx       --from --with --python -p
    poetry    -C --directory -P --project
    pdm       -p --project
    hatch     -e --env -p --project
    conda     -n --name -p --prefix
    mamba     -n --name -p --prefix
    make      -C -f -I -j -l -o -W --directory --file --makefile
    gmake     -C -f -I -j -l -o -W --directory --file --makefile
    just      -f -d --justfile --working-directory
    task      -d -t --dir --taskfile
    mise      -C --cd -E --env
    apt       -o -c -t
    apt-get   -o -c -t
    systemctl -H --host -M --machine -t --type -p --property
    pulumi    -C --cwd -s --stack
    aws       --profile --region --output --endpoint-url --query
    gcloud    --project --account --format --region --zone
    gsutil    -o -h
    doctl     -c --context -t --access-token
    fly       -a --app -c --config
    flyctl    -a --app -c --config
    heroku    -a --app
    vercel    --cwd --scope --token -t
    wrangler  -c --config -e --env
    firebase  -P --project
    cdk       -a --app --profile
    ruff      --config
    mvn       -f -pl -s --file --settings
    gradle    -p -b -c --project-dir
    gradlew   -p -b -c --project-dir
    rake      -f
    composer  -d --working-dir
    tmux      -L -S -f
    redis-cli -h -p -a -n -u
"""

_ENDS_EXPANSION = re.compile(r"[)}`]")
_PYTHONS = ("python", "pypy")
_PYTHON_VALUED = frozenset({"-X", "-W"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+(?:\[[^\]]*+\])?+\+?=")
_PLAIN = re.compile(r"\w[\w.:@-]*")
_MAX_SUBCOMMAND_CHARS = 23


def _table(rows: str) -> dict[str, list[str]]:
    cells = (row.split() for row in rows.strip().splitlines())
    return {name: rest for name, *rest in cells}


_VALUED: dict[str, frozenset[str]] = {
    **dict.fromkeys(_BARE.split(), frozenset()),
    **{name: frozenset(rest) for name, rest in _table(_VALUED_ROWS).items()},
}
_WRAPPERS = {
    name: _Wrapper(int(rest[0]), frozenset(rest[1:]))
    for name, rest in _table(_WRAPPER_ROWS).items()
}


def identify(words: Sequence[str]) -> Identity:
    """Find the program that a non-empty list of words runs.

    Returns:
        The program is empty where there is nothing but assignments.
    """
    word = words[0]
    name = _base_name(word) if "/" in word else word
    if name in _WRAPPERS or "=" in word:
        return _unwrap(words)
    rest = tuple(words[1:])
    return Identity(name, rest, subcommand_of(name, rest), ())


def _base_name(word: str) -> str:
    """Cut the directories off, but not in the middle of `$(echo /bin/rm)`."""
    name = word.rpartition("/")[2]
    return word if not name or _ENDS_EXPANSION.search(name) else name


def _unwrap(words: Sequence[str]) -> Identity:
    at, end = 0, len(words)
    wrappers: tuple[str, ...] = ()
    while at < end:
        word = words[at]
        if "=" in word and _ASSIGNMENT.match(word):
            at += 1
            continue
        name = _base_name(word)
        after = _after_wrapper(name, words, start=at + 1)
        if after >= end:
            rest = tuple(words[at + 1 :])
            return Identity(name, rest, subcommand_of(name, rest), wrappers)
        wrappers += (name,)
        at = after
    return Identity(wrappers[-1] if wrappers else "", (), "", wrappers[:-1])


def _after_wrapper(name: str, words: Sequence[str], *, start: int) -> int:
    """Return where the command that it runs begins; the number of words if nowhere."""
    wrapper = _WRAPPERS.get(name)
    looks_up = name == "command" and words[start : start + 1] in (["-v"], ["-V"])
    if wrapper is None or looks_up:
        return len(words)
    return skip_options(words, wrapper.valued, start=start) + wrapper.own


def skip_options(
    words: Sequence[str], valued: frozenset[str], *, start: int = 0
) -> int:
    """Return the index of the first word from `start` that is no option, nor a value.

    Args:
        words: What stands behind a program.
        valued: The options whose value is the next word.
        start: The index to begin at.

    Returns:
        At least `start`; it may lie behind the last word.
    """
    at, end = start, len(words)
    while at < end and words[at][:1] == "-":
        if words[at] == "--":
            return at + 1
        at += 2 if words[at] in valued else 1
    return at


def subcommand_of(program: str, words: tuple[str, ...]) -> str:
    """Return the subcommand, of at most 23 characters and no path, or an empty text.

    Example:
        >>> subcommand_of("git", ("-C", "dir", "--no-pager", "log"))
        'log'
        >>> subcommand_of("python3", ("-m", "pytest", "-q"))
        '-m pytest'
    """
    valued = _VALUED.get(program)
    if valued is None:
        return _module_of(words) if program.startswith(_PYTHONS) else ""
    skip = False
    for word in words:
        if skip or word in valued:
            skip = not skip
        elif word[:1] not in "-+" and "=" not in word:
            return word if _is_plain(word) else ""
    return ""


def _is_plain(word: str) -> bool:
    if len(word) > _MAX_SUBCOMMAND_CHARS:
        return False
    return word.isalpha() or _PLAIN.fullmatch(word) is not None


def _module_of(words: tuple[str, ...]) -> str:
    at = next((at for at, word in enumerate(words[:-1]) if word == "-m"), 0)
    before = words[:at]
    is_option = skip_options(before, _PYTHON_VALUED) >= at and "-c" not in before
    module = words[at + 1] if words[at : at + 1] == ("-m",) and is_option else ""
    return f"-m {module}" if _is_plain(module) else ""
