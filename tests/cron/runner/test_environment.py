"""A script finds a few plain variables, and no secret."""

from __future__ import annotations

from oldhand.cron.runner.environment import script_environment

from .fakes import task


def test_a_script_finds_no_key_of_any_provider() -> None:
    own = {
        "PATH": "/bin", "HOME": "/home/u", "LANG": "C", "LC_ALL": "C", "TZ": "UTC",
        "TMPDIR": "/t", "OLDHAND_HOME": "/o", "OLDHAND_CONFIRM_TOKEN": "oha_1",
        "OLDHAND_TELEGRAM_TOKEN": "1:a", "ANTHROPIC_API_KEY": "sk-1", "AWS_PROFILE": "x",
        "GH_TOKEN": "g", "SSH_AUTH_SOCK": "/s", "OLDHAND_DISCORD_WEBHOOK": "d",
    }  # fmt: skip

    assert script_environment(own, task()) == {
        "PATH": "/bin", "HOME": "/home/u", "LANG": "C", "LC_ALL": "C", "TZ": "UTC",
        "TMPDIR": "/t", "OLDHAND_HOME": "/o", "OLDHAND_RUN": "7",
        "OLDHAND_SESSION_KEY": "run-7",
    }  # fmt: skip
