"""The description of the API is true."""

from __future__ import annotations

import re
from typing import Any

from oldhand.web.address import address_of
from oldhand.web.api import OPERATIONS
from oldhand.web.openapi import describe, statuses_of
from oldhand.web.schemas import ANSWERED, SENT

from .daemon import Daemon

ADDRESS = address_of(host="127.0.0.1", port=6060)


def test_every_operation_is_described_with_every_status() -> None:
    described = describe(OPERATIONS, address=ADDRESS)

    found = {
        (method.upper(), path): sorted(int(each) for each in operation["responses"])
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }
    assert found == {(each.method, each.path): statuses_of(each) for each in OPERATIONS}


def test_operations_are_named_once() -> None:
    described = describe(OPERATIONS, address=ADDRESS)

    names = [
        operation["operationId"]
        for methods in described["paths"].values()
        for operation in methods.values()
    ]
    assert len(names) == len(set(names))


def test_every_schema_that_is_named_is_there_and_used() -> None:
    described = describe(OPERATIONS, address=ADDRESS)

    named = set(re.findall(r"#/components/schemas/(\w+)", str(described)))
    assert named == {*SENT, *ANSWERED}


def test_what_is_promised_of_a_request_is_what_comes(daemon: Daemon) -> None:
    asked = daemon.ask()
    shown = daemon.approve(asked, details={"to": "b"}).json()

    assert set(asked) == set(ANSWERED["Receipt"]["properties"])
    assert set(shown) == set(ANSWERED["Request"]["properties"])


def test_the_daemon_serves_it(daemon: Daemon) -> None:
    served: dict[str, Any] = daemon.nobody.get("/openapi.json").json()

    assert served["openapi"] == "3.1.0"
    assert served["servers"] == [{"url": daemon.url}]
    assert served["paths"].keys() == {each.path for each in OPERATIONS}
