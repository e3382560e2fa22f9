"""Our named tuples are those of `typing`, made without compiling text."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import typing
from typing import Generic, TypeVar

import pytest

from oldhand.named_tuple import NamedTuple

Kept = TypeVar("Kept")


class Ours(NamedTuple):
    """A record."""

    name: str
    size: int | None = None
    parts: tuple[str, ...] = ()

    @property
    def is_big(self) -> bool:
        """Whether it is."""
        return (self.size or 0) > 9


class Theirs(typing.NamedTuple):
    """A record."""

    name: str
    size: int | None = None
    parts: tuple[str, ...] = ()


class Shelf(NamedTuple, Generic[Kept]):
    """A record of anything."""

    kept: Kept


def test_a_record_is_what_typing_makes() -> None:
    ours, theirs = Ours("a", size=3), Theirs("a", size=3)

    assert tuple(ours) == tuple(theirs)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert Ours._field_defaults == Theirs._field_defaults
    assert Ours._fields == Theirs._fields
    assert typing.get_type_hints(Ours) == typing.get_type_hints(Theirs)
    assert (Ours.__module__, Ours.__qualname__) == (__name__, "Ours")
    assert Ours.__doc__ == Theirs.__doc__
    assert Ours.__mro__[1:] == (tuple, object)


def test_a_record_has_its_methods_and_can_be_changed_copied_and_pickled() -> None:
    record = Ours("a")

    assert record._replace(size=10).is_big
    assert copy.deepcopy(record) == record
    assert pickle.loads(pickle.dumps(record)) == record  # noqa: S301 - our own


def test_a_record_of_anything_may_say_of_what() -> None:
    assert Shelf[int](3).kept == 3


def test_a_record_takes_no_more_and_no_less_than_its_fields() -> None:
    with pytest.raises(TypeError, match="missing 1 required"):
        Ours()  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Ours("a").name = "b"  # type: ignore[misc]


def test_what_an_agents_hook_imports_compiles_no_annotation() -> None:
    """The annotations took 9 % of a hook's instructions."""
    program = (
        "import sys, typing\n"
        "import oldhand.integrations.claude_code.hooks\n"
        "import oldhand.integrations.claude_code.session_start\n"
        "import oldhand.integrations.claude_code.call_failed\n"
        "for name, module in list(sys.modules.items()):\n"
        "    if name.startswith('oldhand'):\n"
        "        for made in vars(module).values():\n"
        "            types = getattr(made, '__annotations__', {}).values()\n"
        "            if any(isinstance(one, typing.ForwardRef) for one in types):\n"
        "                print(made)\n"
    )

    made = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert made.stdout == ""
