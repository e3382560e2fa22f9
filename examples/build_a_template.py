"""Keep a choice of examples under a name, and hand it on as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import oldhand
from oldhand import build_template, import_sessions, open_store
from oldhand.experience.template import save_template
from oldhand.experience.template.exchange import template_from_json

SHIPPED = Path(oldhand.__file__).parent / "cli" / "demo_sessions"

store = open_store(":memory:")
import_sessions(store, "auto", SHIPPED)

template = build_template(
    store,
    "fixing",
    task="Fix a failing test",
    tags=["python"],
    max_examples=5,
    all_projects=True,
)
print(f"{template.label}: {len(template.examples)} examples")
for example in template.examples:
    print(f"  {example.shape}, worked in {example.support} sessions")

handed_on = json.dumps(template.as_json())
print(
    save_template(store, template_from_json(json.loads(handed_on), name="theirs")).label
)
