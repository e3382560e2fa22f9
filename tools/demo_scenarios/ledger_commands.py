"""`ledger` gets a command line: totals, then months."""

from __future__ import annotations

from demo_scenarios.steps import Scenario, bash, call, edit, look, read, todo, write

COMMAND = Scenario(
    name="ledger-05-command",
    at="2026-01-08T09:30:00",
    title="Add python3 -m ledger total",
    ask=(
        "I want to type `python3 -m ledger total samples/bank.csv` and see the sum of "
        "the statement, and only one month of it with --month 2026-01."
    ),
    exit_lines=True,
    steps=[
        todo("now: total", "next: --month", "next: tests", "next: commit"),
        bash("python3 -m ledger total samples/bank.csv", slip="module not found"),
        (read("ledger/statement.py"), look("tests")),
        write(
            "ledger/__main__.py",
            '''
            """The command line: python3 -m ledger total FILE."""

            import argparse

            from ledger.statement import read_statement


            def main(words=None):
                parser = argparse.ArgumentParser(prog="ledger")
                commands = parser.add_subparsers(dest="command", required=True)
                total = commands.add_parser("total")
                total.add_argument("file")
                options = parser.parse_args(words)
                rows = read_statement(options.file)
                print(sum(row.amount for row in rows))


            if __name__ == "__main__":
                main()
            ''',
        ),
        bash("python3 -m ledger total samples/bank.csv"),
        bash(
            "python3 -m ledger total --month 2026-01 samples/bank.csv",
            slip="unknown option",
        ),
        edit(
            "ledger/__main__.py",
            '    total.add_argument("file")\n',
            to='    total.add_argument("file")\n    total.add_argument("--month", default="")\n',
        ),
        edit(
            "ledger/__main__.py",
            "    print(sum(row.amount for row in rows))",
            to="""
    chosen = [row for row in rows if row.date.startswith(options.month)]
    print(sum(row.amount for row in chosen))""",
        ),
        bash("python3 -m ledger total --month 2026-01 samples/bank.csv"),
        bash("awk -F';' '/^2026-01/ {print $4}' samples/bank.csv"),
        write(
            "tests/test_main.py",
            """
            import contextlib
            import io
            import unittest

            from ledger.__main__ import main


            def output_of(*words):
                with contextlib.redirect_stdout(io.StringIO()) as output:
                    main(list(words))
                return output.getvalue().strip()


            class Total(unittest.TestCase):
                def test_month_limits_the_sum(self):
                    words = ["total", "--month", "2025-12", "samples/bank.csv"]
                    self.assertEqual(output_of(*words), "225.80")

                def test_month_without_rows_is_zero(self):
                    words = ["total", "--month", "2024-01", "samples/bank.csv"]
                    self.assertEqual(output_of(*words), "0.00")
            """,
        ),
        bash("pytest -q", slip="command not found"),
        bash("python3 -m unittest", slip="test fails"),
        edit(
            "ledger/__main__.py",
            "print(sum(row.amount for row in chosen))",
            to='print(sum((row.amount for row in chosen), Decimal("0.00")))',
            say="An empty sum is the int 0. It should start from 0.00.",
        ),
        edit(
            "ledger/__main__.py",
            "import argparse\n",
            to="import argparse\nfrom decimal import Decimal\n",
        ),
        bash("python3 -m unittest"),
        bash("git add -A && git commit -m 'Add the command total'"),
    ],
    done="`python3 -m ledger total FILE [--month YYYY-MM]` works, with two tests.",
)

MONTHS = Scenario(
    name="ledger-08-months",
    at="2026-01-13T09:02:00",
    title="Report by month",
    ask="Add `python3 -m ledger months FILE`: one line for each month with its sum.",
    flags=True,
    steps=[
        call("read_file", file_path="ledger/__main__.py", slip="wrong argument"),
        read("ledger/__main__.py"),
        read("ledger/statement.py", offset=30, slip="beyond the end"),
        read("ledger/statement.py", offset=10),
        bash("wc -l ledger/*.py"),
        write(
            "ledger/months.py",
            '''
            """Sums by month."""

            from collections import defaultdict


            def by_month(rows):
                """Sum the amounts of rows by month, as {"2026-01": ...}, in order."""
                sums = defaultdict(int)
                for row in rows:
                    sums[row.date[:7]] += row.amount
                return sums
            ''',
        ),
        edit(
            "ledger/__main__.py",
            "from ledger.statement import read_statement\n",
            to="from ledger.months import by_month\nfrom ledger.statement import read_statement\n",
        ),
        edit(
            "ledger/__main__.py",
            "    options = parser.parse_args(words)\n",
            to="""
    months = commands.add_parser("months")
    months.add_argument("file")
    options = parser.parse_args(words)
""",
        ),
        bash("python3 -m ledger months samples/bank.csv", slip="crash"),
        edit(
            "ledger/__main__.py",
            "    chosen = [",
            to="""
    if options.command == "months":
        for month, total in by_month(rows).items():
            print(month, total)
        return
    chosen = [""",
            say="`months` fell through to the code of `total`.",
        ),
        bash("python3 -m ledger months samples/bank.csv"),
        edit(
            "tests/test_main.py",
            "class Total(",
            to="class Months(",
            slip="edit before read",
        ),
        read("tests/test_main.py", limit=14),
        edit(
            "tests/test_main.py",
            "class Total(unittest.TestCase):\n",
            to="""
class Months(unittest.TestCase):
    def test_months_are_in_order(self):
        lines = output_of("months", "samples/bank.csv").splitlines()
        self.assertEqual(lines, ["2025-12 225.80", "2026-01 3649.75"])


class Total(unittest.TestCase):
""",
        ),
        bash("python3 -m unittest 2>&1 | tail -4"),
        bash("git add -A && git commit -m 'Add the command months'"),
    ],
    done="`months` prints 2025-12 225.80 and 2026-01 3649.75 for the sample.",
)

SCENARIOS = (COMMAND, MONTHS)
