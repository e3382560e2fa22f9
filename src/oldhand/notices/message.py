"""A message to a person, and how it is written where room is short.

What a person reads on a phone may be all that they read. So a fact stands there whole or
not at all, the text says how many do not fit, and a link leads to the page that shows
all. The facts are an agent's words: none of their lines can be taken for one of ours, as
further lines of a fact begin with a bar.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from oldhand.errors import InvalidInput
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
    """

    subject: str
    facts: Mapping[str, str] = MappingProxyType({})
    link: str = ""
    check_code: str = ""
    key: str = ""
    left_out: int = 0

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
        whole = Written("\n".join(lines), ending)
        if not self.left_out and count_units(whole.text) <= max_chars:
            return whole
        shortest = Written(self._more(len(lines) + self.left_out), ending)
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
        return Written("\n".join([*shown, self._more(missing)]), ending)

    def _ending(self, escape: Escape) -> str:
        code = f"Check code: {escape(visible(self.check_code))}"
        link = f"Open: {self.link}"
        return "\n".join([code] * bool(self.check_code) + [link] * bool(self.link))

    def _more(self, count: int) -> str:
        facts = "1 more fact" if count == 1 else f"{count} more facts"
        return f"… {facts}: open the page" if self.link else f"… {facts}"


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


def count_units(text: str) -> int:
    """Count characters as UTF-16 does: at least as many as any other way.

    Example:
        >>> count_units("a👍")
        3
    """
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _fact(label: str, value: str) -> str:
    lines = [visible(line) for line in value.split("\n")]
    label = visible(label).strip()
    if len(lines) == 1:
        return f"{label}: {lines[0]}".rstrip()
    return f"{label}:{_NEXT_LINE}{_NEXT_LINE.join(lines)}"
