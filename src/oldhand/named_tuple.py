"""`typing.NamedTuple`, without compiling its annotations.

Where annotations are kept as text, `typing.NamedTuple` compiles each of them when the class
is made, and the first makes all classes of Python's syntax tree as well: 10 million
instructions where `python -c pass` takes 39. A hook imports thirty such classes, and an
agent waits for it: made so, they were 9 % of its 292 million instructions. To a type
checker this is `typing.NamedTuple` and nothing else.
"""

from __future__ import annotations

from collections import namedtuple
from types import GenericAlias
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - for others to import
else:

    class _Maker(type):
        """Makes a named tuple of what stands in a class."""

        def __new__(
            cls, name: str, bases: tuple[type, ...], body: dict[str, Any]
        ) -> type:
            fields = body["__annotations__"]
            made = namedtuple(
                name,
                fields,
                defaults=[body[field] for field in fields if field in body],
                module=body["__module__"],
            )
            if len(bases) > 1:  # Generic
                made.__class_getitem__ = classmethod(GenericAlias)
            for key in body.keys() - fields.keys():
                setattr(made, key, body[key])
            return made

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
