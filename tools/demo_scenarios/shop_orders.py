"""Sessions that count the shop's orders: by command, then by a script."""

from __future__ import annotations

from demo_scenarios.shop_data import customers, orders
from demo_scenarios.steps import Scenario, bash, edit, look, read, search, write

BY_ITEM = Scenario(
    name="shop-02-orders",
    at="2026-01-09T09:05:00",
    title="Orders by item",
    ask="Which item did we sell most often in December, and what did December bring in?",
    given={
        "orders/orders-2025-12.csv": orders("2025-12", first=1001, count=40),
        "orders/orders-2026-01.csv": orders("2026-01", first=1041, count=26),
    },
    steps=[
        look("orders"),
        read("orders/orders-2025-12.csv", limit=5),
        bash(
            "cut -d';' -f4 orders/orders-2025-12.csv | sort | uniq -c | sort -rn | head -3"
        ),
        bash(
            "cut -d, -f4 orders/orders-2025-12.csv | sort | uniq -c | sort -rn",
            say="Commas, not semicolons.",
        ),
        bash(
            "tail -n +2 orders/orders-2025-12.csv | cut -d, -f4 | sort | uniq -c | sort -rn",
            say="Without the header:",
        ),
        bash("awk -F, 'NR>1 {sum += $5*$6} END {print sum}' orders/orders-2025-12.csv"),
        bash("cut -d, -f7 orders/orders-2025-12.csv | sort | uniq -c"),
        bash("grep refunded orders/orders-2025-12.csv"),
        bash(
            'awk -F, \'$7=="paid" {sum += $5*$6} END {printf "%.2f\\n", sum}\' '
            "orders/orders-2025-12.csv",
            say="Refunded orders brought nothing in.",
        ),
        bash(
            "awk -F, 'NR>1 {n[$4] += $5} END {for (k in n) print n[k], k}' "
            "orders/orders-2025-12.csv | sort -rn",
            say="By pieces instead of orders:",
        ),
        bash("wc -l orders/*.csv"),
    ],
    done=(
        "Teapots: 12 of the 40 orders, and 24 pieces. December brought in 823.10; that "
        "is without the four refunded orders, with them it would be 935.10."
    ),
)

CUSTOMERS = Scenario(
    name="shop-04-customers",
    at="2026-01-14T10:30:00",
    title="Customers who are there twice",
    ask="Find customers who are in customers.csv twice. Change nothing yet.",
    given={"customers.csv": customers()},
    steps=[
        bash("head -4 customers.csv && wc -l customers.csv"),
        bash("cut -d, -f3 customers.csv | uniq -d", slip="nothing found"),
        bash(
            "cut -d, -f3 customers.csv | sort | uniq -d", say="uniq wants sorted lines."
        ),
        bash("cut -d, -f3 customers.csv | tr A-Z a-z | sort | uniq -d"),
        bash("grep -inE 'cleo|finn' customers.csv"),
        bash("awk -F, '$3==10 || $3==11' orders/*.csv | wc -l"),
        "Good. Keep the older entry of each and write customers-clean.csv.",
        bash(
            "awk -F, '!seen[tolower($3)]++' customers.csv > customers-clean.csv && "
            "wc -l customers-clean.csv"
        ),
        bash('diff customers.csv customers-clean.csv; echo "exit $?"'),
        bash("cut -d, -f3 customers-clean.csv | tr A-Z a-z | sort | uniq -d | wc -l"),
    ],
    done=(
        "Cleo and Finn were there twice (10 and 11, Finn in capitals). "
        "customers-clean.csv has nine customers; orders still name 10 and 11."
    ),
)

