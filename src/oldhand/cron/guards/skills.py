"""The skills that a job names: where they lie, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oldhand.ledger.model import SkillUse
from oldhand.ledger.skills.find import FILE, Place, Skill, find_skills

MAX_BYTES = 400_000


class Named(NamedTuple):
    """The skills that a job names.

    Attributes:
        found: In the order in which the job names them.
        texts: What their SKILL.md say, in the same order.
        faults: What is wrong with the others, each a sentence.
    """

    found: list[Skill]
    texts: list[str]
    faults: list[str]

    @property
    def uses(self) -> list[SkillUse]:
        """What the ledger is told of them."""
        return [SkillUse(skill.name, skill.version) for skill in self.found]


def find_named(names: Sequence[str], places: list[Place]) -> Named:
    """Find the skills that a job names; one that is not there stops nothing.

    Args:
        names: As their frontmatter says, those of plugins with `PLUGIN:` before it.
        places: Where to look; the first that has one counts.
    """
    named = Named([], [], [])
    if not names:
        return named
    known: dict[str, Skill] = {}
    for each in find_skills(places):
        known.setdefault(each.name, each)
    for name in names:
        skill = known.get(name)
        if skill is None:
            named.faults.append(
                f"the skill {name} is not there; the run goes without it"
            )
        elif skill.fault:
            fault = f"the skill {name} is broken, and left out: {skill.fault}"
            named.faults.append(fault)
        elif skill not in named.found:
            named.found.append(skill)
            named.texts.append(_text(skill))
    return named


def _text(skill: Skill) -> str:
    with (skill.path / FILE).open("rb") as file:
        return file.read(MAX_BYTES).decode("utf-8", "replace")
