"""The first sessions of `todo`, a list of tasks in a JSON file: store, order, a crash."""

from __future__ import annotations

from demo_scenarios.steps import Scenario, bash, edit, look, read, search, write

STORE = Scenario(
    name="todo-01-store",
    at="2026-01-07T14:00:00",
    title="Start the todo list",
    ask=(
        "A new project: a todo list kept in a JSON file. For now: load, save, add and "
        "finish, in a package `tasks`, with unit tests, under git."
    ),
    steps=[
        bash("ls -A"),
        bash("git init -q && printf '__pycache__/\\n*.json\\n' > .gitignore"),
        bash("mkdir -p tasks tests && touch tasks/__init__.py tests/__init__.py"),
        write(
            "tasks/store.py",
            '''
            """The list of tasks and the JSON file it is kept in."""

            import json
            from dataclasses import asdict, dataclass
            from pathlib import Path


            @dataclass
            class Task:
                text: str
                done: bool = False


            def load(path):
                """Read the tasks of a file."""
                return [Task(**entry) for entry in json.loads(Path(path).read_text())]


            def save(tasks, path):
                """Write the tasks to a file, over what was there."""
                entries = [asdict(task) for task in tasks]
                Path(path).write_text(json.dumps(entries, indent=1))


            def finish(tasks, number):
                """Mark a task as done; numbers begin at 1."""
                tasks[number].done = True
            ''',
        ),
        write(
            "tests/test_store.py",
            """
            import tempfile
            import unittest
            from pathlib import Path

            from tasks.store import Task, finish, load, save


            class Store(unittest.TestCase):
                def test_what_is_saved_is_loaded(self):
                    with tempfile.TemporaryDirectory() as folder:
                        path = Path(folder, "list.json")
                        save([Task("buy milk")], path)
                        self.assertEqual(load(path), [Task("buy milk")])

                def test_numbers_begin_at_one(self):
                    tasks = [Task("first"), Task("second")]
                    finish(tasks, 1)
                    self.assertTrue(tasks[0].done)
            """,
        ),
        bash("python3 -m unittest", slip="test fails"),
        edit("tasks/store.py", "tasks[number].done", to="tasks[number - 1].done"),
        bash("python3 -m unittest"),
        bash("git add -A && git commit -m 'Keep tasks in a JSON file'"),
        bash("git status --short"),
    ],
    done="tasks/store.py loads, saves and finishes tasks; two tests pass; committed.",
)

ORDER = Scenario(
    name="todo-02-order",
    at="2026-01-08T15:10:00",
    title="Tasks have a priority",
    ask="Tasks need a priority, 1 to 3, default 2, and a function that sorts by it.",
    steps=[
        look("tasks"),
        read("tasks/store.py"),
        edit(
            "tasks/store.py",
            "  done: bool = False\n  priority",
            to="  done: bool = False\n  priority: int = 2",
            slip="edit text not found",
        ),
        edit(
            "tasks/store.py",
            "    done: bool = False\n",
            to="    done: bool = False\n    priority: int = 2\n",
        ),
        write(
            "tasks/order.py",
            '''
            """In which order tasks are shown."""


            def ordered(tasks):
                """Open tasks before done ones, urgent (1) before the rest."""
                return sorted(tasks, key=lambda task: (task.done, task.priority))
            ''',
        ),
        write(
            "tests/test_order.py",
            """
            import unittest

            from tasks.order import ordered
            from tasks.store import Task


            class Ordered(unittest.TestCase):
                def test_urgent_first_done_last(self):
                    later = Task("later", priority=3)
                    over = Task("over", done=True, priority=1)
                    soon = Task("soon", priority=1)
                    self.assertEqual(ordered([later, over, soon]), [soon, later, over])
            """,
        ),
        bash("python3 -m compileall -q tasks"),
        bash("python3 -m unittest"),
        bash("git status --short"),
        bash("git diff --stat"),
        bash("git add -A && git commit -m 'Order tasks by priority'"),
        bash("git log --oneline | head -3"),
    ],
    done="Task has a priority, and ordered() sorts open and urgent tasks first.",
)

