"""Pages for people: made here, whole without a script, and with nothing from elsewhere."""

from __future__ import annotations

from oldhand.web.pages import (
    audit,
    deciding,
    grants,
    inbox,
    jobs,
    people,
    policy,
    request,
    sign_in,
    skills,
    static,
    welcome,
)
from oldhand.web.pages.fault import show_fault
from oldhand.web.routes import Page, Pages

PAGES = Pages(
    pages=(
        *inbox.PAGES,
        *deciding.PAGES,
        *request.PAGES,
        *grants.PAGES,
        *policy.PAGES,
        *audit.PAGES,
        *people.PAGES,
        *jobs.PAGES,
        *skills.PAGES,
        *sign_in.PAGES,
        *welcome.PAGES,
        Page("GET", "/static/{name}", static.static_file),
    ),
    fault=show_fault,
)

__all__ = ["PAGES"]
