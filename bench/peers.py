"""The peers of our store, daemon and scheduler, each in an environment of its own, from pinned packages.

`python -m bench.peers` installs those that are missing under `build/bench` and says how
long it took and how large they are. The pins, with hashes, stand in
`requirements/bench-NAME.txt`; nothing of a peer comes into our own environment.
"""

from __future__ import annotations

import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = ROOT / "build" / "bench"
DRIVERS = Path(__file__).parent / "peer_drivers"
INSTALL_SECONDS = 900


class Peer(NamedTuple):
    """One program that is measured beside ours.

    Attributes:
        name: Of its requirements, its environment and its driver.
        title: What is measured of it, as the table names it.
        before_python: The first Python that it does not take.
    """

    name: str
    title: str
    before_python: tuple[int, int] = (4, 0)

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return ENVIRONMENTS / self.name / "bin" / "python"

    @property
    def driver(self) -> Path:
        """The program that measures it, run by its own interpreter."""
        return DRIVERS / f"{self.name.replace('-', '_')}.py"

    @property
    def requirements(self) -> Path:
        """Its pins."""
        return ROOT / "requirements" / f"bench-{self.name}.txt"


PEERS = (
    Peer("hermes", "Hermes 0.19.0 SessionDB", before_python=(3, 14)),
    Peer("openai-agents", "OpenAI Agents 0.24.0 SQLiteSession"),
    Peer("langgraph", "LangGraph SqliteSaver 3.1.2"),
    Peer("llm", "llm 0.36 LogStore"),
)

FIRST_DESIGN = Peer("aiohttp", "the first design, on aiohttp 3.14.5")
"""What our confirmation daemon replaces; measured by `bench.confirm`."""

SCHEDULERS = (
    Peer("dbos", "DBOS 3.4.0"),
    Peer("apscheduler", "APScheduler 3.11.3"),
)
"""Measured by `bench.cron`."""


class PeerMissing(Exception):
    """A peer's environment could not be made; the message says why."""


def install(peer: Peer) -> float:
    """Make a peer's environment where it is not there, exactly as pinned.

    Returns:
        The seconds that it took; 0 where it was there.

    Raises:
        PeerMissing: It does not take this Python, or its packages cannot be had.
    """
    if sys.version_info >= peer.before_python:
        raise PeerMissing(f"needs a Python before {_dotted(peer.before_python)}")
    mark = peer.python.parents[1] / "installed"
    if mark.exists() and mark.stat().st_mtime >= peer.requirements.stat().st_mtime:
        return 0.0
    start = time.perf_counter()
    venv.create(peer.python.parents[1], with_pip=True, clear=True)
    _pip(peer, ["install", "-q", "--require-hashes", "-r", str(peer.requirements)])
    mark.touch()
    return time.perf_counter() - start


def size_bytes(peer: Peer) -> int:
    """Return how much of the disk a peer's environment takes."""
    folder = peer.python.parents[1]
    return sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    )


def _pip(peer: Peer, arguments: Sequence[str]) -> None:
    command = [str(peer.python), "-m", "pip", "--disable-pip-version-check"]
    try:
        run = subprocess.run(
            [*command, *arguments],
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as fault:
        raise PeerMissing(f"pip took more than {INSTALL_SECONDS} s") from fault
    if run.returncode:
        said = run.stderr.strip().splitlines() or ["pip failed and said nothing"]
        raise PeerMissing(said[-1])


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def main() -> None:
    """Install all peers and say what each took."""
    for peer in (*PEERS, FIRST_DESIGN, *SCHEDULERS):
        try:
            seconds = install(peer)
        except PeerMissing as fault:
            print(f"{peer.title}: left out: {fault}")
            continue
        took = f"installed in {seconds:.0f} s" if seconds else "there already"
        print(f"{peer.title}: {took}, {size_bytes(peer) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