SCRIPT = Scenario(
    name="shop-06-script",
    at="2026-01-16T14:15:00",
    title="A script for the revenue",
    ask=(
        "Write tools/revenue.py: given CSV files of orders it prints the revenue by "
        "item, without refunded orders. It should agree with your sum for December."
    ),
    steps=[
        bash("head -2 orders/orders-2025-12.csv"),
        write(
            "tools/revenue.py",
            '''
            """Revenue by item: python3 tools/revenue.py FILE..."""

            import csv
            import sys
            from collections import Counter
            from decimal import Decimal


            def revenue(paths):
                sums = Counter()
                for path in paths:
                    with open(path, newline="") as file:
                        for row in csv.DictReader(file):
                            if row["state"] == "paid":
                                sums[row["item"]] += int(row["count"]) * Decimal(row["price"])
                return sums


            sums = revenue(sys.argv[1:])
            for item, sum in sums.most_common():
                print(f"{sum:>10} {item}")
            print(f"{sum(sums.values()):>10} in all")
            ''',
            slip="no such folder",
        ),
        bash("mkdir tools"),
        write(
            "tools/revenue.py",
            '''
            """Revenue by item: python3 tools/revenue.py FILE..."""

            import csv
            import sys
            from collections import Counter
            from decimal import Decimal


            def revenue(paths):
                sums = Counter()
                for path in paths:
                    with open(path, newline="") as file:
                        for row in csv.DictReader(file):
                            if row["state"] == "paid":
                                sums[row["item"]] += int(row["count"]) * Decimal(row["price"])
                return sums


            sums = revenue(sys.argv[1:])
            for item, sum in sums.most_common():
                print(f"{sum:>10} {item}")
            print(f"{sum(sums.values()):>10} in all")
            ''',
        ),
        bash("python3 tools/revenue.py orders/orders-2025-12.csv", slip="crash"),
        bash("head -1 orders/orders-2025-12.csv | tr , '\\n'"),
        edit("tools/revenue.py", 'row["state"]', to='row["status"]'),
        bash("python3 tools/revenue.py orders/orders-2025-12.csv", slip="crash"),
        edit(
            "tools/revenue.py",
            """
for item, sum in sums.most_common():
    print(f"{sum:>10} {item}")
""",
            to="""
for item, amount in sums.most_common():
    print(f"{amount:>10} {item}")
""",
            say="I hid the built-in sum behind a variable.",
        ),
        bash("python3 tools/revenue.py orders/orders-2025-12.csv"),
        bash(
            'awk -F, \'$7=="paid" {sum += $5*$6} END {printf "%.2f\\n", sum}\' '
            "orders/orders-2025-12.csv"
        ),
        bash("python3 tools/revenue.py orders/*.csv"),
    ],
    done=(
        "tools/revenue.py says 823.10 for December, as awk did, and 1325.20 for both "
        "months. The column is called status, not state."
    ),
)

WEEK = Scenario(
    name="shop-09-week",
    at="2026-01-22T09:45:00",
    title="The report of the month so far",
    ask=(
        "Write reports/2026-01.md with January's revenue by item and the failed "
        "payments by reason. Let tools/revenue.py take --markdown for it."
    ),
    steps=[
        bash(
            "python3 tools/revenue.py --markdown orders/orders-2026-01.csv",
            slip="crash",
        ),
        edit(
            "tools/revenue.py",
            "sums = revenue(sys.argv[1:])\n",
            to="sums = revenue(sys.argv[2:])\n",
            slip="edit before read",
        ),
        read("tools/revenue.py", offset=18),
        edit(
            "tools/revenue.py",
            """
sums = revenue(sys.argv[1:])
for item, amount in sums.most_common():
    print(f"{amount:>10} {item}")
""",
            to="""
paths = [word for word in sys.argv[1:] if word != "--markdown"]
line = "| {:>8} | {} |" if "--markdown" in sys.argv else "{:>10} {}"
sums = revenue(paths)
for item, amount in sums.most_common():
    print(line.format(amount, item))
""",
        ),
        edit(
            "tools/revenue.py",
            'print(f"{sum(sums.values()):>10} in all")',
            to='print(line.format(sum(sums.values()), "in all"))',
        ),
        bash("python3 tools/revenue.py --markdown orders/orders-2026-01.csv"),
        bash("python3 tools/revenue.py orders/orders-2025-12.csv | tail -1"),
        bash(
            "grep -h 'ERROR payment' logs/app-2026-01-*.log | sed 's/.*failed: //' "
            "| sort | uniq -c | sort -rn"
        ),
        bash("ls reports", slip="no such file"),
        bash("mkdir reports"),
        bash(
            "(echo '# January 2026'; echo; "
            "python3 tools/revenue.py --markdown orders/orders-2026-01.csv) "
            "> reports/2026-01.md"
        ),
        bash(
            "(echo; echo 'Failed payments:'; echo; grep -h 'ERROR payment' "
            "logs/app-2026-01-*.log | sed 's/.*failed: /- /' | sort | uniq -c) "
            ">> reports/2026-01.md && tail -5 reports/2026-01.md"
        ),
        read("reports/2026-01.md"),
        search("in all", "reports"),
    ],
    done="reports/2026-01.md is written; tools/revenue.py takes --markdown.",
)

SCENARIOS = (BY_ITEM, CUSTOMERS, SCRIPT, WEEK)
