"""`ledger` reads amounts: a function renamed, a bug with a test first."""

from __future__ import annotations

from demo_scenarios.steps import Scenario, bash, edit, read, search

RENAME = Scenario(
    name="ledger-04-rename",
    at="2026-01-07T10:03:00",
    title="Rename parse_amount",
    ask="parse_amount should be called to_decimal, everywhere. Nothing else changes.",
    exit_lines=True,
    steps=[
        search("parse_amount", "."),
        read("ledger/money.py"),
        edit("ledger/money.py", "def parse_amount(", to="def to_decimal("),
        edit(
            "tests/test_money.py",
            "import parse_amount",
            to="import to_decimal",
            slip="edit before read",
        ),
        read("tests/test_money.py"),
        edit(
            "tests/test_money.py",
            "parse_amount",
            to="to_decimal",
            slip="edit text not unique",
        ),
        bash(
            "sed -i.old 's/parse_amount/to_decimal/g' ledger/statement.py "
            "tests/test_money.py && rm ledger/*.old tests/*.old",
            say="Many places, one word: sed is the better tool for it.",
        ),
        bash("grep -rn parse_amount . --include=*.py", slip="nothing found"),
        bash("python3 -m unittest"),
        bash("git diff --stat"),
        bash("git commit -am 'Rename parse_amount to to_decimal'"),
    ],
    done="Renamed in three files; no trace of the old name is left and all tests pass.",
)

PARENTHESES = Scenario(
    name="ledger-06-parentheses",
    at="2026-01-09T11:18:00",
    title="Amounts in parentheses",
    ask=(
        "Our accountant writes negative amounts as (12.50), and reading them crashes. "
        "Please write a test for it first."
    ),
    steps=[
        bash(
            "python3 -c \"from ledger.money import parse_amount; print(parse_amount('(12.50)'))\"",
            slip="module not found",
        ),
        search("def ", "ledger/money.py"),
        bash(
            "python3 -c \"from ledger.money import to_decimal; print(to_decimal('(12.50)'))\"",
            slip="crash",
            say="It was renamed. Again, with the new name:",
        ),
        edit(
            "tests/test_money.py",
            "    def test_surrounding_spaces(self):",
            to="""
    def test_parentheses_mean_negative(self):
        self.assertEqual(to_decimal("(12.50)"), Decimal("-12.50"))

    def test_surrounding_spaces(self):""",
            slip="edit before read",
        ),
        (read("tests/test_money.py"), read("ledger/money.py")),
        edit(
            "tests/test_money.py",
            "    def test_surrounding_spaces(self):",
            to="""
    def test_parentheses_mean_negative(self):
        self.assertEqual(to_decimal("(12.50)"), Decimal("-12.50"))

    def test_surrounding_spaces(self):""",
        ),
        bash(
            "python3 -m unittest tests.test_money 2>&1 | tail -4",
            slip="test fails behind a pipe",
        ),
        edit(
            "ledger/money.py",
            "    text = text.strip()\n",
            to="""
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        return -to_decimal(text[1:-1])
""",
        ),
        bash("python3 -m unittest 2>&1 | tail -4"),
        bash("git diff --stat"),
        bash("git commit -am 'Read amounts in parentheses as negative'"),
    ],
    done="(12.50) is now -12.50. The test failed before the change and passes after it.",
)

SCENARIOS = (RENAME, PARENTHESES)
