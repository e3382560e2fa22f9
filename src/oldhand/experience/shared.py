"""Examples as somebody else may see them: without what only one session said.

Which literals others say too is looked up among the calls of the same shape: one call of
each of the newest sessions in which it worked. That is cheap, and knows no more than these:
a path that many sessions used in calls of other shapes counts as one session's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oldhand.canonical_json import canonical_json
from oldhand.experience.example import Example
from oldhand.experience.guard.generalise import Known, generalise, literals_of
from oldhand.experience.guard.owners import repeated_literals
from oldhand.experience.guard.placeholder import candidates, tells_nothing
from oldhand.experience.pool import LoadedPool
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.keys import session_of_call
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience")
_LOOKED_AT = 20
_SHORTEST_REPLACED = 4  # a shorter one is found in many words that it has no part in


def known_literals(
    store: Store, calls: Iterable[int], owners: Mapping[int, str] | None
) -> frozenset[str]:
    """Return the literals that more than one session said in calls of one shape.

    Args:
        store: Where they are.
        calls: Their keys, one of each session.
        owners: As for `repeated_literals`.
    """
    newest = sorted(calls, reverse=True)[:_LOOKED_AT]
    rows = (
        (call, store.query_one(_SQL["call_to_weigh"], {"id": call})) for call in newest
    )
    return repeated_literals(
        (
            (session_of_call(call), literals_of(row[0], arguments_in(row[1])))
            for call, row in rows
            if row is not None
        ),
        owners,
    )


def for_others(example: Example, is_known: Known) -> Example | None:
    """Return an example as another principal may see it; None where that cannot be had.

    Only its arguments are left, made general: its result and what was asked before it were
    said in one session.
    """
    arguments = generalise(
        example.tool, arguments_in(example.arguments), is_known=is_known
    )
    if arguments is None:
        return None
    return example._replace(arguments=canonical_json(arguments), result="", context="")


def for_anybody(example: Example, is_known: Known) -> Example | None:
    """Return an example of one's own as it may be given away; None as in `for_others`.

    The result stays, without the literals that the arguments lost.
    """
    general = for_others(example, is_known)
    if general is None:
        return None
    said = literals_of(example.tool, arguments_in(example.arguments))
    result = example.result
    for literal in sorted(said, key=len, reverse=True):
        is_told = len(literal) >= _SHORTEST_REPLACED and not tells_nothing(literal)
        if is_told and not is_known(literal) and literal not in general.arguments:
            result = result.replace(literal, candidates(literal)[0])
    whole = example.result_chars == len(example.result)
    return general._replace(
        result=result, result_chars=len(result) if whole else example.result_chars
    )


def general_examples(
    store: Store, loaded: LoadedPool, examples: Iterable[Example]
) -> tuple[Example, ...]:
    """Return examples as they may be given away; those that cannot be are left out.

    Args:
        store: Where the sessions are.
        loaded: The pool that says what more than one session said.
        examples: Of one's own.
    """
    calls: dict[tuple[str, str], list[int]] = {}
    for shape_id, found in loaded.exemplars.items():
        tool, _, _, flags = loaded.pool.levels[shape_id]
        calls.setdefault((str(tool), str(flags)), []).extend(call for _, call in found)
    made = []
    for example in examples:
        known = known_literals(
            store, calls.get((example.tool, example.shape), ()), None
        )
        general = for_anybody(example, known.__contains__)
        if general is not None:
            made.append(general)
    return tuple(made)
