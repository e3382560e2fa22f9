"""What a path that stands in a command line means for the risk of touching it."""

from __future__ import annotations

import posixpath
import re

from oldhand.lazy_pattern import LazyPattern

_TEMPORARY = LazyPattern(
    r"(?:(?:/private)?(?:/var)?/tmp|(?:/private)?/var/folders/[^/]+/[^/]+/T"
    r"|\$\{?TMPDIR\}?)/\.?\w(?!.*[${`])",
    re.DOTALL,
)
_UNKNOWN = LazyPattern(r"[*?\[{`$]")
_HOME = r"(?:~[\w-]*|\$HOME|\$\{HOME\}|/root|/(?:home|Users)/[^/]+)"
_ROOTS = LazyPattern(rf"/|/\w+|\.{{1,2}}|(?:\.\./)*\.\.|{_HOME}(?:/\.[^/]*)?|\.git")
_SYSTEM = LazyPattern(
    r"/(?:bin|boot|dev|efi|etc|lib\w*|opt|proc|root|sbin|srv|sys|usr|var"
    r"|System|Library|Applications)(?:/|\Z)"
)
_HARMLESS_DEVICES = LazyPattern(
    r"/dev/(?:null|zero|full|stdin|stdout|stderr|tty|fd/\d+|(?:tcp|udp)/.*)"
)
_START_FILES = LazyPattern(
    rf"{_HOME}/\.(?:ssh(?:/|\Z)|(?:bash|zsh)(?:rc|env|_profile|_login|_logout)|profile"
    r"|config/(?:fish|systemd|autostart)/|gitconfig|npmrc|pypirc)"
)
_USER_PLACES = LazyPattern(r"/(?:usr/local|opt|var/(?:tmp|folders)|srv)(?:/|\Z)")
_SECRET = LazyPattern(
    r"""
      (?:^|[/@=])\.ssh/(?!config\b|known_hosts|authorized_keys)\w
    | (?:^|[/@=])id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?\Z
    | \.aws/credentials | \.netrc\b | \.pgpass\b | \.git-credentials\b | \.vault-token\b
    | /etc/(?:shadow|gshadow|sudoers) | \.gnupg/ | \.kube/config\b
    | \.docker/config\.json | ~/\.(?:npmrc|pypirc) | \.config/(?:gh/hosts\.yml|gcloud/)
    | \.pem\Z | \.p12\Z | \.pfx\Z | \.keystore\Z | /proc/[\w$]+/environ
    | (?:^|[/@=])\.env(?:\.(?!example|sample|template|dist|test)\w+)?\Z
    """,
    re.VERBOSE,
)
SECRET_HINT = LazyPattern(
    r"\.(?:ssh/|aws/|netrc|pgpass|git-cred|vault-|gnupg|kube/|docker/|npmrc|pypirc|config/g"
    r"|pem|p12|pfx|keystore|env)|/environ|id_[rde]|/etc/(?:g?shadow|sudoers)"
)
"""Found in every text that names a secret file, and cheap to look for."""


def plain(path: str) -> str:
    """Write a path without `//`, `/./` and `x/..`, so that it can be compared."""
    return (
        "/" + posixpath.normpath(path).lstrip("/")
        if path[:1] == "/"
        else (posixpath.normpath(path) if path else "")
    )


def is_temporary(path: str) -> bool:
    """Say whether a path lies below a directory for temporary files, with a name.

    Example:
        >>> is_temporary("/tmp/build/x"), is_temporary("/tmp/*"), is_temporary("/tmp/../x")
        (True, False, False)
    """
    return _TEMPORARY.match(plain(path)) is not None


def is_wide(path: str) -> bool:
    """Say whether a path may stand for many files, or for one nobody should delete.

    Example:
        >>> is_wide("build/output.o"), is_wide("*.o"), is_wide("~"), is_wide("/etc/fstab")
        (False, True, True, True)
    """
    target = plain(path)
    if is_temporary(target):
        return False
    return bool(_UNKNOWN.search(path) or _ROOTS.fullmatch(target) or is_system(target))


def is_system(path: str) -> bool:
    """Say whether a path belongs to the machine, or is read by every later shell."""
    target = plain(path)
    if _START_FILES.match(target):
        return True
    in_system = _SYSTEM.match(target) and not _USER_PLACES.match(target)
    return bool(in_system) and not _HARMLESS_DEVICES.fullmatch(target)


def is_device(path: str) -> bool:
    """Say whether a path is a device that holds data."""
    target = plain(path)
    return target.startswith("/dev/") and not _HARMLESS_DEVICES.fullmatch(target)


def is_secret(path: str) -> bool:
    """Say whether a path names a file with keys, passwords or tokens.

    Example:
        >>> is_secret("~/.ssh/id_ed25519"), is_secret("~/.ssh/id_ed25519.pub")
        (True, False)
        >>> is_secret("app/.env"), is_secret("app/.env.example")
        (True, False)
    """
    return _SECRET.search(path) is not None and not path.endswith(".pub")
