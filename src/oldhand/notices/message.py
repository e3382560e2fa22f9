"""A message to a person, and how it is written where room is short.

What a person reads on a phone may be all that they read. So a fact stands there whole or
not at all, the text says how many do not fit, and a link leads to the page that shows
all. Facts and body are an agent's words: none of their lines can be taken for one of ours,
as further lines of a fact, and all of a body, begin with a bar. The body alone may be cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from oldhand.counted import counted
from oldhand.errors import InvalidInput
from oldhand.notices.body import fit_body
from oldhand.notices.units import count_units
from oldhand.notices.visible import visible

Escape = Callable[[str], str]
"""Takes away what a channel would read as more than letters."""

_NEXT_LINE = "\n  | "


class Message(NamedTuple):
    """What a person is told.

    Attributes:
        subject: One line.
        facts: By label, shown in this order.
        link: An http(s) address of the page that shows all, or "". It tells nothing and
            decides nothing by being opened, and holds no secret.
        check_code: Stands on the page too, so that a forged message is known, or "".
        key: A message is put once for each key, or, with "", each time.
        left_out: How many more facts there are than are given here.
        body: An answer of any length, after the facts; as much of it as there is room for.
        body_cut: How many more characters it has than are given here.
        to: Channels that each must get it, as `telegram`, `notify` (all of apprise), `log`,
            `all`, or `telegram:CHAT[:THREAD]`. (): the first channel that takes it, and
            all of apprise.
    """

    subject: str
    facts: Mapping[str, str] = MappingProxyType({})
    link: str = ""
    check_code: str = ""
    key: str = ""
    left_out: int = 0
    body: str = ""
    body_cut: int = 0
    to: tuple[str, ...] = ()

    def text(self, max_chars: int, *, escape: Escape = str) -> str:
        """Write it as plain text.

        Args:
            max_chars: Counted as UTF-16 does, the most that a service may count.
            escape: For services that read more than letters.

        Raises:
            InvalidInput: Not even the link with its code fits.

        Example:
            >>> print(Message("Deploy?", {"to": "prod"}, "http://localhost/1").text(99))
            Deploy?
            to: prod
            <BLANKLINE>
            Open: http://localhost/1
        """
        return self.write(max_chars, escape=escape).text

    def write(self, max_chars: int, *, escape: Escape = str) -> Written:
        """Write it in two parts, as `text` does."""
        lines = [escape(visible(self.subject).strip())] if self.subject.strip() else []
        lines += [escape(_fact(label, value)) for label, value in self.facts.items()]
        ending = self._ending(escape)
        if not (self.left_out or self.body_cut):
            body = fit_body(self.body, max_chars, escape) if self.body else None
            whole = Written("\n".join(lines + (body.lines if body else [])), ending)
            is_whole = body is None or body.chars == len(self.body)
            if is_whole and count_units(whole.text) <= max_chars:
                return whole
        shortest = Written(self._more(len(lines) + self.left_out, self._length), ending)
        room = max_chars - count_units(shortest.text)
        if room < 0:
            raise InvalidInput(
                f"{max_chars} characters are not enough for this message; its shortest "
                f"form has {count_units(shortest.text)}"
            )
        shown = []
        for line in lines:
            taken = count_units(line) + 1
            if taken <= room:
                shown.append(line)
                room -= taken
        missing = len(lines) - len(shown) + self.left_out
        part = fit_body(self.body, room, escape) if self.body else None
        shown += part.lines if part else []
        left = self._more(missing, self._length - (part.chars if part else 0))
        return Written("\n".join([*shown, *filter(None, [left])]), ending)

    @property
    def _length(self) -> int:
        return len(self.body) + self.body_cut

    def _ending(self, escape: Escape) -> str:
        code = f"Check code: {escape(visible(self.check_code))}"
        link = f"Open: {self.link}"
        return "\n".join([code] * bool(self.check_code) + [link] * bool(self.link))

    def _more(self, facts: int, chars: int) -> str:
        """Say what is missing, in a line; "" where nothing is."""
        missing = [counted(facts, "more fact")] if facts else []
        missing += [counted(chars, "more character")] if chars else []
        if not missing:
            return ""
        said = f"… {' and '.join(missing)}"
        return f"{said}: open the page" if self.link else said


class Written(NamedTuple):
    """A message as written.

    Attributes:
        facts: The subject and the facts: somebody else's words.
        ending: The code and the link: ours.
    """

    facts: str
    ending: str

    @property
    def text(self) -> str:
        """All of it."""
        return "\n\n".join(part for part in self if part)


def _fact(label: str, value: str) -> str:
    lines = [visible(line) for line in value.split("\n")]
    label = visible(label).strip()
    if len(lines) == 1:
        return f"{label}: {lines[0]}".rstrip()
    return f"{label}:{_NEXT_LINE}{_NEXT_LINE.join(lines)}"
