"""How pages are made of templates: everything is escaped, and a name that is missing raises."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from oldhand.canonical_json import canonical_json
from oldhand.clock import to_iso
from oldhand.notices.visible import visible
from oldhand.web.pages.marked import mark
from oldhand.web.pages.spoken import LEVEL_WORDS, STATE_WORDS, ago, clock_time, span
from oldhand.web.pages.static import version_of

NO_HEADERS: Mapping[str, str] = MappingProxyType({})


def page(
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] = NO_HEADERS,
    **context: Any,  # noqa: ANN401 - what a template shows
) -> HTMLResponse:
    """Make a page of a template."""
    html = _environment().get_template(template).render(context)
    return HTMLResponse(html, status_code=status, headers=headers)


@cache
def _environment() -> Environment:
    """Return what makes pages, made when the first is wanted."""
    made = Environment(
        loader=PackageLoader("oldhand.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "mark": mark,
        "line": lambda text: mark(text, is_multiline=False),
        "plain": visible,
        "ago": ago,
        "iso": to_iso,
        "clock_time": clock_time,
        "span": span,
        "canonical": canonical_json,
    }
    made.globals |= {
        "STATE_WORDS": STATE_WORDS,
        "LEVEL_WORDS": LEVEL_WORDS,
        "version_of": version_of,
    }
    return made
