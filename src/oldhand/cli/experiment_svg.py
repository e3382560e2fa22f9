"""The intervals of an experiment as an SVG picture: a band for each comparison."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oldhand.experience.experiment.analysis import Analysis, Comparison

_WIDTH, _HEIGHT, _LEFT, _GAP = 640, 200, 60, 50


def picture(found: Analysis) -> str:
    """Draw each comparison below the other, on a scale of its own."""
    drawn = [comparison for comparison in found.comparisons if comparison.path]
    panels = "".join(
        _panel(comparison, _GAP + at * (_HEIGHT + _GAP))
        for at, comparison in enumerate(drawn)
    )
    width, height = _LEFT + _WIDTH + 20, _GAP + len(drawn) * (_HEIGHT + _GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n{panels}</svg>\n'
    )


def _panel(comparison: Comparison, top: int) -> str:
    path = comparison.path
    later = path[len(path) // 2 :]
    reach = max(0.01, *(max(-look.low, look.high) for look in later))
    most = path[-1].sessions

    def point(sessions: int, difference: float) -> str:
        part = (1 - max(-1.0, min(1.0, difference / reach))) / 2
        return f"{_LEFT + sessions / most * _WIDTH:.1f},{top + part * _HEIGHT:.1f}"

    edge = [point(look.sessions, look.high) for look in path]
    edge += [point(look.sessions, look.low) for look in reversed(path)]
    middle = top + _HEIGHT / 2
    title = f"{comparison.arm} less {comparison.other}, points; {most:,} sessions"
    return (
        f'<text x="{_LEFT}" y="{top - 8}">{escape(title)}</text>\n'
        f'<polygon points="{" ".join(edge)}" fill="#9ecae1"/>\n'
        f'<path d="M{_LEFT} {middle}h{_WIDTH}M{_LEFT} {top}v{_HEIGHT}" stroke="black"/>\n'
        f'<text x="4" y="{top + 10}">{reach * 100:+.1f}</text>\n'
        f'<text x="4" y="{middle + 4}">0</text>\n'
        f'<text x="4" y="{top + _HEIGHT}">{-reach * 100:+.1f}</text>\n'
    )
