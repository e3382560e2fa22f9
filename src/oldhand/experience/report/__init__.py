"""How calls went over all sessions, and what a warm start would have covered of them."""

from __future__ import annotations

from oldhand.experience.report.calls import CallReport, report_calls
from oldhand.experience.report.forecast import Forecast, forecast
from oldhand.experience.report.repairs import RepairReport, report_repairs

__all__ = [
    "CallReport",
    "Forecast",
    "RepairReport",
    "forecast",
    "report_calls",
    "report_repairs",
]