MISSING_FILE = Scenario(
    name="todo-03-missing-file",
    at="2026-01-12T09:20:00",
    title="No list yet",
    ask="If there is no file yet, load() crashes. It should give an empty list.",
    steps=[
        bash(
            "python3 -c 'from tasks.store import load; print(load(\"new.json\"))'",
            slip="crash",
            say="First I want to see it crash.",
        ),
        search("def load", "tasks"),
        read("tasks/store.py", offset=10, limit=12),
        edit(
            "tasks/store.py",
            '    """Read the tasks of a file."""\n',
            to='''
    """Read the tasks of a file; none if there is no file."""
    if not Path(path).exists():
        return []
''',
        ),
        bash("python3 -c 'from tasks.store import load; print(load(\"new.json\"))'"),
        edit(
            "tests/test_store.py",
            "    def test_numbers_begin",
            to="""
    def test_no_file_is_an_empty_list(self):
        self.assertEqual(load("no such list.json"), [])

    def test_numbers_begin""",
            slip="edit before read",
        ),
        read("tests/test_store.py"),
        edit(
            "tests/test_store.py",
            "    def test_numbers_begin",
            to="""
    def test_no_file_is_an_empty_list(self):
        self.assertEqual(load("no such list.json"), [])

    def test_numbers_begin""",
        ),
        bash("python3 -m unittest"),
        bash("git diff tasks/store.py"),
        bash("git commit -am 'Start with an empty list'"),
        bash("git log --oneline | head -3"),
    ],
    done="load() of a missing file gives []. A test holds it.",
)

COMMAND = Scenario(
    name="todo-04-command",
    at="2026-01-13T14:25:00",
    title="A command line for the list",
    ask="Make it usable: python3 -m tasks add TEXT, list, done N. Keep it in todo.json.",
    exit_lines=True,
    steps=[
        (read("tasks/store.py"), read("tasks/order.py")),
        write(
            "tasks/__main__.py",
            '''
            """The command line: python3 -m tasks add TEXT | list | done NUMBER."""

            import argparse

            from tasks.order import ordered
            from tasks.store import Task, finish, load, save

            FILE = "todo.json"


            def main():
                parser = argparse.ArgumentParser(prog="tasks")
                commands = parser.add_subparsers(dest="command", required=True)
                add = commands.add_parser("add")
                add.add_argument("text")
                add.add_argument("--priority", type=int, default=2)
                commands.add_parser("list")
                commands.add_parser("done").add_argument("number", type=int)
                options = parser.parse_args()
                tasks = ordered(load(FILE))
                if options.command == "add":
                    tasks.append(Task(options.text, priority=options.priority))
                elif options.command == "done":
                    finish(tasks, options.number)
                for number, task in enumerate(tasks, 1):
                    print(number, "x" if task.done else "-", task.text)
                save(tasks, FILE)


            if __name__ == "__main__":
                main()
            ''',
        ),
        bash("python3 -m tasks add 'write the invoice'"),
        bash("python3 -m tasks add --urgent 'call the bank'", slip="unknown option"),
        bash("python3 -m tasks add --help"),
        bash("python3 -m tasks add --priority 1 'call the bank'"),
        bash("python3 -m tasks list"),
        bash("python3 -m tasks done 1"),
        bash("cat todo.json"),
        bash("python3 -m tasks done 7", slip="crash"),
        edit(
            "tasks/__main__.py",
            "        finish(tasks, options.number)\n",
            to="""
        if not 1 <= options.number <= len(tasks):
            parser.error(f"there is no task {options.number}")
        finish(tasks, options.number)
""",
            say="A number that does not exist should be a message, not a traceback.",
        ),
        bash('python3 -m tasks done 7; echo "exit $?"'),
        bash("rm todo.json && python3 -m unittest"),
        bash("git add -A && git commit -m 'Add a command line'"),
    ],
    done="add, list and done work, and a wrong number is told politely.",
)

SCENARIOS = (STORE, ORDER, MISSING_FILE, COMMAND)
