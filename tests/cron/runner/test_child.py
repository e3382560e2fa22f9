"""Children: held back until they are on record, heard, and surely ended."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oldhand.cron.output import Output
from oldhand.cron.processes import Process, started_of
from oldhand.cron.runner import Stopped
from oldhand.cron.runner.child import Call, TimedOut, run_child

from .fakes import Line

PATH = {"PATH": os.defpath}


def call(*words: str, stdin: str = "", seconds: float | None = None) -> Call:
    return Call(words, "/", PATH, stdin, seconds)


def run(line: Line, *words: str, stdin: str = "") -> int:
    return run_child(call(*words, stdin=stdin), line, out=line.say, err=line.say)


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + 15
    while started_of(pid) is not None:
        assert time.monotonic() < deadline, f"process {pid} lives"
        time.sleep(0.02)


def test_it_reads_what_it_is_given_and_is_heard() -> None:
    line = Line()

    code = run(line, "sh", "-c", "cat; echo wrong >&2; exit 3", stdin="--help\nme\n")

    assert code == 3
    assert "--help\nme" in line.said
    assert "wrong\n" in line.said
    assert line.child is not None
    assert line.child.is_gone


def test_a_signal_that_ended_it_is_told() -> None:
    assert run(Line(), "sh", "-c", "kill -9 $$") == -signal.SIGKILL


def test_words_stay_words() -> None:
    line = Line()

    run(line, "printf", "%s|", "$HOME", "a b", "-n", "'\"`;&")

    assert line.said == "$HOME|a b|-n|'\"`;&|"


class Refused(Line):
    """The run is not ours any more when its child is to be written down."""

    def child_is(self, child: Process | None) -> None:
        """Refuse it."""
        super().child_is(child)
        raise Stopped("not ours")


def test_a_child_that_is_not_on_record_does_nothing(tmp_path: Path) -> None:
    mark, line = tmp_path / "mark", Refused()

    with pytest.raises(Stopped, match="not ours"):
        run(line, "touch", str(mark))

    assert line.child is not None
    wait_until_gone(line.child.pid)
    assert not mark.exists()


KILLED = """
import os, signal, sys
from oldhand.cron.runner.child import Call, run_child

class Line:
    stop_reason = ""
    def child_is(self, child):
        print(child.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

call = Call(("touch", sys.argv[1]), "/", {"PATH": os.defpath})
run_child(call, Line(), out=print, err=print)
"""


def test_a_scheduler_that_is_killed_before_leaves_nothing_running(
    tmp_path: Path,
) -> None:
    mark = tmp_path / "mark"

    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(mark)],
        capture_output=True, text=True, check=False, timeout=15,
    )  # fmt: skip

    assert killed.returncode == -signal.SIGKILL
    wait_until_gone(int(killed.stdout))
    assert not mark.exists()


def test_a_prompt_of_any_length_goes_in_and_comes_out() -> None:
    line, prompt = Line(), "ä line\n" * 500_000

    assert run(line, "cat", stdin=prompt) == 0

    assert line.said == prompt


def test_a_child_that_does_not_read_is_no_fault() -> None:
    assert run(Line(), "true", stdin="x" * 1_000_000) == 0


@pytest.mark.parametrize(
    "megabytes",
    [64, pytest.param(1_024, marks=[pytest.mark.soak, pytest.mark.timeout(90)])],
)
@pytest.mark.parametrize("end", ["\n", "\r", " ", "\xff"])
def test_what_is_too_much_is_not_held(megabytes: int, end: str) -> None:
    said, line = Output(head_chars=1_000, tail_chars=1_000), Line()
    piece = f"b'y' * 65_535 + {end.encode('latin-1')!r}"
    lots = f"import sys\nfor _ in range({megabytes} * 16): sys.stdout.buffer.write({piece})"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    code = run_child(call(sys.executable, "-c", lots), line, out=said.add, err=line.say)

    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (code, line.said) == (0, "")
    assert len(said.kept().text) < 3_000
    kilobyte = 1_024 if sys.platform == "darwin" else 1
    assert after - before < 32_000 * kilobyte


def test_a_child_that_left_somebody_with_its_pipes_is_over() -> None:
    line = Line()

    code = run(line, "sh", "-c", "sleep 600 & echo $!")

    pid, told = line.said.split("\n", 1)
    assert code == 0
    assert "ended what it had left running" in told
    wait_until_gone(int(pid))


def stopped_when_it_says(line: Line, words: tuple[str, ...], first: str) -> None:
    def stop(text: str) -> None:
        if first in text:
            line.stop_reason = "cancelled: enough"

    line.on_say = stop
    with pytest.raises(Stopped, match="enough"):
        run(line, *words)


def test_one_that_is_stopped_may_still_say_so() -> None:
    line = Line()
    script = "trap 'echo bye; exit' TERM; echo up; while :; do sleep 0.05; done"

    stopped_when_it_says(line, ("sh", "-c", script), "up")

    assert "bye\n" in line.said


def test_one_that_ignores_it_is_killed_with_all_that_it_started() -> None:
    line = Line()
    script = "trap '' TERM; sleep 600 & echo $! up; wait; while :; do sleep 1; done"

    stopped_when_it_says(line, ("sh", "-c", script), "up")

    assert line.child is not None
    wait_until_gone(line.child.pid)
    wait_until_gone(int(line.said.split()[0]))


DETACHES = """
import subprocess, time
command = subprocess.Popen(["sleep", "600"], start_new_session=True)
print(command.pid, "up", flush=True)
time.sleep(600)
"""


def test_what_it_started_in_a_group_of_its_own_is_ended_with_it() -> None:
    line = Line()

    stopped_when_it_says(line, (sys.executable, "-c", DETACHES), "up")

    wait_until_gone(int(line.said.split()[0]))


def test_who_hears_it_can_stop_it() -> None:
    line = Line()

    def refuse(text: str) -> None:
        raise Stopped(f"heard {text.strip()}")

    with pytest.raises(Stopped, match="heard enough"):
        run_child(
            call("sh", "-c", "echo enough; sleep 600"), line, out=refuse, err=refuse
        )

    assert line.child is not None
    wait_until_gone(line.child.pid)


def test_its_own_time_is_kept() -> None:
    line = Line()

    with pytest.raises(TimedOut, match="it took more"):
        run_child(call("sleep", "600", seconds=0.2), line, out=line.say, err=line.say)

    assert line.child is not None
    wait_until_gone(line.child.pid)


def test_a_directory_that_is_not_there_is_told() -> None:
    line = Line()

    with pytest.raises(FileNotFoundError):
        run_child(Call(("true",), "/not/there", PATH), line, out=print, err=print)

    assert line.child is None
