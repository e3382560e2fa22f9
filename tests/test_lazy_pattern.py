"""Patterns compiled when first used, and that every rule's pattern does compile."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import oldhand
from oldhand.lazy_pattern import LazyPattern


def test_nothing_is_compiled_before_it_is_used() -> None:
    broken = LazyPattern("(")
    pattern = LazyPattern("a")

    assert broken._compiled is None
    assert pattern.search("ba")
    assert pattern._compiled is not None


def test_every_lazy_pattern_of_the_house_compiles() -> None:
    modules = [
        import_module(found.name)
        for found in pkgutil.walk_packages(oldhand.__path__, "oldhand.")
        if found.name.startswith(("oldhand.risk", "oldhand.redact"))
    ]
    patterns = [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, LazyPattern)
    ]

    assert len(patterns) > 20
    assert all(pattern.compiled for pattern in patterns)
