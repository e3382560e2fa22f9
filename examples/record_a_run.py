"""Record how runs of a skill went with two models, and ask which is better."""

from __future__ import annotations

import time

from oldhand import open_store, query_skill_ema, record_skill_invocation
from oldhand.ledger.compare import Side, compare

NOW = time.time()
HOUR = 3_600

store = open_store(":memory:")
for hour in range(40):
    record_skill_invocation(
        store,
        skill_name="triage",
        model="local",
        invoked_at=NOW - hour * HOUR,
        duration_seconds=90,
        success=hour % 4 != 0,
        estimated_cost_usd=0,  # nothing is paid for it; None would be unknown
    )
    record_skill_invocation(
        store,
        skill_name="triage",
        model="paid",
        invoked_at=NOW - hour * HOUR,
        duration_seconds=20,
        success=hour > 0,
        estimated_cost_usd="0.04",
    )

for each in query_skill_ema(store, window_days=14, half_life_days=7):
    low, high = each.interval or (0.0, 1.0)
    print(
        f"{each.skill_name} with {each.model}: {each.ema_success_rate:.0%} "
        f"({low:.0%} to {high:.0%}), ${each.ema_cost_per_call:.2f} a run"
    )

found = compare(store, Side("triage", model="local"), Side("triage", model="paid"))
print(found.said)
