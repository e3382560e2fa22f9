"""What is served keeps what `openapi.json` promises, whatever is sent.

Schemathesis makes requests of the description, right ones and wrong ones, as an agent and
as a person.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from oldhand.confirm.model import Rules
from oldhand.store import open_database
from oldhand.web.api import OPERATIONS
from oldhand.web.operation import Operation
from oldhand.web.server import Parts

from .daemon import Daemon, running

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
_FEW = settings(
    max_examples=6,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """Run one daemon for all: what is sent to it piles up, as it does in life."""
    folder: Path = tmp_path_factory.mktemp("schemathesis")
    store = open_database(str(folder / "oldhand.db"))
    rules = Rules(per_hour=0, max_pending=0)
    with running(store, parts=Parts(rules=rules)) as made:
        yield made
    store.close()


@pytest.fixture(scope="module")
def described(daemon: Daemon) -> schemathesis.BaseSchema:
    document = daemon.nobody.get("/openapi.json").json()
    # Who it is, is said here: else its mistakes would be with that alone.
    for methods in document["paths"].values():
        for operation in methods.values():
            operation["security"] = []
    return schemathesis.openapi.from_dict(document)


# Not: what never ends, and after what nobody is signed in any more.
_TRIED = [each for each in OPERATIONS if each.path not in {"/events", "/sign-out"}]
each_operation = pytest.mark.parametrize(
    "operation", _TRIED, ids=lambda each: f"{each.method} {each.path}"
)
each_mode = pytest.mark.parametrize(
    "mode", list(GenerationMode), ids=lambda each: each.value
)


@each_mode
@each_operation
def test_agents_and_people_get_what_is_promised(
    operation: Operation,
    mode: GenerationMode,
    described: schemathesis.BaseSchema,
    daemon: Daemon,
) -> None:
    strategy = described[operation.path][operation.method].as_strategy(
        generation_mode=mode
    )
    callers = [daemon.agent(), daemon.person(), daemon.browser()]

    @_FEW
    @given(strategy)
    def hold(case: schemathesis.Case[Any]) -> None:
        for caller in callers:
            _send(case, daemon, caller.headers)

    try:
        hold()
    except Unsatisfiable:
        pytest.skip("nothing wrong can be sent here")


def _send(
    case: schemathesis.Case[Any], daemon: Daemon, headers: dict[str, str]
) -> None:
    case.query = {k: v for k, v in (case.query or {}).items() if k != "wait"}
    response = case.call(base_url=daemon.url, headers=headers, timeout=10)
    case.validate_response(response, checks=_CHECKS)
