"""The house: sizes, imports, docs that hold what the code says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import oldhand

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "oldhand"
MAX_LINES = 400


def test_no_module_is_crowded() -> None:
    crowded = {
        str(path.relative_to(ROOT)): lines
        for path in SOURCE.rglob("*.py")
        if (lines := len(path.read_text().splitlines())) > MAX_LINES
    }

    assert crowded == {}


def test_importing_oldhand_opens_nothing_and_reads_no_other_module() -> None:
    program = (
        "import sys; before = set(sys.modules); import oldhand;"
        "print(*sorted(m for m in set(sys.modules) - before if m.startswith('oldhand')))"
    )

    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert run.stdout.split() == ["oldhand"]
    assert run.stderr == ""


def test_every_public_name_is_there() -> None:
    missing = [name for name in oldhand.__all__ if not hasattr(oldhand, name)]

    assert missing == []
    assert sorted(oldhand._HOMES) == sorted(oldhand.__all__)


def test_every_file_that_a_document_links_to_exists() -> None:
    pages = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
    ]

    broken = [
        (page.name, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text())
        if not (page.parent / target).exists()
    ]

    assert broken == []


def test_the_readme_is_short() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()

    assert len(lines) <= 150


def test_the_command_reference_says_what_the_commands_say() -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "command_reference.py"), "--check"],
        check=False,
    )

    assert run.returncode == 0, "docs/commands.md is not current: make docs"
