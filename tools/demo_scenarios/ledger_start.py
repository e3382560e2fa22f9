"""The first sessions of `ledger`, a small library for money: package, invoices."""

from __future__ import annotations

from demo_scenarios.steps import Scenario, bash, edit, look, read, write

MONEY = Scenario(
    name="ledger-01-money",
    at="2026-01-05T09:12:00",
    title="Start the ledger package",
    ask=(
        "Start a small Python package called ledger in this folder. The first thing it "
        'needs is parse_amount("1,234.50") -> Decimal, with unit tests. No dependencies, '
        "please. Commit when the tests pass."
    ),
    steps=[
        look(),
        write(
            "ledger/money.py",
            '''
            """Amounts of money as people write them."""

            from decimal import Decimal


            def parse_amount(text):
                """Turn "1,234.50" into a Decimal."""
                return Decimal(text.strip())
            ''',
            slip="no such folder",
        ),
        bash("mkdir -p ledger tests && touch ledger/__init__.py tests/__init__.py"),
        write(
            "ledger/money.py",
            '''
            """Amounts of money as people write them."""

            from decimal import Decimal


            def parse_amount(text):
                """Turn "1,234.50" into a Decimal."""
                return Decimal(text.strip())
            ''',
        ),
        write(
            "tests/test_money.py",
            """
            import unittest
            from decimal import Decimal

            from ledger.money import parse_amount


            class ParseAmount(unittest.TestCase):
                def test_plain_number(self):
                    self.assertEqual(parse_amount("12.30"), Decimal("12.30"))

                def test_thousands_separator(self):
                    self.assertEqual(parse_amount("1,234.50"), Decimal("1234.50"))

                def test_surrounding_spaces(self):
                    self.assertEqual(parse_amount("  7 "), Decimal("7"))
            """,
        ),
        bash("python3 -m unittest", slip="test fails"),
        edit(
            "ledger/money.py",
            "Decimal(text.strip())",
            to='Decimal(text.strip().replace(",", ""))',
            say="Decimal does not take the thousands separator. I'll drop it first.",
        ),
        bash("python3 -m unittest"),
        bash("git init -q && printf '__pycache__/\\n' > .gitignore"),
        bash("git add -A && git commit -m 'Parse amounts of money'"),
        bash("git log --oneline"),
    ],
    done=(
        "The package is there: ledger/money.py with parse_amount, three tests, all "
        "green, in a first commit."
    ),
)

INVOICE = Scenario(
    name="ledger-02-invoice",
    at="2026-01-05T14:31:00",
    title="Add invoices with a total",
    ask=(
        "Next: an Invoice with lines (text, price, count), net() and total() with 19 % "
        "tax, rounded to the cent. An empty invoice totals 0.00. Export both classes "
        "from the package."
    ),
    steps=[
        look(),
        read("ledger/money.py"),
        write(
            "ledger/invoice.py",
            '''
            """An invoice and what it adds up to."""

            from dataclasses import dataclass, field
            from decimal import Decimal


            @dataclass
            class Line:
                text: str
                price: Decimal
                count: int = 1


            @dataclass
            class Invoice:
                number: str
                lines: list[Line] = field(default_factory=list)
                tax_percent: Decimal = Decimal("19")

                def net(self):
                    return sum(line.price * line.count for line in self.lines)

                def total(self):
                    return self.net() * (1 + self.tax_percent / 100)
            ''',
        ),
        write(
            "tests/test_invoice.py",
            """
            import unittest
            from decimal import Decimal

            from ledger.invoice import Invoice, Line


            class Total(unittest.TestCase):
                def test_total_is_rounded_to_the_cent(self):
                    invoice = Invoice("1041", [Line("roll", Decimal("0.99"), 3)])
                    self.assertEqual(str(invoice.total()), "3.53")

                def test_empty_invoice_totals_nothing(self):
                    self.assertEqual(str(Invoice("1042").total()), "0.00")
            """,
        ),
        bash("python3 -m unittest tests.test_invoice", slip="test fails"),
        edit(
            "ledger/invoice.py",
            "return self.net() * (1 + self.tax_percent / 100)",
            to="return (self.net() * (1 + self.tax_percent / 100)).quantize(CENT)",
        ),
        bash("python3 -m unittest tests.test_invoice", slip="test fails"),
        edit(
            "ledger/invoice.py",
            "from decimal import Decimal\n",
            to='from decimal import Decimal\n\nCENT = Decimal("0.01")\n',
            say="I used CENT without defining it.",
        ),
        bash("python3 -m unittest tests.test_invoice"),
        edit(
            "ledger/__init__.py",
            '""',
            to="from ledger.invoice import Invoice, Line",
            slip="edit before read",
        ),
        read("ledger/__init__.py"),
        write(
            "ledger/__init__.py",
            '''
            """Invoices and bank statements."""

            from ledger.invoice import Invoice, Line

            __all__ = ["Invoice", "Line"]
            ''',
        ),
        bash("python3 -m unittest"),
        bash("git status --short"),
        bash("git commit -m 'Add invoices with a total'", slip="nothing staged"),
        bash("git add -A && git commit -m 'Add invoices with a total'"),
    ],
    done="Invoice and Line are in ledger/invoice.py and exported. Five tests pass.",
)

SCENARIOS = (MONEY, INVOICE)
