"""Ages, sizes and times as a person writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from oldhand.clock import from_iso

_QUANTITY = re.compile(r"([0-9]{1,12})\s*([A-Za-z]+)")
_DAY_US = 86_400_000_000
_AGES = {"h": _DAY_US // 24, "d": _DAY_US, "w": 7 * _DAY_US}
_SIZES = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}


if TYPE_CHECKING:
    _Type = click.ParamType[int]
else:
    _Type = click.ParamType  # generic in newer versions only


class _Quantity(_Type):
    """A whole number with a unit, as a number of the smallest one."""

    def __init__(self, name: str, units: dict[str, int], example: str) -> None:
        self.name = name
        self._units = units
        self._example = example

    def convert(
        self,
        value: object,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        found = _QUANTITY.fullmatch(str(value).strip())
        factor = self._units.get(found[2].lower()) if found else None
        if found is None or factor is None:
            units = ", ".join(self._units)
            self.fail(f"expected as {self._example}, in {units}", param, ctx)
        return int(found[1]) * factor


class _Time(_Type):
    """A time in ISO 8601, as microseconds since 1970-01-01 UTC."""

    name = "time"

    def convert(
        self,
        value: object,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        if isinstance(value, int):
            return value
        at_us = from_iso(str(value))
        if at_us is None:
            self.fail("expected ISO 8601, as 2026-01-31", param, ctx)
        return at_us


AGE = _Quantity("age", _AGES, "90d")
SIZE = _Quantity("size", _SIZES, "500MB")
TIME = _Time()
