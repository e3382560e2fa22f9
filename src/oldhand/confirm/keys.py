"""The daemon's own key, which signs grants and checkpoints: Ed25519, in a file of mode 0600."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Self

from oldhand.canonical_json import sha256_of
from oldhand.errors import InvalidInput, UnreadableSource
from oldhand.extras import install_command

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

_HEX_DIGITS = 64


class SigningKey:
    """A key that signs, and says whether it signed."""

    def __init__(self, secret: bytes) -> None:
        """Take the 32 bytes of an Ed25519 key."""
        self._private: Ed25519PrivateKey = (
            _ed25519().Ed25519PrivateKey.from_private_bytes(secret)
        )
        self.public = self._private.public_key().public_bytes_raw().hex()
        self.id = key_id_of(self.public)

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read the key of a file; make one where there is no such file.

        Raises:
            UnreadableSource: Others may read the file, or it holds no key.
        """
        try:
            opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError:
            return cls._make(file)
        except OSError as fault:
            raise UnreadableSource(f"{file}: {fault.strerror}") from fault
        with os.fdopen(opened, encoding="ascii", errors="replace") as reading:
            mode = stat.S_IMODE(os.fstat(reading.fileno()).st_mode)
            text = reading.read().strip()
        if mode & 0o077:
            raise UnreadableSource(
                f"{file}: others may read this key (mode {mode:04o}): chmod 600 it, or "
                "remove it for a new one if they may have"
            )
        try:
            return cls(bytes.fromhex(text))
        except ValueError as fault:
            raise UnreadableSource(f"{file}: holds no key") from fault

    def sign(self, data: bytes) -> bytes:
        """Return a signature, 64 bytes."""
        return self._private.sign(data)

    def verify(self, signature: bytes, data: bytes) -> bool:
        """Say whether this key made the signature of the data."""
        return is_signature(self.public, signature, data)

    @classmethod
    def _make(cls, file: Path) -> Self:
        secret = os.urandom(32)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Written aside and linked into place: of two that start at once one key stays.
        fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(fresh, flags, 0o600), "w", encoding="ascii") as writing:
            writing.write(secret.hex() + "\n")
            writing.flush()
            os.fsync(writing.fileno())
        try:
            os.link(fresh, file)
        except FileExistsError:
            return cls.load(file)
        finally:
            fresh.unlink()
        return cls(secret)


def is_signature(public: str, signature: bytes, data: bytes) -> bool:
    """Say whether a public key, in 64 hexadecimal digits, made a signature of the data."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - an extra

    if len(public) != _HEX_DIGITS:
        raise InvalidInput(f"a public key has {_HEX_DIGITS} digits, not {len(public)}")
    key: Ed25519PublicKey = _ed25519().Ed25519PublicKey.from_public_bytes(
        bytes.fromhex(public)
    )
    try:
        key.verify(signature, data)
    except InvalidSignature:
        return False
    return True


def key_id_of(public: str) -> str:
    """Name a public key by the first 16 digits of its SHA-256."""
    return sha256_of(bytes.fromhex(public))[:16]


def _ed25519() -> ModuleType:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
    except ImportError as fault:
        raise InvalidInput(
            f"signing needs the package cryptography: {install_command('serve')}"
        ) from fault
    return ed25519
