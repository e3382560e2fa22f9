"""Run a program as somebody whom file modes refuse: also as root, whom none refuses.

    python without_rights.py PROGRAM [ARGUMENT…]

PROGRAM is Python source. It starts when the process has given up root's rights for good.
"""

from __future__ import annotations

import ctypes
import os
import sys

_VERSION_3 = 0x20080522
_THREE_SETS = ctypes.c_uint32 * 6  # of 64 rights each


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def _drop_rights() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capset(ctypes.byref(_Header(_VERSION_3, 0)), _THREE_SETS()):
        raise OSError(ctypes.get_errno(), "capset")


if __name__ == "__main__":
    if os.getuid() == 0:
        _drop_rights()
    del sys.argv[0]
    exec(compile(sys.argv[0], "<program>", "exec"))  # noqa: S102 - what a test gives
