"""What is different between two templates: settings, and examples by tool and shape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from oldhand.experience.example import Example
from oldhand.experience.template.model import Template

_SETTINGS = (
    "kind",
    "description",
    "task",
    "tags",
    "addendum",
    "has_foreign_addendum",
    "state",
    "successor",
    "principal",
)
_Key = tuple[str, str]


class Changed(NamedTuple):
    """An example that both have, with what is different.

    Attributes:
        tool: Its tool.
        shape: Its shape.
        fields: By name, what the one says and what the other says.
    """

    tool: str
    shape: str
    fields: dict[str, tuple[Any, Any]]


class TemplateDiff(NamedTuple):
    """What is different between two templates.

    Attributes:
        first: The label of the one.
        second: The label of the other.
        settings: By name, what the one says and what the other says.
        added: Examples that only the other has.
        removed: Examples that only the one has.
        changed: Examples that both have, not alike.
    """

    first: str
    second: str
    settings: dict[str, tuple[Any, Any]]
    added: list[Example]
    removed: list[Example]
    changed: list[Changed]

    @property
    def is_same(self) -> bool:
        """Whether nothing is different."""
        return not (self.settings or self.added or self.removed or self.changed)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {
            "first": self.first,
            "second": self.second,
            "is_same": self.is_same,
            "settings": self.settings,
            "added": [example._asdict() for example in self.added],
            "removed": [example._asdict() for example in self.removed],
            "changed": [each._asdict() for each in self.changed],
        }


def diff_templates(first: Template, second: Template) -> TemplateDiff:
    """Compare two templates; examples of one tool and shape are held against each other."""
    before, after = _by_shape(first.examples), _by_shape(second.examples)
    added, removed, changed = [], [], []
    for key in dict.fromkeys([*before, *after]):
        olds, news = before.get(key, []), after.get(key, [])
        shared = min(len(olds), len(news))
        removed += olds[shared:]
        added += news[shared:]
        for old, new in zip(olds, news, strict=False):
            fields = _differences(old._asdict(), new._asdict())
            if fields:
                changed.append(Changed(*key, fields))
    return TemplateDiff(
        first.label,
        second.label,
        _differences(
            {name: getattr(first, name) for name in _SETTINGS},
            {name: getattr(second, name) for name in _SETTINGS},
        ),
        added,
        removed,
        changed,
    )


def _by_shape(examples: Iterable[Example]) -> dict[_Key, list[Example]]:
    found: dict[_Key, list[Example]] = {}
    for example in examples:
        found.setdefault((example.tool, example.shape), []).append(example)
    return found


def _differences(
    first: dict[str, Any], second: dict[str, Any]
) -> dict[str, tuple[Any, Any]]:
    return {
        name: (value, second[name])
        for name, value in first.items()
        if value != second[name]
    }
