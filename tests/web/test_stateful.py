"""Whole ways through the API, as schemathesis finds them in `openapi.json`.

What one answer gives (an id, a rev, a digest) goes into the next request, so that states
are met that no single request leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from oldhand.confirm.model import Rules
from oldhand.store import open_database
from oldhand.web.server import Parts

from .daemon import Daemon, running

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
_PEOPLES = ("/approve", "/deny", "/revoke")
_SHOWN = {"rev": "$response.body#/rev", "digest": "$response.body#/digest"}
_SAID_AGAIN = {
    "action": "$response.body#/action",
    "details": "$response.body#/details",
    "target": "$response.body#/target",
}
_WAYS_ON: dict[str, dict[str, dict[str, Any]]] = {
    "/confirm": {"": {}, "/approve": _SHOWN, "/deny": _SHOWN, "/cancel": {}},
    "/confirm/{id}": {"/consume": _SAID_AGAIN},
    "/confirm/{id}/approve": {"/consume": _SAID_AGAIN, "/revoke": {}},
    "/confirm/{id}/consume": {"/result": {"success": True}},
    "/confirm/{id}/deny": {"": {}},
    "/confirm/{id}/cancel": {"": {}},
    "/confirm/{id}/revoke": {"": {}},
    "/confirm/{id}/result": {"": {}},
}
"""From each path what may come next, with what of the answer goes into its body."""


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    folder: Path = tmp_path_factory.mktemp("stateful")
    store = open_database(str(folder / "oldhand.db"))
    rules = Rules(per_hour=0, max_pending=0)
    with running(store, parts=Parts(rules=rules)) as made:
        yield made
    store.close()


def linked(document: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a description that is about requests, each answer with its ways on."""
    paths = {path: document["paths"][path] for path in _WAYS_ON}
    del paths["/confirm"]["get"]
    # With a key a second run of the same steps would be answered by the first one's request.
    del paths["/confirm"]["post"]["parameters"]
    for path, methods in paths.items():
        for operation in methods.values():
            operation["security"] = []
            for status in {"200", "202"} & set(operation["responses"]):
                operation["responses"][status]["links"] = _links(paths, path)
    return document | {"paths": paths}


def _links(paths: dict[str, Any], path: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for verb, body in _WAYS_ON[path].items():
        (operation,) = paths[f"/confirm/{{id}}{verb}"].values()
        link = {
            "operationId": operation["operationId"],
            "parameters": {"path.id": "$response.body#/id"},
            "x-schemathesis": {"merge_body": False},
        }
        found[link["operationId"]] = link | ({"requestBody": body} if body else {})
    return found


@pytest.mark.timeout(60)  # 6 seconds where nothing else runs
def test_no_way_through_the_api_breaks_what_is_promised(daemon: Daemon) -> None:
    document = linked(daemon.nobody.get("/openapi.json").json())
    schema = schemathesis.openapi.from_dict(document)
    schema.config.generation.update(modes=[schemathesis.GenerationMode.POSITIVE])
    agent, person = daemon.agent().headers, daemon.person().headers
    seen: set[tuple[str, int]] = set()

    class Ways(schema.as_state_machine()):  # type: ignore[misc]
        def get_call_kwargs(self, case: schemathesis.Case[Any]) -> dict[str, Any]:
            headers = person if case.path.endswith(_PEOPLES) else agent
            return {"base_url": daemon.url, "headers": headers, "timeout": 10}

        def before_call(self, case: schemathesis.Case[Any]) -> None:
            case.query = {k: v for k, v in (case.query or {}).items() if k != "wait"}

        def validate_response(
            self, response: Any, case: schemathesis.Case[Any], **_: Any
        ) -> None:
            seen.add((case.path, response.status_code))
            case.validate_response(response, checks=_CHECKS)

    Ways.run(
        settings=settings(
            max_examples=16,
            stateful_step_count=10,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
    )

    done = {path for path, status in seen if status in {200, 202}}
    assert done == set(_WAYS_ON)
    assert 409 in {status for _, status in seen}
