"""A file that is there whole, for its owner alone, or not at all."""

from __future__ import annotations

import stat
from errno import EIO, ENOSPC
from pathlib import Path

import pytest

from oldhand.cli.private_file import open_private
from oldhand.errors import Conflict, InvalidInput, OldhandError, StoreFull


def write_half(path: Path, fault: BaseException) -> None:
    with open_private(path) as file:
        file.write("half")
        raise fault


def test_it_is_private_and_made_once(tmp_path: Path) -> None:
    path = tmp_path / "new"
    with open_private(path) as file:
        file.write("text")

    with pytest.raises(Conflict, match="there already"), open_private(path):
        pass

    assert path.read_text() == "text"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("fault", "told", "text"),
    [
        (OSError(ENOSPC, "No space left on device"), StoreFull, "the disk is full"),
        (OSError(EIO, "Input/output error"), InvalidInput, "cannot write it"),
        (KeyboardInterrupt("pressed"), KeyboardInterrupt, "pressed"),
    ],
)
def test_what_was_not_written_to_the_end_is_removed(
    tmp_path: Path, fault: BaseException, told: type[BaseException], text: str
) -> None:
    path = tmp_path / "new"

    with pytest.raises(told, match=text):
        write_half(path, fault)

    assert not path.exists()


def test_where_nothing_can_be_made_the_place_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none" / "new"

    with pytest.raises(OldhandError, match=f"{path}: No such file"), open_private(path):
        pass
