"""`ledger` settles: a module moves, two branches meet, a release is tagged."""

from __future__ import annotations

from demo_scenarios.steps import Scenario, bash, edit, look, read, search, todo, write

MOVE = Scenario(
    name="ledger-09-move",
    at="2026-01-15T15:40:00",
    title="Move the bank's code",
    ask=(
        "Move statement.py and rates.py into a subpackage ledger/bank, history kept. "
        "The tests must pass afterwards, of course."
    ),
    steps=[
        bash("git status --short && git log --oneline | head -5"),
        bash("git mv ledger/statements.py ledger/bank/", slip="git refuses"),
        look("ledger"),
        bash(
            "git mv ledger/statement.py ledger/rates.py ledger/bank/",
            slip="git refuses",
        ),
        bash("mkdir ledger/bank && touch ledger/bank/__init__.py"),
        bash("git mv ledger/statement.py ledger/rates.py ledger/bank/"),
        bash("python3 -m unittest 2>&1 | tail -3", slip="test fails behind a pipe"),
        bash("grep -rnE 'ledger\\.(statement|rates)' --include=*.py ."),
        bash(
            "sed -i.old -E 's/ledger\\.(statement|rates)/ledger.bank.\\1/' "
            "ledger/__main__.py tests/*.py && rm ledger/*.old tests/*.old"
        ),
        bash("python3 -m unittest 2>&1 | tail -3"),
        bash(
            "grep -rnE 'ledger\\.(statement|rates)' --include=*.py .",
            slip="nothing found",
        ),
        bash("git add -A && git status --short"),
        bash("git commit -m 'Move the code for banks into ledger.bank'"),
        bash("git log --follow --oneline ledger/bank/statement.py"),
    ],
    done=(
        "Both modules are in ledger/bank, imports follow, tests pass, and git log "
        "--follow still shows where statement.py came from."
    ),
)

BRANCHES = Scenario(
    name="ledger-10-branches",
    at="2026-01-19T10:12:00",
    title="Round on a branch, then merge",
    ask=(
        "On a branch `tax`, make the tax 7 % for invoices whose number starts with B "
        "(books). Meanwhile change the default tax on main to 20. Then merge."
    ),
    exit_lines=True,
    steps=[
        todo("now: branch tax", "next: default on main", "next: merge", "next: test"),
        bash("git switch -c tax"),
        read("ledger/invoice.py"),
        edit(
            "ledger/invoice.py",
            '    tax_percent: Decimal = Decimal("19")\n',
            to="""
    tax_percent: Decimal = Decimal("19")

    def __post_init__(self):
        if self.number.startswith("B"):
            self.tax_percent = Decimal("7")
""",
        ),
        edit(
            "ledger/invoice.py",
            '    tax_percent: Decimal = Decimal("19")\n',
            to='    tax_percent: Decimal = Decimal("19")  # 7 for books\n',
        ),
        bash("python3 -m unittest tests.test_invoice"),
        bash("git commit -am 'Tax books at 7 percent'"),
        bash("git checkout master", slip="git refuses"),
        bash("git checkout main"),
        bash('sed -i.old \'s/Decimal("19")/Decimal("20")/\' ledger/invoice.py'),
        bash("rm ledger/invoice.py.old && python3 -m unittest", slip="test fails"),
        read("tests/test_invoice.py"),
        edit("tests/test_invoice.py", '"3.53"', to='"3.56"'),
        bash(
            "python3 -m unittest && git commit -am 'Raise the default tax to 20 percent'"
        ),
        bash("git merge tax", slip="merge conflict"),
        bash("git diff"),
        search("^(<<<<<<<|=======|>>>>>>>)", "ledger"),
        bash("git commit -m 'Merge tax'", slip="git refuses"),
        edit(
            "ledger/invoice.py",
            """
<<<<<<< HEAD
    tax_percent: Decimal = Decimal("20")
=======
    tax_percent: Decimal = Decimal("19")  # 7 for books
""",
            to='    tax_percent: Decimal = Decimal("20")  # 7 for books\n',
        ),
        edit("ledger/invoice.py", ">>>>>>> tax\n", to=""),
        bash("python3 -m unittest"),
        bash("git commit -am 'Merge branch tax'"),
        bash("git log --oneline --graph | head -6"),
    ],
    done="Merged: default 20 %, books 7 %. The one conflict was the line of the default.",
)

