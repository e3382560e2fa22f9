"""The table that `bench.store` prints: each figure beside another, with its aim."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One comparison.

    Attributes:
        what: What was measured.
        unit: Of both figures.
        ours: Our figure; None where it was not measured.
        beside: Whose figure the other one is.
        theirs: The other figure; None where there is none.
        says: What the ratio says: how many times `less` we take, or which `part` of the
            other figure ours is.
        at_most: The aim: the ratio, or our figure where it stands alone, is at most this.
        at_least: The same, at least this.
        note: Why something is not measured.
    """

    what: str
    unit: str
    ours: float | None = None
    beside: str = ""
    theirs: float | None = None
    says: Literal["less", "part"] = "less"
    at_most: float | None = None
    at_least: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The ratio; None where a figure is missing or nothing."""
        if not self.ours or not self.theirs:
            return None
        if self.says == "less":
            return self.theirs / self.ours
        return self.ours / self.theirs

    @property
    def is_met(self) -> bool | None:
        """Whether the aim is met; None without an aim or a figure."""
        value = self.ratio if self.beside else self.ours
        if value is None:
            return None
        if self.at_most is not None:
            return value <= self.at_most
        return None if self.at_least is None else value >= self.at_least

    @property
    def aim(self) -> str:
        """The aim in a few characters."""
        if self.at_most is not None:
            return f"<= {_number(self.at_most)}"
        return "" if self.at_least is None else f">= {_number(self.at_least)}"


def table(rows: Iterable[Row]) -> str:
    """Return the rows as text, columns under their headings."""
    head = ("", "ours", "beside", "theirs", "ratio", "aim", "met")
    cells = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[n]) for line in cells) for n in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if n in (0, 2, 6) else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    )


def _cells(row: Row) -> tuple[str, ...]:
    met = {True: "yes", False: "NO", None: ""}[row.is_met]
    return (
        row.what,
        _figure(row.ours, row.unit),
        row.beside,
        _figure(row.theirs, row.unit),
        "" if row.ratio is None else f"{_number(row.ratio)} x",
        row.aim,
        f"{met} {row.note}".strip(),
    )


def _figure(value: float | None, unit: str) -> str:
    return "" if value is None else f"{_number(value)} {unit}".strip()


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 10:
        return f"{value:.1f}".removesuffix(".0")
    return f"{value:.3g}"
