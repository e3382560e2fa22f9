"""The kind of a session: what sort of task it was, told from what it did first.

Each of the first thirty working calls speaks for one kind or for none; a kind with sixty
of a hundred voices is the session's, else it is `mixed`. Only shapes are looked at, since
these are what is stored: the tool, the program that a shell ran, the extension of the file
that was read or changed. A source file speaks for code, any other file for files. All of
it is data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Literal

from oldhand.errors import InvalidInput
from oldhand.lazy_pattern import LazyPattern
from oldhand.sessions.known_tools import Use, is_idle, use_of

Kind = Literal["code", "file", "research", "mixed"]
KINDS: tuple[Kind, ...] = ("code", "file", "research", "mixed")

FIRST_CALLS = 30
"""How many working calls are looked at, from the first."""

MAJORITY_PERCENT = 60
"""The share of them from which a kind is the session's."""

_BY_USE: dict[Use, Kind] = {
    "code": "code",
    "read": "file",
    "edit": "file",
    "web": "research",
}

_BY_TOOL: dict[str, Kind] = dict.fromkeys(
    ("apply_patch", "patch", "notebookedit", "notebookread", "lsp", "codebase_search"),
    "code",
)

_PROGRAMS: dict[Kind, str] = {
    "code": """
        git gh glab hub jj svn hg
        go gofmt goimports golangci-lint cargo rustc rustfmt make cmake ninja meson bazel
        ctest gcc g++ cc clang clang++ javac java kotlinc mvn gradle gradlew ant sbt
        dotnet msbuild swift swiftc xcodebuild zig ghc cabal stack mix elixir erl
        npm npx pnpm yarn bun deno node tsc eslint prettier biome vite webpack jest vitest
        mocha playwright cypress
        python python3 pypy ipython pip pip3 pipx uv uvx poetry pdm hatch conda pytest tox
        nox mypy ruff black flake8 pylint pyright isort coverage pre-commit
        ruby bundle gem rake rspec rubocop php composer phpunit perl lua Rscript julia
        mise just task docker podman docker-compose kubectl helm terraform ansible
        shellcheck gdb lldb strace ctags patch
    """,
    "file": """
        ls cat find cp mv rm mkdir rmdir touch ln tree head tail less more wc sort uniq cut
        tr sed awk gawk grep egrep fgrep rg ag fd diff cmp comm file stat du df chmod chown
        tar zip unzip gzip gunzip zstd xz bzip2 7z rsync scp tee xargs dd split nl jq yq
        pandoc pdftotext convert magick ffmpeg exiftool md5sum sha256sum basename dirname
        realpath readlink pwd xxd hexdump strings iconv csvcut xsv sqlite3
    """,
    "research": """
        curl wget http https lynx w3m links aria2c ddgr googler dig nslookup whois ping
        traceroute arxiv yt-dlp
    """,
}

_BY_PROGRAM: dict[str, Kind] = {
    name: kind for kind, names in _PROGRAMS.items() for name in names.split()
}

_EXTENSIONS = """
    py pyi pyx ipynb go mod rs c h cc cpp cxx hpp hh m mm java kt kts scala groovy gradle
    js jsx mjs cjs ts tsx vue svelte astro css scss sass less html htm php rb erb ex exs
    erl hs ml mli fs fsx clj cljs lisp el lua pl pm r jl swift dart zig nim v sv vhd sol
    cs vb sh bash zsh fish ps1 bat sql proto thrift graphql tf hcl nix cmake mk bazel
    dockerfile toml lock
"""
_SOURCE_EXTENSIONS = frozenset(_EXTENSIONS.split())

_EXTENSION = LazyPattern(r"\.([A-Za-z0-9]{1,10})\b")


def kind_of(calls: Iterable[tuple[str, str]]) -> Kind:
    """Tell the kind of a session from the tools and shapes of its calls.

    Args:
        calls: Of each call, in order, the name of its tool and its shape, as
            `("Bash", "Bash:git diff")` or `("Edit", "Edit(file_path:path.go)")`. Only
            the first `FIRST_CALLS` of tools that do work are taken.

    Returns:
        The kind for which `MAJORITY_PERCENT` of these calls or more speak, else `mixed`.

    Example:
        >>> kind_of([("Bash", "Bash:go test"), ("Edit", "Edit(file_path:path.go)")])
        'code'
        >>> kind_of([("WebSearch", "WebSearch(query:str)"), ("Bash", "Bash:git log")])
        'mixed'
    """
    working = islice((call for call in calls if not is_idle(call[0])), FIRST_CALLS)
    voices = Counter(_voice(tool, shape) for tool, shape in working)
    for kind, votes in voices.items():
        if kind is not None and votes * 100 >= voices.total() * MAJORITY_PERCENT:
            return kind
    return "mixed"


def is_known_program(name: str) -> bool:
    """Say whether a program is one of the many that everybody has heard of."""
    return name in _BY_PROGRAM


def check_kind(kind: str | None) -> Kind | None:
    """Return a kind.

    Raises:
        InvalidInput: It is none.
    """
    if kind is None:
        return None
    for known in KINDS:
        if kind == known:
            return known
    raise InvalidInput(f"{kind!r} is no kind; expected one of {', '.join(KINDS)}")


def _voice(tool: str, shape: str) -> Kind | None:
    """Say which kind one call speaks for; None: for none."""
    use = use_of(tool)
    if use == "shell":
        return _BY_PROGRAM.get(_program(shape))
    if use in {"read", "edit"} and _names_source(shape):
        return "code"
    return _BY_TOOL.get(tool.lower()) or _BY_USE.get(use)


def _program(shape: str) -> str:
    words = shape.partition(":")[2].split(maxsplit=1)
    return words[0] if words else ""


def _names_source(shape: str) -> bool:
    extensions = (match[1].lower() for match in _EXTENSION.finditer(shape))
    return any(extension in _SOURCE_EXTENSIONS for extension in extensions)