RELEASE = Scenario(
    name="ledger-11-release",
    at="2026-01-22T16:20:00",
    title="Release 0.2.0",
    ask="Write a CHANGELOG for 0.2.0 from the commits, tag it and push the tag.",
    steps=[
        bash("git tag --list"),
        bash("git log --oneline --no-merges"),
        bash("git log --pretty=format:%s --no-merge", slip="git refuses"),
        bash("git log --pretty=format:%s --no-merges --reverse"),
        edit(
            "CHANGELOG.md",
            "# Changes\n",
            to="# Changes\n\n## 0.2.0\n",
            slip="no such file",
        ),
        write(
            "CHANGELOG.md",
            """
            # Changes

            ## 0.2.0 (2026-01-22)

            - Read bank statements, with amounts as 1,234.50, 1.234,50 or (12.50)
            - Commands `total` and `months`
            - Convert amounts by a table of rates
            - Invoices for books are taxed at 7 %, all others at 20 %
            """,
        ),
        edit(
            "ledger/__init__.py",
            "__all__ = [",
            to='__version__ = "0.2.0"\n__all__ = [',
            slip="edit before read",
        ),
        read("ledger/__init__.py"),
        edit(
            "ledger/__init__.py",
            "__all__ = [",
            to='__version__ = "0.2.0"\n__all__ = [',
        ),
        bash("python3 -c 'import ledger; print(ledger.__version__)'"),
        bash("python3 -m unittest 2>&1 | tail -3"),
        bash("git add -A && git commit -m 'Release 0.2.0' && git tag v0.2.0"),
        bash("git push origin v0.2.0", slip="git refuses"),
        bash("git remote -v"),
        bash("git describe --tags"),
    ],
    done=(
        "CHANGELOG.md is written, 0.2.0 is committed and tagged v0.2.0. I could not push: "
        "this repository has no remote."
    ),
)

REVIEW = Scenario(
    name="ledger-12-review",
    at="2026-01-26T09:30:00",
    title="Look it over before others see it",
    ask=(
        "Look over ledger before I show it to a colleague: leftovers, old names, modules "
        "without a test. Fix what is small, tell me the rest."
    ),
    steps=[
        bash("git status --short && git log --oneline | wc -l"),
        bash("find ledger tests -name '*.py' | sort | xargs wc -l"),
        search("TODO|FIXME|XXX", ".", slip="nothing found"),
        search("print\\(", "ledger"),
        bash("grep -rniE 'parse_?amount' --include=*.py ."),
        bash(
            "for m in invoice money months; do ls tests/test_$m.py; done",
            slip="no such file",
        ),
        (read("ledger/months.py"), read("ledger/bank/rates.py")),
        edit(
            "tests/test_money.py",
            "class ParseAmount(",
            to="class ToDecimal(",
            slip="edit before read",
        ),
        read("tests/test_money.py", limit=8),
        edit("tests/test_money.py", "class ParseAmount(", to="class ToDecimal("),
        write(
            "tests/test_months.py",
            """
            import unittest
            from decimal import Decimal

            from ledger.bank.statement import Row
            from ledger.months import by_month


            class ByMonth(unittest.TestCase):
                def test_rows_of_a_month_are_added(self):
                    days = ("2026-02-03", "2026-01-31", "2026-01-02")
                    rows = [Row(day, "", "", Decimal(1)) for day in days]
                    self.assertEqual(list(by_month(rows).items()), [("2026-01", 2), ("2026-02", 1)])
            """,
        ),
        bash("python3 -m unittest tests.test_months", slip="test fails"),
        read("ledger/months.py", offset=6),
        edit(
            "ledger/months.py",
            "    return sums\n",
            to="    return dict(sorted(sums.items()))\n",
            say="by_month promised an order but kept the order of the rows.",
        ),
        bash("python3 -m unittest"),
        bash("git diff --stat"),
        bash("git add -A && git commit -m 'Keep months in order, test them'"),
        bash("git show --stat HEAD | tail -5"),
    ],
    done=(
        "Found and fixed: months were only in order if the bank's rows were, and a test "
        "class had an old name. Left for you: rates.py reads its file at each call."
    ),
)

SCENARIOS = (MOVE, BRANCHES, RELEASE, REVIEW)
