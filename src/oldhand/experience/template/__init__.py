"""Templates: built from the pool, kept in versions, exchanged as JSON."""

from __future__ import annotations

from oldhand.experience.template.build import build_template_for
from oldhand.experience.template.model import Template, check_kind, check_name
from oldhand.experience.template.rows import (
    TemplateSummary,
    delete_template,
    find_template,
    list_templates,
    save_template,
)

__all__ = [
    "Template",
    "TemplateSummary",
    "build_template_for",
    "check_kind",
    "check_name",
    "delete_template",
    "find_template",
    "list_templates",
    "save_template",
]
