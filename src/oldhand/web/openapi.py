"""`openapi.json`, made of the table from which the routes are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from oldhand.web.address import Address
from oldhand.web.operation import Operation, Who
from oldhand.web.schemas import ANSWERED, SENT

_EVERYWHERE = (400, 421, 500, 503)
_SIGNED = (401, 403)
_WITH_PATH = (404,)
_CHANGING = (403, 408, 413, 415, 507)
_KINDS = {"Events": "text/event-stream"}


def describe(operations: Iterable[Operation], *, address: Address) -> dict[str, Any]:
    """Describe the API as OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "oldhand: actions held for a person",
            "version": "1",
            "description": "An agent asks, a person decides, and what was approved runs, "
            "once. Errors are application/problem+json (RFC 9457).",
        },
        "servers": [{"url": address.url}],
        "paths": paths,
        "components": {
            "schemas": {**SENT, **ANSWERED},
            "securitySchemes": {
                "agent": {"type": "http", "scheme": "bearer"},
                "person": {
                    "type": "apiKey", "in": "cookie", "name": address.cookie_name
                },
                "csrf": {
                    "type": "apiKey", "in": "header", "name": "X-CSRF-Token",
                    "description": "For what changes something, together with an Origin "
                    "or a Sec-Fetch-Site header of ours.",
                },
            },
        },
    }  # fmt: skip


def statuses_of(operation: Operation) -> list[int]:
    """Return every status that an operation may answer with."""
    found = {*operation.answers, *operation.problems, *_EVERYWHERE}
    if operation.who != "open":
        found.update(_SIGNED)
    if "{" in operation.path:
        found.update(_WITH_PATH)
    if operation.method != "GET":
        found.update(_CHANGING)
    return sorted(found)


def _operation(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": operation.endpoint.__module__.rpartition(".")[2]
        + "_"
        + operation.endpoint.__name__.strip("_"),
        "security": _security(operation),
        "parameters": _parameters(operation),
        "responses": {
            str(status): _response(operation, status)
            for status in statuses_of(operation)
        },
    }
    if operation.body is not None:
        described["requestBody"] = {
            "required": operation.is_body_needed,
            "content": {"application/json": {"schema": _schema(operation.body)}},
        }
    return described


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    agent: dict[str, list[str]] = {"agent": []}
    person: dict[str, list[str]] = {"person": []}
    if operation.method != "GET":
        person["csrf"] = []
    ways: Mapping[Who, list[dict[str, list[str]]]] = {
        "open": [],
        "agent": [agent],
        "person": [person],
        "signed": [agent, person],
    }
    return ways[operation.who]


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in operation.path.split("/") if part[:1] == "{"]
    return [
        *(
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in names
        ),
        *(
            {"name": name, "in": "query", "schema": dict(schema)}
            for name, schema in operation.query.items()
        ),
        *(
            {"name": name, "in": "header", "schema": dict(schema)}
            for name, schema in operation.headers.items()
        ),
    ]


def _response(operation: Operation, status: int) -> dict[str, Any]:
    name = operation.answers.get(status)
    if name is not None:
        kind = _KINDS.get(name, "application/json")
        return {
            "description": HTTPStatus(status).phrase,
            "content": {kind: {"schema": _schema(name)}},
        }
    problem: dict[str, Any] = {**_schema("Problem")}
    if status == HTTPStatus.FORBIDDEN and operation.path == "/confirm":
        problem = {"anyOf": [problem, _schema("Blocked")]}
    return {
        "description": HTTPStatus(status).phrase,
        "content": {"application/problem+json": {"schema": problem}},
    }


def _schema(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
