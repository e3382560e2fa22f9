"""What a person is told to look at, beside what a prompt says."""

from __future__ import annotations

import pytest

from oldhand.cron.guards.flags import flags_of
from oldhand.cron.model import JobSpec


@pytest.mark.parametrize(
    ("base_url", "is_flagged"),
    [
        ("https://llm.example/v1", True),
        ("http://localhost:8000/v1", False),
        (None, False),
    ],
)
def test_an_address_that_is_given_the_agents_key_is_flagged(
    base_url: str | None, is_flagged: bool
) -> None:
    spec = JobSpec("Count the logs", base_url=base_url)

    assert any("gets the key" in flag for flag in flags_of(spec)) is is_flagged
