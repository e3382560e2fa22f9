"""The options about tools and literals, for templates and warm starts alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

R = TypeVar("R")
TOOLS_HELP = (
    "The tools that the session has, by name; or a file, NAME.json, of their definitions: "
    "calls that do not fit these are left out."
)
_ENDING = ".json"


def tools_named(text: str | None) -> list[Any] | None:
    """Return the tools that an option names: by name, or as a file defines them.

    Raises:
        NotFound: There is no such file.
        UnreadableSource: It cannot be read, or is no JSON.
        InvalidInput: It holds no list of definitions.
    """
    if text is None:
        return None
    if not text.endswith(_ENDING):
        return [name.strip() for name in text.split(",") if name.strip()]
    from oldhand.errors import InvalidInput

    value = read_json(Path(text), expected="a list of tool definitions")
    listed = value.get("tools") if isinstance(value, dict) else value
    if not isinstance(listed, list) or not listed:
        raise InvalidInput(f"{text}: expected a list of tool definitions")
    wrong = next((at for at, item in enumerate(listed) if not _is_object(item)), None)
    if wrong is not None:
        raise InvalidInput(f"{text}: tools[{wrong}]: expected an object")
    return listed


def _is_object(item: object) -> bool:
    return isinstance(item, dict)


def generalise_option(
    *, default: bool
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Give a command `--generalise` and `--keep-literals`, one of them as the default."""
    return click.option(
        "--generalise/--keep-literals",
        default=default,
        show_default=True,
        help="Put placeholders for what only one session said, or leave it.",
    )


def read_json(path: Path, *, expected: str) -> Any:  # noqa: ANN401 - any JSON value
    """Read a JSON file, or stdin for `-`.

    Raises:
        NotFound: There is no such file.
        UnreadableSource: It cannot be read, or is no JSON.
    """
    import json
    import sys

    from oldhand.errors import NotFound, UnreadableSource

    try:
        text = (
            sys.stdin.read()
            if str(path) == "-"
            else path.read_text(encoding="utf-8-sig")
        )
        return json.loads(text)
    except FileNotFoundError as fault:
        raise NotFound(f"{path}: no such file") from fault
    except OSError as fault:
        raise UnreadableSource(f"{path}: {fault.strerror}") from fault
    except (ValueError, RecursionError) as fault:
        raise UnreadableSource(f"{path}: not JSON; expected {expected}") from fault
