"""`todo` grows: due dates, a list in Markdown, a look back at what broke."""

from __future__ import annotations

from demo_scenarios.steps import Scenario, bash, call, edit, look, read, search, write

DUE = Scenario(
    name="todo-05-due",
    at="2026-01-16T10:45:00",
    title="Due dates",
    ask="Tasks may have a due date (ISO). I need overdue(tasks, today), with tests.",
    steps=[
        search("priority", "/home/demo/todo/tasks"),
        edit(
            "/home/demo/todo/tasks/store.py",
            "    priority: int = 2\n",
            to='    priority: int = 2\n    due: str = ""\n',
            slip="edit before read",
        ),
        read("/home/demo/todo/tasks/store.py", limit=16),
        edit(
            "/home/demo/todo/tasks/store.py",
            "    priority: int = 2\n",
            to='    priority: int = 2\n    due: str = ""\n',
        ),
        write(
            "/home/demo/todo/tasks/due.py",
            '''
            """Which tasks are late."""

            from datetime import date


            def overdue(tasks, today):
                """Open tasks whose day is before today, the oldest first."""
                late = [
                    task
                    for task in tasks
                    if not task.done and date.fromisoformat(task.due) < today
                ]
                return sorted(late, key=lambda task: task.due)
            ''',
        ),
        write(
            "/home/demo/todo/tests/test_due.py",
            """
            import unittest
            from datetime import date

            from tasks.due import overdue
            from tasks.store import Task

            TODAY = date(2026, 1, 16)


            class Overdue(unittest.TestCase):
                def test_today_is_not_late(self):
                    tasks = [Task("a", due="2026-01-15"), Task("b", due="2026-01-16")]
                    self.assertEqual(overdue(tasks, TODAY), tasks[:1])

                def test_tasks_without_a_day_are_never_late(self):
                    self.assertEqual(overdue([Task("some day")], TODAY), [])
            """,
        ),
        bash(
            "cd /home/demo/todo && python3 -m unittest 2>&1 | tail -12",
            slip="test fails behind a pipe",
        ),
        edit(
            "/home/demo/todo/tasks/due.py",
            "if not task.done and date",
            to="if task.due and not task.done and date",
        ),
        bash("cd /home/demo/todo && python3 -m unittest 2>&1 | tail -4"),
        bash("cd /home/demo/todo && git status --short"),
        bash("cd /home/demo/todo && git add -A && git commit -m 'Find overdue tasks'"),
    ],
    done="overdue() gives open tasks from before today; tasks without a date are skipped.",
)

MARKDOWN = Scenario(
    name="todo-06-markdown",
    at="2026-01-20T09:55:00",
    title="The list as Markdown",
    ask="I'd like to paste the list into our wiki: add `python3 -m tasks markdown`.",
    flags=True,
    steps=[
        bash("tree tasks", slip="command not found"),
        bash("find tasks tests -name '*.py' | sort"),
        call("read_file", path="tasks/__main__.py", lines=40, slip="wrong argument"),
        read("tasks/__main__.py"),
        edit(
            "tasks/__main__.py",
            "commands.add_parser(",
            to='commands.add_parser("markdown")\n    commands.add_parser(',
            slip="edit text not unique",
        ),
        edit(
            "tasks/__main__.py",
            '    commands.add_parser("list")\n',
            to='    commands.add_parser("list")\n    commands.add_parser("markdown")\n',
        ),
        write(
            "tasks/markdown.py",
            '''
            """The list for a wiki."""


            def as_markdown(tasks):
                """One line a task, with a box that is ticked when it is done."""
                lines = (f"- [{'x' if task.done else ' '}] {task.text}" for task in tasks)
                return "\\n".join(lines)
            ''',
        ),
        edit(
            "tasks/__main__.py",
            "    for number, task in",
            to="""
    if options.command == "markdown":
        print(as_markdown(tasks))
        return
    for number, task in""",
        ),
        bash("python3 -m tasks markdown", slip="crash"),
        read("tasks/__main__.py", offset=1, limit=9),
        edit(
            "tasks/__main__.py",
            "from tasks.order import ordered\n",
            to="from tasks.markdown import as_markdown\nfrom tasks.order import ordered\n",
        ),
        bash("python3 -m tasks add 'water the plants' && python3 -m tasks markdown"),
        "Nice. Please add a test for a done task, too.",
        write(
            "tests/test_markdown.py",
            """
            import unittest

            from tasks.markdown import as_markdown
            from tasks.store import Task


            class Markdown(unittest.TestCase):
                def test_done_tasks_are_ticked(self):
                    tasks = [Task("a", done=True), Task("b")]
                    self.assertEqual(as_markdown(tasks), "- [x] a\\n- [ ] b")
            """,
        ),
        bash("python3 -m unittest"),
        bash(
            "rm -f todo.json && git add -A && git commit -m 'Write the list as Markdown'"
        ),
    ],
    done="`python3 -m tasks markdown` prints the list with ticked boxes; a test holds it.",
)

LOOK_BACK = Scenario(
    name="todo-07-look-back",
    at="2026-01-23T11:30:00",
    title="Which commit broke old lists",
    ask=(
        "A colleague's old list no longer loads: old-list.json. Find out since when and "
        "why, and fix it."
    ),
    given={"old-list.json": '[{"text": "order paper", "done": false, "prio": 1}]\n'},
    steps=[
        bash(
            "python3 -c 'from tasks.store import load; load(\"old-list.json\")'",
            slip="crash",
        ),
        bash("cat old-list.json"),
        bash("git log --oneline -- tasks/store.py"),
        bash("git log -S prio --oneline"),
        bash("git show --stat HEAD~4", say="No commit ever knew `prio` alone."),
        bash("git show HEAD~9 --stat", slip="git refuses"),
        search("prio\\b", "tasks", slip="nothing found"),
        read("tasks/store.py"),
        edit(
            "tasks/store.py",
            "    return [Task(**entry) for entry in json.loads(Path(path).read_text())]\n",
            to='''
    return [_task(entry) for entry in json.loads(Path(path).read_text())]


def _task(entry):
    """Older lists say `prio`."""
    if "prio" in entry:
        entry["priority"] = entry.pop("prio")
    return Task(**entry)
''',
        ),
        bash(
            "python3 -c 'from tasks.store import load; print(load(\"old-list.json\"))'"
        ),
        read("tests/test_store.py", limit=8),
        edit(
            "tests/test_store.py",
            "class Store(unittest.TestCase):\n",
            to="""
class Store(unittest.TestCase):
    def test_old_lists_say_prio(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "old.json")
            path.write_text('[{"text": "a", "prio": 1}]')
            self.assertEqual(load(path), [Task("a", priority=1)])

""",
        ),
        bash("python3 -m unittest 2>&1 | tail -4"),
        look(),
        bash("git commit -am 'Load lists that say prio'"),
    ],
    done=(
        "No commit of this repository wrote `prio`, so the list comes from an older "
        "program. load() now takes both names."
    ),
)

SCENARIOS = (DUE, MARKDOWN, LOOK_BACK)
