"""How an extra is installed: from where this oldhand came, which need not be an index.

Who works from a checkout has a package that no index may know, or knows as another's.
"""

from __future__ import annotations


def install_command(extra: str) -> str:
    """Return the command line that installs an extra, as `serve`."""
    # Imported here: 20 ms that only who lacks something pays.
    import json  # noqa: PLC0415
    import shlex  # noqa: PLC0415
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415
    from urllib.parse import unquote, urlsplit  # noqa: PLC0415

    try:
        # Source: PEP 610, which pip and uv write for what came from no index.
        text = distribution("oldhand").read_text("direct_url.json") or "{}"
    except PackageNotFoundError:
        text = "{}"
    came = json.loads(text)
    place = urlsplit(came.get("url", ""))
    if place.scheme != "file" or "dir_info" not in came:
        return f"pip install 'oldhand[{extra}]'"
    editable = "-e " if came["dir_info"].get("editable") else ""
    return f"pip install {editable}{shlex.quote(f'{unquote(place.path)}[{extra}]')}"
