"""Options and operands of a command, as a getopt would tell them apart."""

from __future__ import annotations

from oldhand.shell import Command


def operands(command: Command) -> list[str]:
    """Return the words that are no options; all of them behind `--`.

    Example:
        >>> from oldhand.shell import parse
        >>> operands(parse("rm -f a -- -b").commands[0])
        ['a', '-b']
    """
    words = list(command.words)
    at = words.index("--") if "--" in words else len(words)
    return [w for w in words[:at] if w[:1] != "-" or w == "-"] + words[at + 1 :]


def has_short(words: tuple[str, ...], letters: str) -> bool:
    """Say whether one of the letters is given, alone or in a cluster such as `-rf`."""
    return any(
        word[:1] == "-" and word[1:2] != "-" and not set(letters).isdisjoint(word)
        for word in words
    )


def has_long(words: tuple[str, ...], option: str) -> bool:
    """Say whether a long option is given, perhaps with a value, perhaps abbreviated.

    Example:
        >>> has_long(("--har",), "--hard"), has_long(("--h",), "--hard")
        (True, False)
    """
    names = (word.partition("=")[0] for word in words if word[:2] == "--")
    return any(len(name) >= _SHORTEST and option.startswith(name) for name in names)


_SHORTEST = len("--xx")
