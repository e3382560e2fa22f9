"""Proposals, retired templates and their successors, and what is different between two."""

from __future__ import annotations

import pytest

from oldhand.errors import Conflict, InvalidInput, NotFound
from oldhand.experience.example import Example
from oldhand.experience.template import (
    Template,
    accept_template,
    delete_proposals,
    delete_template,
    find_template,
    list_templates,
    retire_template,
    save_template,
    supersede_template,
    template_to_give,
)
from oldhand.experience.template.diff import diff_templates
from oldhand.experience.template.guard import examples_to_give
from oldhand.experience.warm import WarmRequest, warm_start
from oldhand.store import Store

LS = Example("Bash", '{"command":"ls /home/ada/x"}', "a.py", 4, "Bash:ls", outcome="ok")
STATUS = LS._replace(arguments='{"command":"git status"}', shape="Bash:git status")
MINE = Template(name="mine", examples=(LS,), principal="ada")


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def given(store: Store, label: str) -> str | None:
    return warm_start(store, WarmRequest(template=label)).template


def test_a_proposal_is_not_given_until_it_is_accepted(store: Store) -> None:
    save_template(store, MINE._replace(is_proposed=True))

    with pytest.raises(Conflict, match="a person must accept it first"):
        given(store, "mine")
    accept_template(store, "mine")

    assert given(store, "mine") == "mine@1"
    with pytest.raises(Conflict, match="there is no proposal to accept"):
        accept_template(store, "mine")


def test_a_proposal_that_was_swapped_after_it_was_read_is_not_accepted(
    store: Store,
) -> None:
    read = save_template(store, MINE._replace(is_proposed=True))
    delete_proposals(store, "mine@1")
    swapped = MINE._replace(examples=(STATUS,), is_proposed=True)
    save_template(store, swapped)

    with pytest.raises(NotFound):
        accept_template(store, read.label)
    with pytest.raises(Conflict, match="mine@2 has the digest"):
        accept_template(store, "mine", digest=read.digest[:16])
    assert [t.state for t in list_templates(store)] == ["proposed"]


def test_a_proposal_is_accepted_by_how_its_digest_begins(store: Store) -> None:
    read = save_template(store, MINE._replace(is_proposed=True))

    assert accept_template(store, "mine@1", digest=read.digest[:8].upper()) == (
        read._replace(is_proposed=False)
    )


@pytest.mark.parametrize("digest", ["", "abcdef1", "g" * 8, "a" * 65, "12345678\n"])
def test_a_digest_that_is_none_is_refused(store: Store, digest: str) -> None:
    save_template(store, MINE._replace(is_proposed=True))

    with pytest.raises(InvalidInput, match="is no digest"):
        accept_template(store, "mine@1", digest=digest)
    assert find_template(store, "mine").is_proposed


def test_a_name_stands_for_its_newest_accepted_version(store: Store) -> None:
    save_template(store, MINE)
    save_template(store, MINE._replace(examples=(STATUS,), is_proposed=True))

    assert given(store, "mine") == "mine@1"
    accept_template(store, "mine@2")
    assert given(store, "mine") == "mine@2"
    retire_template(store, "mine@2")
    assert given(store, "mine") == "mine@1"


def test_a_name_is_the_same_version_to_read_as_to_be_given(store: Store) -> None:
    save_template(store, MINE)
    save_template(store, MINE._replace(examples=(STATUS,), is_proposed=True))

    assert find_template(store, "mine").label == "mine@1"
    with pytest.raises(Conflict, match="say which proposal: mine@2"):
        accept_template(store, "mine")
    retire_template(store, "mine@1")
    assert find_template(store, "mine").label == "mine@2"


def test_what_a_person_builds_is_no_proposal_any_more(store: Store) -> None:
    save_template(store, MINE._replace(is_proposed=True))

    assert save_template(store, MINE).label == "mine@2"
    assert save_template(store, MINE._replace(is_proposed=True)).label == "mine@2"


def test_a_retired_template_is_refused_and_not_listed(store: Store) -> None:
    save_template(store, MINE)

    assert retire_template(store, "mine") == ["mine@1"]
    with pytest.raises(Conflict, match="mine was retired"):
        given(store, "mine")
    with pytest.raises(Conflict, match="retired already"):
        retire_template(store, "mine")
    assert list_templates(store) == []
    assert [t.state for t in list_templates(store, with_retired=True)] == ["retired"]


def test_what_supersedes_is_given_and_said(store: Store) -> None:
    for name in ("old", "mid", "new"):
        save_template(store, MINE._replace(name=name))
    supersede_template(store, "old", "mid")
    supersede_template(store, "mid", "new")

    found = warm_start(store, WarmRequest(template="old"))

    assert (found.template, found.note) == ("new@1", "old was superseded by new")


def test_a_template_cannot_take_its_own_place(store: Store) -> None:
    save_template(store, MINE)
    save_template(store, MINE._replace(name="other"))
    supersede_template(store, "mine", "other")

    with pytest.raises(InvalidInput, match="cannot take its own place"):
        supersede_template(store, "other", "mine")
    with pytest.raises(NotFound):
        supersede_template(store, "other", "nowhere")


def test_a_successor_that_was_deleted_is_named_with_what_was_asked(
    store: Store,
) -> None:
    for name in ("old", "new"):
        save_template(store, MINE._replace(name=name))
    supersede_template(store, "old", "new")
    delete_template(store, "new")

    with pytest.raises(
        NotFound, match="template new, which superseded old, was deleted"
    ):
        given(store, "old")


def test_successors_that_go_round_lead_nowhere(store: Store) -> None:
    save_template(store, MINE)
    save_template(store, MINE._replace(examples=(STATUS,)))
    supersede_template(store, "mine@1", "mine")
    retire_template(store, "mine@2", successor="mine@1")

    with pytest.raises(Conflict, match="leads nowhere"):
        given(store, "mine")


def test_a_difference_names_settings_and_examples() -> None:
    first = MINE._replace(version=1, examples=(LS, STATUS))
    changed = LS._replace(result="b.py")
    added = LS._replace(tool="Read", shape="Read(p)")
    second = MINE._replace(version=2, addendum="Be brief.", examples=(changed, added))

    found = diff_templates(first, second)

    assert found.settings == {"addendum": ("", "Be brief.")}
    assert (found.added, found.removed) == ([added], [STATUS])
    assert [(c.shape, c.fields) for c in found.changed] == [
        ("Bash:ls", {"result": ("a.py", "b.py")})
    ]
    assert diff_templates(first, first).is_same


def test_to_another_a_template_gives_what_two_principals_did() -> None:
    shared = STATUS._replace(support=2, principals=2, result="r", context="c")
    template = MINE._replace(examples=(LS, shared))

    def to(principal: str | None) -> tuple[Example, ...]:
        return examples_to_give(
            template, principal=principal, is_risky=lambda tool, arguments: False
        )

    assert to("ada") == to(None) == (LS, shared)
    assert to("bob") == (shared._replace(result="", context=""),)


def test_retired_is_what_it_was_for_a_label_in_no_form(store: Store) -> None:
    with pytest.raises(NotFound):
        template_to_give(store, "../x")
