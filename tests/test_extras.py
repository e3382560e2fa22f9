"""The command that installs an extra fits where oldhand came from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "from oldhand.extras import install_command; print(install_command('serve'))"


@pytest.mark.parametrize(
    ("came", "said"),
    [
        (None, "pip install 'oldhand[serve]'"),
        ('{"url": "https://x.example/o.whl", "archive_info": {}}', None),
        (
            '{"url": "file:///src/old%20hand", "dir_info": {}}',
            "pip install '/src/old hand[serve]'",
        ),
        (
            '{"url": "file:///src", "dir_info": {"editable": true}}',
            "pip install -e '/src[serve]'",
        ),
    ],
    ids=["from an index", "from an archive", "from a directory", "from a checkout"],
)
def test_the_command_names_where_this_oldhand_came_from(
    tmp_path: Path, came: str | None, said: str | None
) -> None:
    info = tmp_path / "oldhand-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: oldhand\nVersion: 0.1\n")
    if came is not None:
        (info / "direct_url.json").write_text(came)
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {PROGRAM}"

    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert run.stdout.strip() == said or (said is None and "'oldhand[" in run.stdout)
