"""zstd in one place: Python's own from 3.14, else the package.

Each thread keeps its compressor: making one took as long as to compress a tool's result.
"""

from __future__ import annotations

import sys
import threading

_LEVEL = 1  # 5 µs to read a tool's result back; higher levels gain little on such text

if sys.version_info >= (3, 14):
    from compression import zstd

    class _Local(threading.local):
        def __init__(self) -> None:
            self.compressor = zstd.ZstdCompressor(level=_LEVEL)

    def compress(data: bytes) -> bytes:
        """Return `data`, compressed as one frame."""
        return _LOCAL.compressor.compress(data, zstd.ZstdCompressor.FLUSH_FRAME)

    def decompress(body: bytes) -> bytes:
        """Return what `compress` was given."""
        return zstd.decompress(body)
else:
    import zstandard

    class _Local(threading.local):
        def __init__(self) -> None:
            self.compressor = zstandard.ZstdCompressor(level=_LEVEL)

    def compress(data: bytes) -> bytes:
        """Return `data`, compressed as one frame."""
        return _LOCAL.compressor.compress(data)

    def decompress(body: bytes) -> bytes:
        """Return what `compress` was given."""
        return zstandard.decompress(body)


_LOCAL = _Local()
