"""Templates: built from the pool, kept in versions, exchanged as JSON."""

from __future__ import annotations

from oldhand.experience.template.build import build_template_for
from oldhand.experience.template.model import Template, check_name
from oldhand.experience.template.rows import (
    TemplateSummary,
    delete_template,
    find_template,
    list_templates,
    save_template,
)
from oldhand.experience.template.state import (
    accept_template,
    delete_proposals,
    retire_template,
    supersede_template,
    template_to_give,
)

__all__ = [
    "Template",
    "TemplateSummary",
    "accept_template",
    "build_template_for",
    "check_name",
    "delete_proposals",
    "delete_template",
    "find_template",
    "list_templates",
    "retire_template",
    "save_template",
    "supersede_template",
    "template_to_give",
]
