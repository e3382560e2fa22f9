"""Find repairs: a call that failed, and the call of the same tool that soon worked.

Of two calls in a row the later need not be about the same: an agent may have given up, or
only looked around. So a repair has the shape of the call that failed, or shares one of its
particulars.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence

from oldhand.experience.repair.past_calls import Names, PastCall, particulars_in
from oldhand.named_tuple import NamedTuple

SOON_CALLS = 5
"""How many calls later a call may be and still put another right."""

_WORDS_KEPT = 5
_TAG = re.compile(r"<[^<>]{0,60}>")
_EXIT_CODE = re.compile(r"\AExit code \d+\s*")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`")
_MAX_ERROR_CHARS = 400


class Pair(NamedTuple):
    """A call that failed and the one that worked after it."""

    failed: PastCall
    worked: PastCall


def find_pairs(calls: Sequence[PastCall], names: Names) -> Iterator[Pair]:
    """Yield the repairs among a session's calls.

    Args:
        calls: All of a session, in order.
        names: Of their tools and shapes.
    """
    for at, failed in enumerate(calls):
        if not failed.has_failed:
            continue
        soon = calls[at + 1 : at + 1 + SOON_CALLS]
        for worked in soon:
            if (
                worked.tool_id == failed.tool_id
                and worked.has_worked
                and worked.message > failed.message
                and (
                    names.first_of_shape.get(worked.shape_id)
                    == names.first_of_shape.get(failed.shape_id)
                    or particulars_in(worked.arguments)
                    & particulars_in(failed.arguments)
                )
            ):
                yield Pair(failed, worked)
                break


def error_words(error: str) -> int:
    r"""Return a checksum of the first words of an error that name no particulars.

    Two errors of the same wording have the same; whose file it was about does not matter.

    Example:
        >>> one = error_words("<tool_use_error>String to replace not found in file.")
        >>> one == error_words("String to replace not found in file.\nString: x = 1")
        True
    """
    text = _EXIT_CODE.sub("", _TAG.sub(" ", error[:_MAX_ERROR_CHARS]).strip())
    words = _QUOTED.sub(" ", text).replace("\n", " ").split(" ")
    plain = [word.strip(".,:;!?()[]").lower() for word in words]
    told = [word for word in plain if word.isalpha()][:_WORDS_KEPT]
    return zlib.crc32(" ".join(told).encode("utf-8", "replace"))
