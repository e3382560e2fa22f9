"""Experiments: who draws what, what came of it, and what that shows."""

from __future__ import annotations

from oldhand.experience.experiment.analysis import Analysis, Comparison, analyse
from oldhand.experience.experiment.assignments import Assignment, assign
from oldhand.experience.experiment.forget import drop_assignments, forget_sessions
from oldhand.experience.experiment.model import Arm, Experiment, shares_of
from oldhand.experience.experiment.rows import (
    find_experiment,
    list_experiments,
    start_experiment,
    stop_experiment,
)

__all__ = [
    "Analysis",
    "Arm",
    "Assignment",
    "Comparison",
    "Experiment",
    "analyse",
    "assign",
    "drop_assignments",
    "find_experiment",
    "forget_sessions",
    "list_experiments",
    "shares_of",
    "start_experiment",
    "stop_experiment",
]
