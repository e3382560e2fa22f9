"""What becomes of a template's versions: proposed, accepted, retired, superseded.

An agent may propose, and only a person accepts: else whoever can make an agent call a tool
could decide what all later sessions begin with. What is retired stays, for what was given
must be known; it is given no more.
"""

from __future__ import annotations

from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import Conflict, InvalidInput, NotFound
from oldhand.experience.template.model import State, Template, state_of
from oldhand.experience.template.rows import HOW_TO_LIST, find_template, parts_of
from oldhand.lazy_pattern import LazyPattern
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience")
_MOST_SUCCESSORS = 20
_DIGEST = LazyPattern(r"[0-9A-Fa-f]{8,64}")


class Given(NamedTuple):
    """The version that a label stands for, and what a person should know of that."""

    template: Template
    note: str


class _Version(NamedTuple):
    version: int
    state: State
    successor: str | None


def template_to_give(store: Store, label: str) -> Given:
    """Return the version that is given for a label.

    A name stands for its newest version that is neither proposed nor retired. Where all
    are retired, and for a version that is, it is what superseded it, if anything did.

    Raises:
        NotFound: There is none.
        Conflict: It is a proposal, or it was retired and nothing superseded it.
    """
    note = ""
    asked = label
    for _ in range(_MOST_SUCCESSORS):
        name, _version = parts_of(label)
        versions = _versions_given(store, asked, label)
        accepted = next((v.version for v in versions if v.state == "accepted"), None)
        if accepted is not None:
            return Given(find_template(store, f"{name}@{accepted}"), note)
        label = _successor(asked, label, versions)
        note = f"{asked} was superseded by {label}"
    raise Conflict(f"template {asked}: what superseded it leads nowhere")


def _versions_given(store: Store, asked: str, label: str) -> list[_Version]:
    try:
        return _versions(store, label)
    except NotFound as fault:
        if label == asked:
            raise
        raise NotFound(
            f"template {label}, which superseded {asked}, was deleted",
            advice=HOW_TO_LIST,
        ) from fault


def _successor(asked: str, label: str, versions: list[_Version]) -> str:
    retired = next((v for v in versions if v.state == "retired"), None)
    if retired is None:
        raise Conflict(
            f"template {label} is a proposal of an agent; a person must accept it first",
            advice=f"`oldhand template show {label}`, then `oldhand template accept {label}`",
        )
    if retired.successor is None:
        via = "" if asked == label else f", which superseded {asked},"
        raise Conflict(f"template {label}{via} was retired", advice=HOW_TO_LIST)
    return retired.successor


def accept_template(store: Store, label: str, *, digest: str | None = None) -> Template:
    """Let a proposal be given: a person has read it.

    Args:
        store: Where it is.
        label: A name, for its newest proposal, or `name@version`; that where a version
            is accepted, as the name shows a person that one.
        digest: Of what the person has read, or how it begins: 8 to 64 hexadecimal
            digits; None to accept whatever the label names.

    Raises:
        NotFound: There is no such template.
        InvalidInput: The digest is none.
        Conflict: It is no proposal, the name alone shows another version, or the digest
            is another's.
    """
    read = None if digest is None else _check_digest(digest)
    with store.transaction():
        accepted = find_template(store, _proposal(store, label))
        if read is not None and not accepted.digest.startswith(read):
            raise Conflict(
                f"template {accepted.label} has the digest {accepted.digest[:16]}, and "
                f"you have read {read[:16]}: look again with `oldhand template show "
                f"{accepted.label}`"
            )
        store.execute(
            _SQL["accept_template"],
            {"name": accepted.name, "version": accepted.version},
        )
        return find_template(store, accepted.label)


def _check_digest(digest: str) -> str:
    """Return a digest, or how one begins, in small letters.

    Raises:
        InvalidInput: It is none, or so short that another is easily found.
    """
    if not _DIGEST.fullmatch(digest):
        raise InvalidInput(
            f"{digest!r} is no digest; expected 8 to 64 hexadecimal digits, as "
            "`oldhand template show` prints them"
        )
    return digest.lower()


def _proposal(store: Store, label: str) -> str:
    """Return the `name@version` of the proposal that a label names."""
    name, version = parts_of(label)
    versions = _versions(store, label)
    found = next((v.version for v in versions if v.state == "proposed"), None)
    if found is None:
        raise Conflict(
            f"template {label} is {versions[0].state}; there is no proposal to accept"
        )
    if version is None and any(v.state == "accepted" for v in versions):
        raise Conflict(
            f"template {label} has an accepted version, which it stands for; say which "
            f"proposal: {name}@{found}"
        )
    return f"{name}@{found}"


def delete_proposals(store: Store, label: str) -> int:
    """Remove what an agent proposed: all versions of a name, or the one of `name@version`.

    Returns:
        How many versions were removed.

    Raises:
        NotFound: There is no such template.
        Conflict: One of them is no proposal: that is a person's to delete.
    """
    name, version = parts_of(label)
    for kept in _versions(store, label):
        if kept.state != "proposed":
            raise Conflict(
                f"template {name}@{kept.version} is {kept.state}; an agent deletes only "
                "proposals, each by its NAME@VERSION"
            )
    # One that a person accepts meanwhile stays.
    return store.execute(_SQL["delete_proposals"], {"name": name, "version": version})


def retire_template(
    store: Store,
    label: str,
    *,
    successor: str | None = None,
    clock: Clock = system_clock,
) -> list[str]:
    """Give a template no more: all versions of a name, or the one of `name@version`.

    Args:
        store: Where it is.
        label: A name or `name@version`.
        successor: What is given in its place.
        clock: Gives the time.

    Returns:
        The labels of the versions that were retired, newest first.

    Raises:
        NotFound: There is no such template.
        Conflict: All that it names has been retired before.
    """
    name, version = parts_of(label)
    with store.transaction():
        versions = _versions(store, label)
        now = [f"{name}@{v.version}" for v in versions if v.state != "retired"]
        if not now:
            raise Conflict(f"template {label} has been retired already")
        store.execute(
            _SQL["retire_templates"],
            {
                "name": name,
                "version": version,
                "retired_at_us": clock(),
                "successor": successor,
            },
        )
    return now


def supersede_template(
    store: Store, old: str, new: str, *, clock: Clock = system_clock
) -> list[str]:
    """Retire a template, and give another where it is asked for.

    Returns:
        The labels of the versions that were retired, newest first.

    Raises:
        NotFound: There is no such template.
        InvalidInput: The new one is among those that are retired.
        Conflict: The old one has been retired before, or the new one is not given.
    """
    with store.transaction():
        given = template_to_give(store, new)
        if given.template.label in {
            f"{parts_of(old)[0]}@{v.version}" for v in _versions(store, old)
        }:
            raise InvalidInput(
                f"{new} is {given.template.label}, which {old} names: a template cannot "
                "take its own place"
            )
        return retire_template(store, old, successor=new, clock=clock)


def _versions(store: Store, label: str) -> list[_Version]:
    """Return the versions that a label names, newest first.

    Raises:
        NotFound: There is none.
    """
    name, version = parts_of(label)
    rows = store.query_all(_SQL["template_states"], {"name": name, "version": version})
    if not rows:
        find_template(store, label)  # says that there is none
    return [
        _Version(
            version,
            state_of(is_proposed=bool(is_proposed), retired_at_us=retired_at_us),
            successor,
        )
        for version, is_proposed, retired_at_us, successor in rows
    ]
