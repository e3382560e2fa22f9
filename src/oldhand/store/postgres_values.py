"""Values on their way to and from PostgreSQL, so that rows equal those of SQLite.

PostgreSQL refuses the character NUL in a text: it becomes U+FFFD. Whole numbers go as
64-bit integers and truth as 1 or 0. A sum of integers, which PostgreSQL widens to its
decimal type, comes back as an int, an average as a float.
"""

from __future__ import annotations

from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.postgres import types
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumperUnknown

_INT8 = types["int8"].oid


class _Text(StrDumperUnknown):
    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))


class _Truth(Dumper):
    oid = _INT8

    def dump(self, obj: bool) -> Buffer | None:
        return b"1" if obj else b"0"


class _Number(Loader):
    def load(self, data: Buffer) -> int | float:
        text = bytes(data).decode()
        return int(text) if text.lstrip("-").isdigit() else float(text)


def adapt(context: AdaptContext) -> None:
    """Make a connection take and give values as SQLite does."""
    adapters = context.adapters
    if adapters is None:
        return
    adapters.register_dumper(str, _Text)
    adapters.register_dumper(int, Int8Dumper)
    adapters.register_dumper(bool, _Truth)
    adapters.register_loader("numeric", _Number)
