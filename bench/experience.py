"""Measure what experience gives, on real sessions.

    python -m bench.experience [DIRECTORY] [--quick]

Each part asks for what a user would have been given at the time, from what was on record
then. Aims: of failed calls for which a call of the tool and shape had worked before, 95 %
are shown one; of repairable ones, 40 % a repair with the shape of the call that then
worked; a hint takes about 10 ms beside 100,000 calls.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench import experience_hints
from bench.real_sessions import CLAUDE_CODE, need


def main() -> None:
    """Print each part; without the data, say so and succeed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directory", type=Path, nargs="?", default=CLAUDE_CODE)
    parser.add_argument(
        "--quick", action="store_true", help="leave out the timing of 100,000 calls"
    )
    options = parser.parse_args()
    directory = need(options.directory)
    for title, lines in experience_hints.measure(directory).items():
        print_part(f"Hints, {title}", lines)
    if not options.quick:
        print_part("Hints, time", experience_hints.timing(directory))


def print_part(title: str, lines: list[str]) -> None:
    """Print one part for a person."""
    print(f"\n# {title}\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
