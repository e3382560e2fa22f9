"""Find skills where agents keep them, and say of each broken one what is wrong with it.

A place holds folders with a SKILL.md, at most two deep: `NAME/` or `CATEGORY/NAME/`. Links
to folders are followed, since people keep skills in a repository and link to them, but a
SKILL.md that is a link out of its folder is not read: a skill is somebody else's text, and
must not show us, or a model, a file of its choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from oldhand.errors import InvalidInput
from oldhand.ledger.checks import name as checked_name
from oldhand.ledger.checks import wrong
from oldhand.ledger.skills.digest import version_of
from oldhand.ledger.skills.frontmatter import read_frontmatter

FILE = "SKILL.md"
MAX_NAME_CHARS = 64
MAX_DESCRIPTION_CHARS = 1024
MAX_HEAD_BYTES = 64_000
_LEFT_OUT = frozenset((".archive", ".hub", ".git", "node_modules", "__pycache__"))
_DEPTH = 2

Agent = Literal["oldhand", "hermes", "claude-code"]


class Skill(NamedTuple):
    """A folder with a SKILL.md.

    Attributes:
        name: As its frontmatter says; its folder's where it is broken.
        description: The same; "" where it is broken.
        version: Of what is in the folder; None where it is broken.
        declared_version: That the frontmatter says, or None.
        agent: Whose place it lies in.
        path: The folder.
        fault: What is wrong with it, naming field and file; None where nothing is.
    """

    name: str
    description: str
    version: str | None
    declared_version: str | None
    agent: Agent
    path: Path
    fault: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return self._asdict() | {"path": str(self.path)}


class Place(NamedTuple):
    """Where an agent looks for skills."""

    agent: Agent
    path: Path
    prefix: str = ""
    """Before a name, as `superpowers:` for skills of a plugin."""


def skill_places(
    *,
    home: Path,
    user_home: Path,
    project: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> list[Place]:
    """Return the places where skills may be, the project's first.

    Args:
        home: oldhand's own directory.
        user_home: The user's home directory.
        project: The directory of the project; None leaves its places out.
        environment: With `HERMES_HOME` and `CLAUDE_CONFIG_DIR`, where those are set.
    """
    env = environment or {}
    hermes = Path(env.get("HERMES_HOME") or user_home / ".hermes")
    claude = Path(env.get("CLAUDE_CONFIG_DIR") or user_home / ".claude")
    places = []
    if project is not None:
        places += [
            Place("oldhand", project / ".oldhand" / "skills"),
            Place("claude-code", project / ".claude" / "skills"),
        ]
    places += [Place("oldhand", home / "skills"), Place("hermes", hermes / "skills")]
    places += [
        Place("hermes", profile / "skills") for profile in _folders(hermes / "profiles")
    ]
    places.append(Place("claude-code", claude / "skills"))
    # PLUGINS/cache/MARKET/PLUGIN/VERSION/skills, as sessions name it.
    places += [
        Place("claude-code", version / "skills", f"{plugin.name}:")
        for market in _folders(claude / "plugins" / "cache")
        for plugin in _folders(market)
        for version in _folders(plugin)
    ]
    return [place for place in places if _is_folder(place.path)]


def find_skills(places: list[Place]) -> list[Skill]:
    """Return the skills in some places, in the order of places and names.

    A broken one is among them, with its fault; one folder that two places lead to is
    listed once.
    """
    found = []
    seen = set()
    for place in places:
        for folder in _skill_folders(place.path, _DEPTH):
            real = folder.resolve()
            if real not in seen:
                seen.add(real)
                found.append(read_skill(folder, agent=place.agent, prefix=place.prefix))
    return found


def read_skill(folder: Path, *, agent: Agent = "oldhand", prefix: str = "") -> Skill:
    """Return the skill in a folder, with its fault where it is broken."""
    broken = Skill(prefix + folder.name, "", None, None, agent, folder)
    try:
        head = read_frontmatter(_head(folder))
        name = checked_name("name", head.get("name"), most=MAX_NAME_CHARS)
        description = head.get("description", "")
        if not 0 < len(description) <= MAX_DESCRIPTION_CHARS:
            raise wrong(
                "description",
                description,
                f"a text of 1 to {MAX_DESCRIPTION_CHARS} characters",
            )
        return Skill(
            prefix + name, description, version_of(folder), head.get("version"), agent,
            folder,
        )  # fmt: skip
    except InvalidInput as fault:
        return broken._replace(fault=f"{folder / FILE}: {fault}")


def _head(folder: Path) -> str:
    path = folder / FILE
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise InvalidInput("a link that leads out of the skill's folder")
        if not path.is_file():
            raise InvalidInput("not a file")
        with path.open("rb") as file:
            return file.read(MAX_HEAD_BYTES).decode("utf-8", "strict")
    except UnicodeDecodeError as fault:
        if fault.start > MAX_HEAD_BYTES - 4:  # cut within a character
            return fault.object[: fault.start].decode("utf-8")
        raise InvalidInput(f"byte {fault.start} is not UTF-8") from fault
    except (OSError, RuntimeError) as fault:
        raise InvalidInput(str(fault)) from fault


def _skill_folders(place: Path, depth: int) -> Iterator[Path]:
    for folder in _folders(place):
        if (folder / FILE).is_symlink() or (folder / FILE).exists():
            yield folder
        elif depth > 1:
            yield from _skill_folders(folder, depth - 1)


def _folders(place: Path) -> list[Path]:
    """Return the folders in a place by name; none where it cannot be looked into."""
    try:
        return sorted(
            path
            for path in place.iterdir()
            if path.name not in _LEFT_OUT and path.is_dir()
        )
    except OSError:
        return []


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
