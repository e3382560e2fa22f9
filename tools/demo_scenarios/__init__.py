"""What the scripted agent of the demo sessions does, in order of time."""

from __future__ import annotations

from demo_scenarios import (
    ledger_amounts,
    ledger_bank,
    ledger_commands,
    ledger_release,
    ledger_start,
    shop_files,
    shop_logs,
    shop_orders,
    todo_grow,
    todo_start,
)
from demo_scenarios.steps import Scenario

_FAMILIES = (
    ledger_start,
    ledger_bank,
    ledger_amounts,
    ledger_commands,
    ledger_release,
    todo_start,
    todo_grow,
    shop_logs,
    shop_orders,
    shop_files,
)

SCENARIOS: tuple[Scenario, ...] = tuple(
    sorted(
        (scenario for family in _FAMILIES for scenario in family.SCENARIOS),
        key=lambda scenario: scenario.at,
    )
)
