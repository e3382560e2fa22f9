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
