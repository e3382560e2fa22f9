"""How calls went over all sessions, and what a warm start would have covered of them."""

from __future__ import annotations

from oldhand.experience.report.calls import CallReport, report_calls
from oldhand.experience.report.forecast import Forecast, forecast

__all__ = ["CallReport", "Forecast", "forecast", "report_calls"]
