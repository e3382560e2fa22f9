"""Trends of skills as an SVG picture: a line and its band for each skill and model.

It has no style of its own, only attributes, so that a page that allows none can show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from oldhand.ledger.trend import Trend, days_between
from oldhand.notices.visible import visible

MOST_PANELS = 24
_WIDTH, _HEIGHT, _LEFT, _GAP = 640, 120, 60, 44
_NAME_CHARS = 26  # so that three of them fit above a panel


def picture(trends: Sequence[Trend], *, half_life_days: float) -> str:
    """Draw each trend below the other, all over the same days.

    Args:
        trends: In the order in which they are drawn; those after the first 24 are only
            counted.
        half_life_days: By which they were weighed.
    """
    drawn = trends[:MOST_PANELS]
    width, height = _LEFT + _WIDTH + 20, _GAP + max(1, len(drawn)) * (_HEIGHT + _GAP)
    said = f"rate of success with its 95 % band, half-life {half_life_days:.3g} days"
    if len(trends) > len(drawn):
        said += f"; {len(trends) - len(drawn)} more are not drawn"
    if not drawn:
        said = "of no run is it known whether it worked"
    days = [point.day for trend in drawn for point in trend.points]
    panels = "".join(
        panel(trend, first=min(days), last=max(days), top=_GAP + at * (_HEIGHT + _GAP))
        for at, trend in enumerate(drawn)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n'
        f'<text x="{_LEFT}" y="14">{escape(said)}</text>\n{panels}</svg>\n'
    )


def panel(trend: Trend, *, first: str, last: str, top: int) -> str:
    """Draw one trend between two days, `top` units below the upper edge."""
    span = max(1, days_between(first, last))

    def at(day: str, rate: float) -> str:
        across = _LEFT + days_between(first, day) / span * _WIDTH
        return f"{across:.1f},{top + (1 - rate) * _HEIGHT:.1f}"

    points = trend.points
    edge = [at(day, rate.high) for day, rate in points]
    edge += [at(day, rate.low) for day, rate in reversed(points)]
    line = " ".join(at(day, rate.rate) for day, rate in points)
    dots = "".join(
        '<circle cx="{}" cy="{}" r="2"/>'.format(*at(day, rate.rate).split(","))
        for day, rate in points
    )
    bottom = top + _HEIGHT
    return (
        f'<text x="{_LEFT}" y="{top - 6}">{escape(_title(trend))}</text>\n'
        f'<polygon points="{" ".join(edge)}" fill="#9ecae1" stroke="#9ecae1"/>\n'
        f'<polyline points="{line}" fill="none" stroke="black"/>{dots}\n'
        f'<path d="M{_LEFT} {bottom}h{_WIDTH}M{_LEFT} {top}v{_HEIGHT}" stroke="black"/>\n'
        f'<text x="16" y="{top + 10}">100%</text>\n'
        f'<text x="30" y="{bottom}">0%</text>\n'
        f'<text x="{_LEFT}" y="{bottom + 14}">{first}</text>\n'
        f'<text x="{_LEFT + _WIDTH}" y="{bottom + 14}" text-anchor="end">{last}</text>\n'
    )


def _title(trend: Trend) -> str:
    """Name a trend in one line that steers nothing."""
    last = trend.points[-1].rate
    whose = (trend.skill, trend.model, trend.provider)
    named = " · ".join(_short(name) for name in whose if name is not None)
    return f"{named}: {last.rate:.0%}, between {last.low:.0%} and {last.high:.0%}"


def _short(name: str) -> str:
    shown = visible(name)
    return shown if len(shown) <= _NAME_CHARS else shown[: _NAME_CHARS - 1] + "…"
