"""zstd in one place: Python's own from 3.14, else the package."""

from __future__ import annotations

import sys

_LEVEL = 1  # 5 µs to read a tool's result back; higher levels gain little on such text

if sys.version_info >= (3, 14):
    from compression import zstd

    def compress(data: bytes) -> bytes:
        """Return `data`, compressed as one frame."""
        return zstd.compress(data, level=_LEVEL)

    def decompress(body: bytes) -> bytes:
        """Return what `compress` was given."""
        return zstd.decompress(body)
else:
    import zstandard

    def compress(data: bytes) -> bytes:
        """Return `data`, compressed as one frame."""
        return zstandard.compress(data, level=_LEVEL)

    def decompress(body: bytes) -> bytes:
        """Return what `compress` was given."""
        return zstandard.decompress(body)
