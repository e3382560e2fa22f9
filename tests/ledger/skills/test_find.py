"""Skills are found where agents keep them, and broken ones are named, not hidden."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oldhand.errors import InvalidInput
from oldhand.ledger.skills import digest
from oldhand.ledger.skills.digest import version_of
from oldhand.ledger.skills.find import Place, find_skills, read_skill, skill_places


def make(folder: Path, name: str = "triage", description: str = "Sort mail") -> Path:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        f"---\nname: {name}\ndescription: {description}\n---\nDo it.\n"
    )
    return folder


def test_every_agents_places_are_looked_into(tmp_path: Path) -> None:
    user, project = tmp_path / "user", tmp_path / "project"
    make(project / ".oldhand/skills/one", "one")
    make(project / ".claude/skills/two", "two")
    make(user / ".oldhand/skills/three", "three")
    make(user / ".hermes/skills/mail/four", "four")
    make(user / ".hermes/profiles/work/skills/five", "five")
    make(user / ".hermes/skills/.archive/old", "old")
    make(user / ".claude/skills/six", "six")
    make(user / ".claude/plugins/cache/market/powers/1.0/skills/seven", "seven")

    places = skill_places(home=user / ".oldhand", user_home=user, project=project)
    found = [(skill.agent, skill.name) for skill in find_skills(places)]

    assert found == [
        ("oldhand", "one"), ("claude-code", "two"), ("oldhand", "three"),
        ("hermes", "four"), ("hermes", "five"), ("claude-code", "six"),
        ("claude-code", "powers:seven"),
    ]  # fmt: skip


def test_agents_move_their_homes_by_variables(tmp_path: Path) -> None:
    make(tmp_path / "h/skills/one", "one")
    make(tmp_path / "c/skills/two", "two")
    environment = {
        "HERMES_HOME": str(tmp_path / "h"),
        "CLAUDE_CONFIG_DIR": str(tmp_path / "c"),
    }

    places = skill_places(
        home=tmp_path / "o", user_home=tmp_path, environment=environment
    )

    assert [skill.name for skill in find_skills(places)] == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"---\ndescription: x\n---\n", "name: None"),
        (b"---\nname: x\n---\n", "description: ''"),
        (b"---\nname: " + b"x" * 65 + b"\ndescription: y\n---\n", "name: "),
        (b"---\nname: x\ndescription: " + b"y" * 1025 + b"\n---\n", "description: "),
        (b"---\nname: a\nname: b\n---\n", "name: line 3"),
        (b"\x7fELF\xff\xfe", "is not UTF-8"),
        (b"", "line 1"),
    ],
)
def test_a_broken_skill_is_listed_with_its_fault_and_others_beside_it(
    tmp_path: Path, text: bytes, said: str
) -> None:
    make(tmp_path / "good")
    make(tmp_path / "bad").joinpath("SKILL.md").write_bytes(text)

    bad, good = find_skills([Place("oldhand", tmp_path)])

    assert good.fault is None
    assert bad.version is None
    assert str(tmp_path / "bad" / "SKILL.md") in (bad.fault or "")
    assert said in (bad.fault or "")


def test_a_skill_shows_no_file_that_lies_elsewhere(tmp_path: Path) -> None:
    secret = make(tmp_path / "elsewhere", "stolen") / "SKILL.md"
    (tmp_path / "skills/evil").mkdir(parents=True)
    (tmp_path / "skills/evil/SKILL.md").symlink_to(secret)

    (found,) = find_skills([Place("oldhand", tmp_path / "skills")])

    assert "leads out" in (found.fault or "")
    assert found.name == "evil"


def test_a_folder_that_is_linked_to_is_listed_once(tmp_path: Path) -> None:
    real = make(tmp_path / "repository/triage")
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills/triage").symlink_to(real)
    places = [Place("oldhand", tmp_path / p) for p in ("skills", "repository")]

    assert len(find_skills(places)) == 1


def test_odd_files_are_not_opened(tmp_path: Path) -> None:
    skill = make(tmp_path / "skills/a")
    os.mkfifo(skill / "pipe")
    (skill / "loop").symlink_to(skill)
    (tmp_path / "skills/b").mkdir()
    os.mkfifo(tmp_path / "skills/b/SKILL.md")

    first, second = find_skills([Place("oldhand", tmp_path / "skills")])

    assert first.fault is None
    assert "not a file" in (second.fault or "")


def test_the_version_is_of_the_content_alone(tmp_path: Path) -> None:
    one, other = make(tmp_path / "one"), make(tmp_path / "other")
    os.utime(other / "SKILL.md", (0, 0))
    before = version_of(one)
    (other / "scripts").mkdir()

    assert before == version_of(other)

    (other / "scripts/run.sh").write_bytes(b"\x00\xff")
    assert version_of(other) != before


def test_a_link_is_named_and_not_followed(tmp_path: Path) -> None:
    skill, secret = make(tmp_path / "a"), tmp_path / "secret"
    secret.write_text("one")
    (skill / "link").symlink_to(secret)
    before = version_of(skill)

    secret.write_text("two")

    assert version_of(skill) == before


def test_a_huge_skill_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digest, "MAX_BYTES", 100)
    skill = make(tmp_path / "a")
    (skill / "model.bin").write_bytes(bytes(101))

    with pytest.raises(InvalidInput, match="over 100 bytes"):
        version_of(skill)
    assert "over 100 bytes" in (read_skill(skill).fault or "")


def test_too_many_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digest, "MAX_FILES", 3)
    skill = make(tmp_path / "a")
    for number in range(5):
        (skill / str(number)).touch()

    with pytest.raises(InvalidInput, match="over 3 files"):
        version_of(skill)


def test_a_place_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert find_skills([Place("oldhand", tmp_path / "none")]) == []
