"""`ledger` reads the bank's statement and converts by a table of rates."""

from __future__ import annotations

from demo_scenarios.steps import Scenario, bash, edit, look, read, search, text, write

_BANK = text("""
    Date;Payee;Purpose;Amount
    2025-12-29;City Power;December;-84,20
    2025-12-30;Blue Door Bakery;invoice 1041;310,00
    2026-01-02;Water Works;fourth quarter;-61,75
    2026-01-02;North Pier Cafe;invoice 1042;1.250,00
    2026-01-03;Post Office;stamps;-19,00
    2026-01-05;Hill School;invoice 1043;2.480,50
    """)

_RATES = '{\n  "base": "EUR",\n  "CHF": "0.94",\n  "USD": "1.08",\n}\n'

BANK = Scenario(
    name="ledger-03-bank",
    at="2026-01-06T08:47:00",
    title="Read the bank's statement",
    ask=(
        "I put a statement of my bank into samples/. Write read_statement(path) that "
        "gives rows with date, payee, purpose and a Decimal amount."
    ),
    given={"samples/bank.csv": _BANK},
    steps=[
        read("samples/statement.csv", slip="no such file"),
        look("samples"),
        read("samples/bank.csv", limit=5),
        search("^def |^class ", "ledger"),
        write(
            "ledger/statement.py",
            '''
            """Rows of a bank statement."""

            import csv
            from decimal import Decimal
            from typing import NamedTuple

            from ledger.money import parse_amount


            class Row(NamedTuple):
                date: str
                payee: str
                purpose: str
                amount: Decimal


            def read_statement(path)
                """Read the bank's CSV: semicolons, one header line."""
                with open(path, newline="", encoding="utf-8") as file:
                    rows = csv.reader(file, delimiter=";")
                    next(rows)
                    return [Row(*row[:3], parse_amount(row[3])) for row in rows]
            ''',
        ),
        bash("python3 -m compileall -q ledger", slip="syntax error"),
        edit(
            "ledger/statement.py",
            "def read_statement(path)\n",
            to="def read_statement(path):\n",
        ),
        bash("python3 -m compileall -q ledger"),
        write(
            "tests/test_statement.py",
            """
            import unittest
            from decimal import Decimal

            from ledger.statement import read_statement


            class Statement(unittest.TestCase):
                def test_every_row_is_read(self):
                    self.assertEqual(len(read_statement("samples/bank.csv")), 6)

                def test_amounts_add_up(self):
                    rows = read_statement("samples/bank.csv")
                    total = sum(row.amount for row in rows)
                    self.assertEqual(total, Decimal("3875.55"))
            """,
        ),
        bash("python3 -m unittest 2>&1 | tail -5", slip="test fails behind a pipe"),
        bash(
            "python3 -m unittest 2>&1 | grep -A 8 '^FAIL'",
            slip="test fails behind a pipe",
        ),
        edit(
            "ledger/money.py",
            "return Decimal(text.strip())",
            to="return Decimal(_plain(text))",
            slip="edit before read",
            say="The bank writes 1.250,00. parse_amount must tell the two ways apart.",
        ),
        read("ledger/money.py"),
        edit(
            "ledger/money.py",
            "return Decimal(text.strip())",
            to="return Decimal(_plain(text))",
            slip="edit text not found",
        ),
        edit(
            "ledger/money.py",
            '''
    """Turn "1,234.50" into a Decimal."""
    return Decimal(text.strip().replace(",", ""))
''',
            to='''
    """Turn "1,234.50" or "1.234,50" into a Decimal."""
    text = text.strip()
    if re.search(r",\\d\\d$", text):
        text = text.replace(".", "").replace(",", ".")
    return Decimal(text.replace(",", ""))
''',
        ),
        edit(
            "ledger/money.py",
            "from decimal import Decimal\n",
            to="import re\nfrom decimal import Decimal\n",
        ),
        bash("python3 -m unittest 2>&1 | tail -5"),
        bash("git add -A && git commit -m 'Read bank statements'"),
    ],
    done=(
        "read_statement reads the sample: six rows, 3,875.55 in all. parse_amount now "
        "takes both 1,234.50 and 1.234,50; it was the second that broke the sum."
    ),
)

RATES = Scenario(
    name="ledger-07-rates",
    at="2026-01-12T13:05:00",
    title="Exchange rates from a file",
    ask=(
        "Convert an amount to another currency. There should be a rate server on "
        "localhost:8099; if it isn't up, use samples/rates.json."
    ),
    given={"samples/rates.json": _RATES},
    steps=[
        bash("curl -sS http://localhost:8099/rates", slip="connection refused"),
        bash(
            "curl -sS --max-time 5 http://127.0.0.1:8099/",
            slip="connection refused",
        ),
        bash("cat samples/rates.json", say="No server. The file, then."),
        bash("python3 -m json.tool samples/rates.json", slip="invalid JSON"),
        edit(
            "samples/rates.json",
            '"1.08",\n',
            to='"1.08"\n',
            slip="edit before read",
        ),
        read("samples/rates.json"),
        edit("samples/rates.json", '"1.08",\n', to='"1.08"\n'),
        bash("python3 -m json.tool samples/rates.json"),
        write(
            "ledger/rates.py",
            '''
            """Amounts in other currencies."""

            import json
            from decimal import Decimal
            from pathlib import Path


            def convert(amount, currency, path):
                """Convert from the base currency of the rates in a JSON file."""
                rates = json.loads(Path(path).read_text())
                rate = Decimal(rates[currency])
                return (amount * rate).quantize(Decimal("0.01"))
            ''',
        ),
        write(
            "tests/test_rates.py",
            """
            import unittest
            from decimal import Decimal

            from ledger.rates import convert


            class Convert(unittest.TestCase):
                def test_francs(self):
                    francs = convert(Decimal("10"), "CHF", "samples/rates.json")
                    self.assertEqual(str(francs), "9.40")

                def test_base_stays(self):
                    same = convert(Decimal("10"), "EUR", "samples/rates.json")
                    self.assertEqual(str(same), "10.00")
            """,
        ),
        bash("python3 -m unittest tests.test_rates", slip="test fails"),
        edit(
            "ledger/rates.py",
            "    rate = Decimal(rates[currency])",
            to="""
    rate = Decimal(1 if currency == rates["base"] else rates[currency])""",
        ),
        bash("python3 -m unittest"),
        bash("git add -A && git commit -m 'Convert amounts by a table of rates'"),
    ],
    done=(
        "The server on port 8099 refuses connections, so convert() reads the file. That "
        "file had a comma too many, which I removed."
    ),
)

SCENARIOS = (BANK, RATES)
