"""Programs that carry others in their words: `bash -c`, `xargs`, `find -exec`, `ssh`.

A wrapper such as `sudo` or `timeout` gives its place to what it runs; a carrier keeps
its place, and what it carries follows it, one level deeper.
"""

from __future__ import annotations

from collections.abc import Callable

from oldhand.named_tuple import NamedTuple
from oldhand.shell.command import SHELLS
from oldhand.shell.programs import skip_options


class Carried(NamedTuple):
    """What a command runs besides itself.

    Attributes:
        scripts: Texts to be read as command lines.
        runs: Programs with their words.
    """

    scripts: tuple[str, ...] = ()
    runs: tuple[list[str], ...] = ()


_SHELL_VALUED = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})
_SSH_VALUED = frozenset(f"-{letter}" for letter in "bcDEeFIiJLlmOopQRSWw")
_XARGS_VALUED = frozenset(
    {"-I", "-n", "-P", "-L", "-d", "-s", "-E", "-a", "-j", "--jobs"}
    | {"--max-args", "--max-procs", "--delimiter", "--arg-file"}
)


def _script_of_shell(words: list[str]) -> Carried:
    has_script = skip = False
    for word in words:
        if skip:
            skip = False
        elif word[:1] not in {"-", "+"}:
            return Carried((word,)) if has_script else Carried()
        else:
            has_script |= word[:2] != "--" and "c" in word
            skip = word in _SHELL_VALUED
    return Carried()


def _script_after_c(words: list[str]) -> Carried:
    at = words.index("-c") if "-c" in words[:-1] else -1
    return Carried((words[at + 1],)) if at >= 0 else Carried()


def _script_of_ssh(words: list[str]) -> Carried:
    host = skip_options(words, _SSH_VALUED)
    script = " ".join(words[host + 1 :])
    return Carried((script,)) if script else Carried()


def _script_of_trap(words: list[str]) -> Carried:
    return Carried(tuple(words[:1])) if words[:1] != ["-"] else Carried()


def _run_from(words: list[str], at: int) -> Carried:
    return Carried(runs=(words[at:],)) if words[at:] else Carried()


def _run_by_xargs(words: list[str]) -> Carried:
    return _run_from(words, skip_options(words, _XARGS_VALUED))


def _run_by_find(words: list[str]) -> Carried:
    runs: list[list[str]] = []
    inside = False
    for word in words:
        if word in {"-exec", "-execdir", "-ok", "-okdir"}:
            runs.append([])
            inside = True
        elif inside and word in {";", "+"}:
            inside = False
        elif inside:
            runs[-1].append(word)
    return Carried(runs=tuple(run for run in runs if run))


def _run_by_fd(words: list[str]) -> Carried:
    markers = {"-x", "-X", "--exec", "--exec-batch"}
    at = next((at for at, word in enumerate(words) if word in markers), len(words))
    return _run_from(words, at + 1)


def _run_in_environment(words: list[str]) -> Carried:
    """Find `CMD` in `kubectl exec pod -- CMD`, or a shell in `docker exec box sh`."""
    if words[:1] not in (["exec"], ["x"], ["run"]):
        return Carried()
    if "--" in words:
        is_task = words[0] == "run"  # `mise run test -- -v`: words for the task
        return Carried() if is_task else _run_from(words, words.index("--") + 1)
    names = (word.rpartition("/")[2] for word in words)
    at = next((at for at, name in enumerate(names) if name in SHELLS), len(words))
    return _run_from(words, at)


CARRIERS: dict[str, Callable[[list[str]], Carried]] = {
    **dict.fromkeys(SHELLS, _script_of_shell),
    "eval": lambda words: Carried((" ".join(words),)),
    "trap": _script_of_trap,
    "ssh": _script_of_ssh,
    **dict.fromkeys(("su", "script", "runuser"), _script_after_c),
    **dict.fromkeys(("xargs", "parallel"), _run_by_xargs),
    "find": _run_by_find,
    **dict.fromkeys(("fd", "fdfind"), _run_by_fd),
    **dict.fromkeys(("docker", "podman", "kubectl", "oc"), _run_in_environment),
    **dict.fromkeys(("mise", "poetry", "uv", "op", "doppler"), _run_in_environment),
}
"""Programs that run others, with the function that says what, given their words."""


def carried_by(program: str, words: tuple[str, ...]) -> Carried:
    """Return what a command runs besides itself, each piece of its words once.

    Example:
        >>> carried_by("xargs", ("-0", "-n", "1", "rm", "-f")).runs
        (['rm', '-f'],)
        >>> carried_by("bash", ("-lc", "git status")).scripts
        ('git status',)
    """
    find = CARRIERS.get(program)
    return find(list(words)) if find else Carried()
