"""`@requires_confirmation`: a function that runs only with leave."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from oldhand.canonical_json import canonical_json
from oldhand.errors import InvalidInput
from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.guarded import run_confirmed

P = ParamSpec("P")
R = TypeVar("R")
Details = Callable[..., Mapping[str, Any]]


def requires_confirmation(  # noqa: PLR0913 - what a request is made of
    *,
    action: str | None = None,
    details: Details | None = None,
    target: str | Callable[..., str] = "",
    description: str = "",
    session_key: str = "",
    timeout_seconds: int | None = None,
    client: ConfirmationClient | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Hold each call of a function for a person.

    The call's arguments, by name, are the details that a person sees. Where the person
    edited them, the function runs with what the person wrote. It runs not at all where it
    was denied, nobody decided, or the daemon does not answer.

    Args:
        action: The function's name by default.
        details: Called with the function's arguments; returns what a person sees instead.
            What it returns cannot be turned back into arguments, so an edit of it is
            refused, and nothing runs.
        target: What it is done to; or called with the arguments, to say it.
        description: In the agent's words.
        session_key: The agent's session.
        timeout_seconds: How long a person has to decide.
        client: Asks the daemon; by default the one that the settings name.

    Raises:
        ConfirmationDenied: From the call: it may not be done; `message_for_model` says it
            in a sentence for a model.
        InvalidInput: From the call: an argument is no JSON value.
        Unreachable: From the call: the daemon does not answer.

    Example:
        >>> @requires_confirmation(action="give_back")
        ... def give_back(order: str, amount: int) -> None: ...
    """
    gate = _Gate(
        action, details, target, description, session_key, timeout_seconds, client
    )

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def held_async(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401
                call = _Call(gate, signature.bind(*args, **kwargs))
                return await _run_async(function, call)

            return cast("Callable[P, R]", held_async)

        @functools.wraps(function)
        def held(*args: P.args, **kwargs: P.kwargs) -> R:
            call = _Call(gate, signature.bind(*args, **kwargs))
            result = call.confirmed(
                function, lambda made: function(*made.args, **made.kwargs)
            )
            return cast("R", result)

        return held

    return decorate


class _Gate(NamedTuple):
    """What the decorator was told."""

    action: str | None
    details: Details | None
    target: str | Callable[..., str]
    description: str
    session_key: str
    timeout_seconds: int | None
    client: ConfirmationClient | None


class _Call:
    """A call that waits for leave."""

    def __init__(self, gate: _Gate, bound: inspect.BoundArguments) -> None:
        bound.apply_defaults()
        self.is_given_up = False
        self._gate = gate
        self._bound = bound
        self._details = self._shown()

    def confirmed(
        self, function: Callable[..., Any], run: Callable[[inspect.BoundArguments], Any]
    ) -> Any:  # noqa: ANN401
        """Ask, and run with what was approved."""
        gate, bound = self._gate, self._bound
        target = gate.target
        if callable(target):
            target = target(*bound.args, **bound.kwargs)
        return run_confirmed(
            gate.client or _default_client(),
            gate.action or function.__name__,
            self._details,
            lambda approved: run(self._arguments(approved)),
            description=gate.description,
            target=target,
            session_key=gate.session_key,
            timeout_seconds=gate.timeout_seconds,
        )

    def _shown(self) -> dict[str, Any]:
        if self._gate.details is None:
            return _checked(self._bound.arguments)
        return _checked(self._gate.details(*self._bound.args, **self._bound.kwargs))

    def _arguments(self, approved: Mapping[str, Any]) -> inspect.BoundArguments:
        """Return the arguments that were approved.

        They are looked at again: a list that was handed over may have grown meanwhile.
        """
        if self.is_given_up:
            raise InvalidInput("the caller gave up before it was approved; nothing ran")
        if canonical_json(approved) == canonical_json(self._shown()):
            return self._bound
        if self._gate.details is not None or approved.keys() != self._details.keys():
            raise InvalidInput(
                "what was approved fits the arguments no more, as it was edited or they "
                "have changed; nothing ran"
            )
        for name, value in approved.items():
            before = self._bound.arguments[name]
            self._bound.arguments[name] = _as_kind_of(before, value)
        return self._bound


async def _run_async(function: Callable[..., Any], call: _Call) -> Any:  # noqa: ANN401
    """Ask in a thread, and run in the caller's loop."""
    loop = asyncio.get_running_loop()

    def run(made: inspect.BoundArguments) -> Any:  # noqa: ANN401
        work = function(*made.args, **made.kwargs)
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    try:
        return await asyncio.to_thread(call.confirmed, function, run)
    except asyncio.CancelledError:
        call.is_given_up = True  # the thread waits on, and must find that out
        raise


def _checked(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return details as JSON values, and nothing that only looks like one."""
    made: dict[str, Any] = {}
    for name, value in shown.items():
        if not _is_json(value):
            raise InvalidInput(
                f"{name} is of type {type(value).__name__}, which a person cannot be "
                "shown as it is; give `details=` to say what to show"
            )
        made[name] = value
    return made


def _is_json(value: object) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and _is_json(held) for key, held in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(_is_json, value))
    is_finite = not isinstance(value, float) or value - value == 0
    return is_finite and type(value) in {str, int, float, bool, type(None)}


def _as_kind_of(before: object, value: object) -> object:
    """Turn a JSON list back into the tuple that `*args` is."""
    return (
        tuple(value) if isinstance(before, tuple) and isinstance(value, list) else value
    )


def _default_client() -> ConfirmationClient:
    from oldhand import settings  # noqa: PLC0415 - importing opens and reads nothing
    from oldhand.integrations.gate.access import client_of  # noqa: PLC0415

    return client_of(settings.load(), waits_for_start=False)
