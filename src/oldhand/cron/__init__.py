"""Agents on a schedule: jobs, when they fire, and what came of it."""

from __future__ import annotations
