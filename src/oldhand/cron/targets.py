"""Where a job's results go: what `deliver` says, in the outbox's words.

A chat may be named by its number only where it is the one in the settings, or where the job
was asked for. A bot writes to whoever wrote to it first, and that may be anybody: an agent
that was talked into it could make a job that tells a stranger. So a job's origin must come
from the program that carries the conversation, and never from the model.
"""

from __future__ import annotations

from collections.abc import Mapping

from oldhand.cron.model import JobSpec
from oldhand.errors import InvalidInput
from oldhand.notices import Channels, find_targets, known_names

LOCAL = "local"
ORIGIN = "origin"
_TELEGRAM = "telegram"


def targets_of(spec: JobSpec) -> tuple[str, ...]:
    """Return the names that a message about a job goes to; () where nobody is told.

    An origin that cannot be told stays `origin`: nothing is called so, and the outbox says.

    Example:
        >>> targets_of(JobSpec(deliver=("origin", "local"),
        ...     origin={"platform": "telegram", "chat": "42", "thread": "7"}))
        ('telegram:42:7',)
    """
    names = [each for each in spec.deliver if each != LOCAL]
    told = [target_of(spec.origin) if each == ORIGIN else each for each in names]
    return tuple(dict.fromkeys(told))


def target_of(origin: Mapping[str, str]) -> str:
    """Return the name of the place where a job was asked for; `origin` if it has none."""
    platform = origin.get("platform", "").lower()
    chat = origin.get("chat") or origin.get("chat_id") or ""
    thread = origin.get("thread") or origin.get("thread_id") or ""
    if platform == _TELEGRAM and chat:
        return ":".join(filter(None, (_TELEGRAM, chat, thread)))
    return platform or ORIGIN


def check_deliver(spec: JobSpec, channels: Channels) -> None:
    """Refuse what cannot be delivered with the channels that are configured.

    Args:
        spec: Of the job.
        channels: As the settings name them.

    Raises:
        InvalidInput: A name stands for no channel here, or a chat is neither the one in
            the settings nor the job's origin.
    """
    for name in spec.deliver:
        if name == LOCAL:
            continue
        target = target_of(spec.origin) if name == ORIGIN else name
        faults = find_targets(channels, (target,)).faults
        if faults:
            known = ", ".join((LOCAL, ORIGIN, *known_names(channels)))
            said = f"{name} ({target})" if name == ORIGIN else name
            raise InvalidInput(
                f"deliver: {said}: {faults[target]}; expected of {known}",
                advice="set the channel's token or address in oldhand.toml",
            )
        _check_chat(spec, target, channels)


def _check_chat(spec: JobSpec, target: str, channels: Channels) -> None:
    first, colon, place = target.partition(":")
    if not colon or first != _TELEGRAM:
        return
    chat = place.partition(":")[0]
    own = {str(getattr(each, "chat", "")) for each in channels.people}
    asked = target_of(spec.origin).split(":")[1:2]
    if chat not in own and chat not in asked:
        raise InvalidInput(
            f"deliver: {target}: results go to the chat in the settings, or to the one "
            "where the job was asked for",
            advice="telegram_chat in oldhand.toml",
        )
