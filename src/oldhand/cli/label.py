"""`oldhand calls label`: a user says how calls really went, and sees how judging does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.tables import plain
from oldhand.counted import counted
from oldhand.errors import InvalidInput, UnreadableSource

if TYPE_CHECKING:
    from oldhand.sessions.labels import LabelReport, Share
    from oldhand.sessions.read_calls import JudgedCall

_ANSWERS = {
    "o": "ok",
    "e": "error",
    "n": "negative",
    "m": "empty",
    "b": "blocked",
    "c": "cancelled",
    "u": "unknown",
}
_QUESTION = (
    "[o]k  [e]rror: a bad call  [n]egative: a checker said no  e[m]pty  [b]locked  "
    "[c]ancelled  [u]nknown  [s]kip  [q]uit"
)
_MAX_SHOWN_CHARS = 1_200


@click.command("label")
@click.argument("call", required=False)
@click.argument("outcome", required=False)
@click.option(
    "--count",
    type=click.IntRange(1, 1_000),
    default=20,
    show_default=True,
    help="Ask about so many calls.",
)
@click.option(
    "--from",
    "file",
    type=click.File(encoding="utf-8"),
    help="Read labels, JSON lines with call and outcome; - is standard input.",
)
@click.option("--report", "only_report", is_flag=True, help="Ask nothing.")
@common_options
def label(
    face: Face,
    call: str | None,
    outcome: str | None,
    count: int,
    file: IO[str] | None,
    *,
    only_report: bool,
) -> None:
    """Say how calls really went, and see how well judging does on your own data.

    Without arguments it asks about a sample in which every rule of judging has its turn,
    and does not show what was judged. With CALL and OUTCOME it notes that one. Precision
    and recall of "failed" (error or negative) are weighted by how many calls each rule
    judged; the intervals know of what nothing is labelled.

    With --json and no labels it prints the sample, to be labelled elsewhere and read back
    with --from.
    """
    from oldhand.sessions.labels import label_call, sample, score_labels
    from oldhand.sessions.read_calls import find_call, load_call

    store = face.store()
    if call is not None:
        if outcome is None:
            raise InvalidInput(f"{call}: and how did it go? expected an outcome, too")
        label_call(store, find_call(store, call), outcome)
    elif file is not None:
        for key, said in _read(file):
            label_call(store, find_call(store, key), said)
    elif not only_report:
        asked = [load_call(store, key) for key in sample(store, count)]
        if face.as_json:
            for found in asked:
                face.emit(_without_verdict(found))
            return
        for found, said in _ask(asked):
            label_call(store, found.id, said)
    report = score_labels(store)
    if face.as_json:
        face.emit(_report_json(report))
    else:
        _show(face, report)


def _read(file: IO[str]) -> Iterator[tuple[str, str]]:
    try:
        lines = file.readlines()
    except UnicodeDecodeError as fault:
        raise UnreadableSource(f"{file.name}: not UTF-8") from fault
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _label_in(line, number)


def _label_in(line: str, number: int) -> tuple[str, str]:
    expected = "expected an object with call and outcome"
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise InvalidInput(f"line {number} is no JSON; {expected}") from fault
    if not isinstance(value, dict):
        raise InvalidInput(f"line {number} is no object; {expected}")
    missing = [name for name in ("call", "outcome") if name not in value]
    if missing:
        raise InvalidInput(
            f"line {number} has no {' and no '.join(missing)}; {expected}"
        )
    return str(value["call"]), str(value["outcome"])


def _without_verdict(call: JudgedCall) -> dict[str, Any]:
    shown = call.as_json()
    shown["call"] = f"{call.session}/{call.call_id}"
    hidden = ("outcome", "rule", "confidence", "error_kind")
    return {name: value for name, value in shown.items() if name not in hidden}


def _ask(calls: list[JudgedCall]) -> Iterator[tuple[JudgedCall, str]]:
    if not calls:
        talk("every call has its label")
    for number, call in enumerate(calls, 1):
        click.echo(f"\n{number} of {len(calls)}   {plain(call.tool)}")
        click.echo(_shortened(call.arguments))
        click.echo("result:" if call.result else "result: none")
        click.echo(_shortened(call.result or ""))
        said = click.prompt(
            _QUESTION,
            type=click.Choice([*_ANSWERS, "s", "q"]),
            show_choices=False,
            prompt_suffix="\n> ",
        )
        if said == "q":
            return
        if said != "s":
            yield call, _ANSWERS[said]


def _shortened(text: str) -> str:
    """Return the beginning and the end of a text, indented, unable to steer a terminal."""
    half = _MAX_SHOWN_CHARS // 2
    if len(text) > 2 * half:
        cut = len(text) - 2 * half
        text = (
            f"{text[:half]}\n… {counted(cut, 'character')} left out …\n{text[-half:]}"
        )
    return "\n".join(f"    {plain(line)}" for line in text.split("\n"))


def _report_json(report: LabelReport) -> dict[str, Any]:
    return {
        "labels": report.labels,
        "calls": report.calls,
        "precision": report.precision.as_json(),
        "recall": report.recall.as_json(),
        "exact": report.exact,
        "rules": _rows(report),
        "misses": len(report.misses),
    }


def _rows(report: LabelReport) -> list[dict[str, Any]]:
    return [
        {
            "rule": stratum.rule,
            "outcome": stratum.outcome,
            "calls": calls,
            "labels": labels,
            "agree": agree,
        }
        for stratum, (calls, labels, agree) in report.strata.items()
    ]


def _show(face: Face, report: LabelReport) -> None:
    columns = ("rule", "outcome", "calls", "labels", "agree")
    face.emit_rows(_rows(report), columns={name: name for name in columns})
    if not report.labels:
        click.echo("no labels yet: nothing is known of how well judging does here")
        return
    click.echo(f"{counted(report.labels, 'label')} of {counted(report.calls, 'call')}")
    click.echo(f"precision of failed: {_share(report.precision)}")
    click.echo(f"recall of failed:    {_share(report.recall)}")
    unlabelled = sum(1 for _, labels, _ in report.strata.values() if not labels)
    if unlabelled:
        click.echo(
            f"{unlabelled} of {len(report.strata)} rules have no label, which is why the "
            "intervals are wide"
        )


def _share(share: Share) -> str:
    value = "unknown" if share.value is None else f"{share.value:.3f}"
    return f"{value}  (95 %: {share.low:.3f} to {share.high:.3f})"
