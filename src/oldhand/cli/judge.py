"""`oldhand calls judge`: why a call is judged as it is, and judging all of them anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from oldhand.cli.face import Face, common_options
from oldhand.cli.tables import plain
from oldhand.counted import counted

if TYPE_CHECKING:
    from oldhand.sessions.outcome.explain import Step
    from oldhand.sessions.read_calls import JudgedCall
    from oldhand.sessions.rejudge import CallExplained, Rejudged

_LATER = {
    "retry-worked": "a call of the same shape worked soon after",
    "repeat-failed": "the very same call failed soon after",
    "corrected": "the next that the user said was that it is wrong",
}
_MAX_SHOWN_CHARS = 200


@click.command("judge")
@click.option(
    "--explain",
    "name",
    metavar="CALL",
    help="Only say why this call is judged as it is: its id, or SESSION/ID.",
)
@click.option("--dry-run", is_flag=True, help="Say what would change; change nothing.")
@common_options
def judge(face: Face, name: str | None, *, dry_run: bool) -> None:
    """Judge the calls on record anew, by the rules of this version.

    With --explain, show the evidence about one call in the order in which it is looked at,
    the rule that decided, and what came later that moved the confidence.
    """
    if name is not None:
        _explain(face, name)
        return
    from oldhand.cli.progress import waiting
    from oldhand.sessions.rejudge import rejudge_all

    store = face.store(for_writing=not dry_run)
    with waiting("judging") as progress:
        found = rejudge_all(store, keeps=not dry_run, progress=progress)
    _show_changes(face, found, is_done=not dry_run)


def _show_changes(face: Face, found: Rejudged, *, is_done: bool) -> None:
    rows = [
        {"from": old, "to": new, "calls": count}
        for (old, new), count in sorted(found.outcomes.items())
    ]
    if face.as_json:
        counts = {"calls": found.calls, "reasons": found.reasons}
        face.emit({**counts, "outcomes": rows, "kept": is_done})
        return
    if rows:
        face.emit_rows(rows, columns={"from": "from", "to": "to", "calls": "calls"})
    outcomes = found.outcomes.total()
    click.echo(
        f"{counted(found.calls, 'call')} judged; {'with' if is_done else 'would have'} "
        f"another outcome: {outcomes:,}, another rule or confidence: {found.reasons:,}"
    )


def _explain(face: Face, name: str) -> None:
    from oldhand.sessions.read_calls import find_call, load_call
    from oldhand.sessions.rejudge import explain_call

    store = face.store()
    key = find_call(store, name)
    call, found = load_call(store, key), explain_call(store, key)
    if face.as_json:
        face.emit(_as_json(call, found))
    else:
        _show(call, found)


def _as_json(call: JudgedCall, found: CallExplained) -> dict[str, object]:
    explanation = found.explanation
    return {
        "session": call.session,
        "call_id": call.call_id,
        "tool": call.tool,
        "evidence": explanation.evidence,
        "steps": [step._asdict() for step in explanation.steps],
        "also": [step._asdict() for step in explanation.also],
        "judgement": explanation.judgement._asdict(),
        "recorded": found.recorded._asdict(),
        "later": found.later,
    }


def _show(call: JudgedCall, found: CallExplained) -> None:
    explanation = found.explanation
    click.echo(f"{plain(call.session)}/{plain(call.call_id)}   {plain(call.tool)}")
    click.echo(f"    {plain(call.arguments[:_MAX_SHOWN_CHARS])}")
    click.echo("\nwhat is known")
    for name, value in explanation.evidence.items():
        click.echo(f"    {name:14}{plain(value)}")
    click.echo("\nasked in order; the first yes decides")
    for step in explanation.steps:
        click.echo(_line(step))
    if explanation.also:
        click.echo("\nwould have said yes, too")
        for step in explanation.also:
            click.echo(_line(step))
    judgement, recorded = explanation.judgement, found.recorded
    click.echo(f"\n{_judged(judgement.outcome, judgement.rule, judgement.confidence)}")
    if found.later is not None:
        why = _LATER.get(found.later, found.later)
        click.echo(f"on record with confidence {recorded.confidence}: {why}")
    elif recorded[:2] != judgement[:2]:
        was = _judged(recorded.outcome, recorded.rule, recorded.confidence)
        click.echo(f"on record: {was}; `oldhand calls judge` judges anew")


def _line(step: Step) -> str:
    mark = "yes" if step.holds else "no"
    verdict = f"  → {step.outcome} ({step.confidence})" if step.holds else ""
    return f"    {mark:4}{step.rule:18}{step.question}{verdict}"


def _judged(outcome: str, rule: str, confidence: float) -> str:
    return f"{outcome} by {rule}, confidence {confidence}"
