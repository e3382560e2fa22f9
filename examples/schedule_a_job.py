"""Schedule work, run what is due with a runner of your own, and look at how it went."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

from oldhand import JobSpec, create_job, list_job_runs, open_store, tick, trigger_job
from oldhand.cron.runner import Control, Done, Task


class Counts:
    """Stands in for an agent: anything with this method is a runner."""

    def run(self, task: Task, control: Control) -> Done:
        """Do a task; `control.stop_reason` says when to end early."""
        control.say("counting\n")
        return Done(answer=f"{len(task.prompt.split())} words", success=True)


store = open_store(str(Path(mkdtemp()) / "oldhand.db"))
spec = JobSpec(
    "Count the words", "daily 09:00", zone="Europe/Berlin", runner=("counts",)
)
job = create_job(store, spec)
print(job.name, "fires at", job.schedule.text, job.schedule.zone)

trigger_job(store, job.uid)  # once now; the schedule stays as it is
tick(store, runners={"counts": Counts()})
for found in list_job_runs(store):
    print(found.run.id, found.cause, found.run.state)
