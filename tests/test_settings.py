"""Settings: flag, environment, file, default."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand import settings
from oldhand.errors import InvalidInput


def write(home: Path, text: str) -> dict[str, str]:
    directory = home / ".oldhand"
    directory.mkdir()
    (directory / "oldhand.toml").write_text(text)
    return {"HOME": str(home), "USER": "ada"}


def test_a_flag_beats_the_environment_which_beats_the_file(tmp_path: Path) -> None:
    env = write(tmp_path, 'database = "from-file.db"\n')

    by_file = settings.load(environment=env).database
    by_variable = settings.load(environment=env | {"OLDHAND_DATABASE": "v.db"}).database
    by_flag = settings.load(
        database="flag.db", environment=env | {"OLDHAND_DATABASE": "v.db"}
    ).database

    assert (by_file, by_variable, by_flag) == ("from-file.db", "v.db", "flag.db")


def test_the_defaults_lie_in_the_home_directory(tmp_path: Path) -> None:
    loaded = settings.load(environment={"HOME": str(tmp_path), "USER": "ada"})

    assert loaded.database == str(tmp_path / ".oldhand" / "oldhand.db")
    assert loaded.principal == "ada"
    assert loaded.exclude == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prices = 3\n", "prices is 3; expected a table for each model"),
        ("databse = 'x'\n", "no setting is called 'databse'"),
        ("database = 3\n", "database is 3; expected a string"),
        ("exclude = 'x'\n", "expected a list of strings"),
        ("database = \n", "oldhand.toml"),
    ],
)
def test_a_wrong_file_is_named_with_what_is_wrong(
    tmp_path: Path, text: str, expected: str
) -> None:
    env = write(tmp_path, text)

    with pytest.raises(InvalidInput, match=expected):
        settings.load(environment=env)


def test_globs_come_from_the_variable_or_the_file(tmp_path: Path) -> None:
    env = write(tmp_path, 'exclude = ["*/a/*"]\n')

    assert settings.load(environment=env).exclude == ("*/a/*",)
    listed = settings.load(environment=env | {"OLDHAND_EXCLUDE": "*/b/*:*/c/*"}).exclude
    assert listed == ("*/b/*", "*/c/*")


NOTICES = {
    "telegram_token": "123456789:AAF-token-of-a-bot",
    "telegram_chat": "-100200",
    "discord_webhook": "https://discord.com/api/webhooks/1/hook-secret",
    "notify_urls": "ntfy://topic-secret json://user:pass-secret@host",
}


def test_channels_come_from_the_variables_or_the_file(tmp_path: Path) -> None:
    stored = "".join(
        f"{name} = {value.split() if name == 'notify_urls' else value!r}\n"
        for name, value in NOTICES.items()
    )
    env = write(tmp_path, stored)
    variables = {f"OLDHAND_{name.upper()}": f"{name}-v" for name in NOTICES}

    by_file = settings.load(environment=env)._asdict()
    by_variable = settings.load(environment=env | variables)._asdict()

    assert {name: by_file[name] for name in NOTICES} == NOTICES
    assert {name: by_variable[name] for name in NOTICES} == {
        name: f"{name}-v" for name in NOTICES
    }


def test_settings_are_shown_without_secrets(tmp_path: Path) -> None:
    variables = {f"OLDHAND_{name.upper()}": value for name, value in NOTICES.items()}
    database = "postgresql://ada:pass-secret@host/oldhand"

    shown = repr(
        settings.load(
            database=database,
            environment={"HOME": str(tmp_path), "USER": "ada"} | variables,
        )
    )

    assert "secret" not in shown
    assert "AAF-token" not in shown
    assert "telegram_token='…'" in shown
    assert "database='postgresql://…'" in shown


def test_a_secret_of_the_wrong_type_is_not_shown(tmp_path: Path) -> None:
    env = write(tmp_path, "discord_webhook = ['https://hook-secret']\n")

    with pytest.raises(InvalidInput) as fault:
        settings.load(environment=env)

    assert "hook-secret" not in str(fault.value)


def test_the_daemon_is_named_by_the_variable_or_the_file(tmp_path: Path) -> None:
    env = write(tmp_path, 'confirm_url = "https://held.example"\n')
    variables = {
        "OLDHAND_CONFIRM_URL": "http://localhost:7070",
        "OLDHAND_CONFIRM_TOKEN": "oha_" + "of-an-agent",
    }

    by_default = settings.load(environment={"HOME": str(tmp_path / "x"), "USER": "ada"})
    by_file = settings.load(environment=env)
    by_variable = settings.load(environment=env | variables)

    assert by_default.confirm_url == "http://localhost:6060"
    assert (by_file.confirm_url, by_file.confirm_token) == ("https://held.example", "")
    assert by_variable.confirm_url == "http://localhost:7070"
    assert "of-an-agent" not in repr(by_variable)


def test_an_agents_token_does_not_stand_in_the_file_of_settings(tmp_path: Path) -> None:
    env = write(tmp_path, "confirm_token = 'oha_x'\n")

    with pytest.raises(InvalidInput, match="no setting is called 'confirm_token'"):
        settings.load(environment=env)


def test_scheduled_work_is_set_by_variable_or_file(tmp_path: Path) -> None:
    env = write(
        tmp_path,
        'cron_runner = ["codex", "exec"]\ncron_places = 2\n'
        "cron_min_context_tokens = 64_000\n[context_windows]\nqwen3 = 32_768\n",
    )
    variables = {
        "OLDHAND_CRON_RUNNER": "my-agent 'two words'",
        "OLDHAND_CRON_PLACES": "8",
        "OLDHAND_CRON_MIN_CONTEXT_TOKENS": "0",
        "OLDHAND_RUN": "17",
    }

    by_file = settings.load(environment=env)
    by_variable = settings.load(environment=env | variables)
    by_default = settings.load(environment={"HOME": "/nowhere", "USER": "ada"})

    assert by_file.cron_runner == ("codex", "exec")
    assert (by_file.cron_places, by_file.cron_min_context_tokens) == (2, 64_000)
    assert by_file.context_windows == {"qwen3": 32_768}
    assert by_variable.cron_runner == ("my-agent", "two words")
    assert (by_variable.cron_places, by_variable.cron_min_context_tokens) == (8, 0)
    assert (by_file.run, by_variable.run) == ("", "17")
    assert (by_default.cron_places, by_default.cron_runner) == (4, ())


@pytest.mark.parametrize(
    ("text", "variables", "expected"),
    [
        ("cron_places = 0\n", {}, "cron_places is 0; expected a whole number from 1"),
        ("cron_places = true\n", {}, "cron_places is True; expected a whole number"),
        ("cron_runner = 'claude'\n", {}, "cron_runner is 'claude'; expected a list"),
        ("[context_windows]\nx = -1\n", {}, "expected a table of tokens by model"),
        (
            "",
            {"OLDHAND_CRON_PLACES": "many"},
            "OLDHAND_CRON_PLACES is 'many'; expected",
        ),
        ("", {"OLDHAND_CRON_PLACES": "1001"}, "a whole number from 1 to 1,000"),
        ("", {"OLDHAND_CRON_RUNNER": "'"}, "OLDHAND_CRON_RUNNER is .*No closing"),
    ],
)
def test_wrong_settings_of_scheduled_work_are_named(
    tmp_path: Path, text: str, variables: dict[str, str], expected: str
) -> None:
    env = write(tmp_path, text)

    with pytest.raises(InvalidInput, match=expected):
        settings.load(environment=env | variables)
