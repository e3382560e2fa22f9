"""Matchers for what is read and sent: secrets, tables, messages, the cloud."""

from __future__ import annotations

import re

from oldhand.lazy_pattern import LazyPattern
from oldhand.risk import paths
from oldhand.risk.options import operands
from oldhand.shell import Command, CommandLine

_SENSITIVE_NAME = (
    r"\w*(?:SECRET|TOKEN|PASSW|API_?KEY|PRIVATE_KEY|CREDENTIAL|ACCESS_KEY)\w*"
)
_SECRET_NAME = LazyPattern(_SENSITIVE_NAME, re.IGNORECASE)
_SECRET_VARIABLE = LazyPattern(
    rf"\$(?:{_SENSITIVE_NAME}|\{{{_SENSITIVE_NAME}(?!:?\+)[^#\w])", re.I
)
_DESTROYS = LazyPattern(
    r"\b(?:drop\s++(?:table|database|schema|index|view|user|role|column|collection)"
    r"|truncate\s++\w|dropDatabase|deleteMany\s*+\(\s*+\{\s*+\})",
    re.IGNORECASE,
)
_WHOLE_TABLE = LazyPattern(
    r"\b(?:delete\s++from|update\s++\S++\s++set)\b([^;]*+)", re.IGNORECASE
)
_WHERE = LazyPattern(r"\bwhere\b", re.IGNORECASE)
_CODE_DELETES = LazyPattern(
    r"\b(?:shutil\.rmtree|os\.removedirs|rmSync|rmdirSync|fs\.rm|rm_rf|remove_tree"
    r"|FileUtils\.rm_r)\b"
)
_STARTS_PROGRAM = LazyPattern(
    r"\b(?:system|popen|Popen|check_\w+|execSync|exec|run|call)\b"
)
_DELETES_TREE = LazyPattern(r"\brm\s++-|[\"']rm[\"'],")
_SPEAKERS = frozenset({"echo", "printf", "cat"})
_CLOUD = LazyPattern(
    r"(?:delete|terminate|remove|deregister|revoke|purge|stop|reboot)-[\w-]+|rb|rm"
)
_MESSAGE_HOSTS = LazyPattern(
    r"hooks\.slack\.com|slack\.com/api/chat|discord(?:app)?\.com/api|api\.telegram\.org"
    r"|api\.twilio\.com|api\.sendgrid\.com|api\.mailgun\.net"
)


_READERS = """
    cat bat less more head tail tac nl strings xxd hexdump od base64 base32 openssl gpg
    grep rg egrep awk sed cut sort uniq diff cp mv scp sftp rsync curl wget nc tar zip
    7z python python3 node ruby perl jq yq tee source . dd pbcopy xclip install ln less
"""
_READS = frozenset(_READERS.split())
_FIELDS = ("-f", "-F", "--field", "--raw-field", "--input")
_KEY_OPTIONS = frozenset({"-i", "-e", "-key", "--key", "--cert", "--cacert"})


def reads_secret_file(command: Command, _line: CommandLine) -> bool:
    """Shows, copies or sends a file of keys or tokens."""
    if command.program not in _READS and not command.redirects:
        return False
    written = "\n".join((*command.words, *command.redirects))
    if not paths.SECRET_HINT.search(written):
        return False
    sources = [r.rpartition("<")[2].strip() for r in command.redirects if "<" in r]
    if any(map(paths.is_secret, sources)):
        return True
    if command.program not in _READS:
        return False
    uses_key = command.program in {"scp", "sftp", "rsync", "curl", "openssl"}
    pairs = zip(("", *command.words), command.words, strict=False)
    return any(
        paths.is_secret(word)
        for before, word in pairs
        if not (uses_key and before in _KEY_OPTIONS)
    )


def prints_secret(command: Command, _line: CommandLine) -> bool:
    """`echo $API_KEY`."""
    return "$" in command.text and any(map(_SECRET_VARIABLE.search, command.words))


def prints_environment(command: Command, _line: CommandLine) -> bool:
    """`env` and `printenv` alone print every secret; `printenv NAME` one."""
    names = operands(command)
    return not names or any(map(_SECRET_NAME.fullmatch, names))


def destroys_data(command: Command, line: CommandLine) -> bool:
    """SQL that drops, empties or changes all, in words, input or an echo before it."""
    texts = [*command.words, command.stdin]
    for other in line.commands:
        if other.program in _SPEAKERS:
            texts += [*other.words, other.stdin]
    return any(map(is_destructive_sql, texts))


def is_destructive_sql(text: str) -> bool:
    """Say whether SQL drops or empties something, or changes all rows of a table.

    Example:
        >>> is_destructive_sql("DELETE FROM t"), is_destructive_sql("delete from t where x")
        (True, False)
    """
    if _DESTROYS.search(text):
        return True
    return any(not _WHERE.search(rest) for rest in _WHOLE_TABLE.findall(text))


def deletes_in_code(command: Command, _line: CommandLine) -> bool:
    """A program text in the command line that removes a tree."""
    return is_deleting_code("\n".join((*command.words, command.stdin)))


def is_deleting_code(text: str) -> bool:
    """Say whether a program text removes a tree, or has a shell do it."""
    if _CODE_DELETES.search(text):
        return True
    return bool(_DELETES_TREE.search(text) and _STARTS_PROGRAM.search(text))


def deletes_in_cloud(command: Command, _line: CommandLine) -> bool:
    """`aws ec2 terminate-instances`, `aws s3 rb`, `aws s3 sync --delete`."""
    return "--delete" in command.words or any(
        _CLOUD.fullmatch(word) for word in operands(command)[1:4]
    )


def deletes_by_api(command: Command, _line: CommandLine) -> bool:
    """`gh api -X DELETE`."""
    return _method(command) == "DELETE"


def changes_by_api(command: Command, _line: CommandLine) -> bool:
    """`gh api` with a method that changes, or with fields, which make it a POST."""
    words = command.words
    if "graphql" in words[:3]:
        return any("mutation" in word for word in words)
    method = _method(command)
    if method:
        return method not in {"GET", "HEAD"}
    return any(word.startswith(_FIELDS) for word in words)


def _method(command: Command) -> str:
    words = command.words
    for word, after in zip(words, (*words[1:], ""), strict=True):
        if word in {"-X", "--method"}:
            return after.upper()
        if word.startswith(("-X", "--method=")):
            return word.removeprefix("-X").removeprefix("--method=").lstrip("=").upper()
    return ""


def posts_message(command: Command, _line: CommandLine) -> bool:
    """A request to the address where a messenger takes messages."""
    return any(map(_MESSAGE_HOSTS.search, command.words))
