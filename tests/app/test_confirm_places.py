"""Where the daemon's files lie."""

from __future__ import annotations

from pathlib import Path

from oldhand.app.confirm_places import checkpoints_file
from oldhand.settings import load


def test_each_database_has_its_own_file_of_checkpoints(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "OLDHAND_HOME": str(tmp_path / "home")}
    urls = [
        None,
        str(tmp_path / "a.db"),
        str(tmp_path / "b.db"),
        "postgresql://u:p@host/a",
        "postgresql://u:p@host/b",
    ]

    files = [
        checkpoints_file(load(database=url, environment=home)).name for url in urls
    ]

    assert files[0] == "checkpoints.jsonl"
    assert len(set(files)) == len(urls)


def test_a_changed_password_keeps_the_file(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}

    files = {
        checkpoints_file(
            load(database=f"postgresql://u:{password}@host/a", environment=home)
        )
        for password in ("one", "two")
    }

    assert len(files) == 1
