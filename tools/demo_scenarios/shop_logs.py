"""Sessions that read the shop's logs: counting, searching, asking a service."""

from __future__ import annotations

from demo_scenarios.shop_data import log
from demo_scenarios.steps import (
    Scenario,
    bash,
    edit,
    look,
    read,
    search,
    text,
    todo,
    write,
)

_NOTES = text("""
    # Notes on the shop's server

    - The web shop listens on port 8080, the stock service on port 8081.
    - Logs are kept by day in logs/, the settings in config/.
    """)

ERRORS = Scenario(
    name="shop-01-errors",
    at="2026-01-08T08:15:00",
    title="Failed payments of yesterday",
    ask="Some payments failed yesterday, the 7th. How many were there, and why?",
    given={
        "logs/app-2025-12-30.log": log("2025-12-30", salt=2),
        "logs/app-2025-12-31.log": log("2025-12-31", salt=3),
        "logs/app-2026-01-05.log": log("2026-01-05", salt=4),
        "logs/app-2026-01-06.log": log("2026-01-06", salt=5),
        "logs/app-2026-01-07.log": log("2026-01-07", salt=6),
    },
    steps=[
        look(),
        look("logs"),
        bash("wc -l logs/*.log"),
        bash("head -3 logs/app-2026-01-07.log"),
        bash("sed -n '20,24p' logs/app-2026-01-07.log"),
        bash("grep -c ERROR log/app-2026-01-07.log", slip="no such file"),
        bash("grep -c ERROR logs/app-2026-01-07.log"),
        search("ERROR payment", "logs/app-2026-01-07.log"),
        bash(
            "grep 'ERROR payment' logs/app-2026-01-07.log | sed 's/.*failed: //' "
            "| sort | uniq -c | sort -rn"
        ),
        bash("grep -c 'ERROR payment' logs/*.log", say="And the days before?"),
        bash(
            "grep ERROR logs/app-2026-01-07.log | grep -v payment", slip="nothing found"
        ),
        bash("grep -c WARN logs/app-2026-01-07.log"),
        bash("grep WARN logs/app-2026-01-07.log | tail -3"),
    ],
    done=(
        "Five payments failed on the 7th: two expired cards, two limits reached, one "
        "timeout of the bank. There were no other errors, and each of the days before "
        "had five as well, so the 7th was not unusual."
    ),
)

HOURS = Scenario(
    name="shop-05-hours",
    at="2026-01-15T08:40:00",
    title="When payments fail",
    ask="At which hour do most payments fail? Over all logs that we have.",
    steps=[
        (look("logs"), look("archive")),
        bash("find . -name '*.log' -o -name '*.log.gz' | sort"),
        bash("head -2 logs/app-2026-01-06.log"),
        bash("wc -l logs/*.log"),
        search("ERROR payment (order", "logs", slip="bad pattern"),
        search("ERROR payment order=\\d+ failed: bank", "logs"),
        bash(
            "grep -h 'ERROR payment' logs/*.log | cut -c12-13 | sort | uniq -c | sort -rn | head -4"
        ),
        bash("gzip -dc archive/*.gz | grep -c 'ERROR payment'"),
        bash(
            "(cat logs/*.log; gzip -dc archive/*.gz) | grep 'ERROR payment' | cut -c12-13 "
            "| sort | uniq -c | sort -rn | head -5",
            say="The archive belongs to it.",
        ),
        bash(
            "(cat logs/*.log; gzip -dc archive/*.gz) | grep -c 'ERROR payment'",
        ),
        bash(
            "(cat logs/*.log; gzip -dc archive/*.gz) | grep 'ERROR payment' "
            "| awk '{h[substr($1,12,2)]++} END {for (k in h) print k, h[k]}' | sort"
        ),
    ],
    done=(
        "25 payments failed in five days. 14 and 19 o'clock lead with four each, but no "
        "hour stands out with so few cases; I would change nothing because of them."
    ),
)

SERVICE = Scenario(
    name="shop-08-service",
    at="2026-01-20T13:50:00",
    title="Is the stock service up?",
    ask=(
        "The shop shows no stock today. Is the stock service on 8081 running? Look "
        "around and write what you find into docs/stock.md."
    ),
    given={
        "docs/server.md": _NOTES,
        "logs/app-2026-01-20.log": log("2026-01-20", salt=9),
    },
    exit_lines=True,
    steps=[
        todo("now: ask the service", "next: logs", "next: settings", "next: note"),
        bash(
            "curl -sS --max-time 5 http://localhost:8081/health",
            slip="connection refused",
        ),
        bash(
            "curl -sS --max-time 5 -o /dev/null -w '%{http_code}\\n' http://localhost:8081/",
            slip="connection refused",
        ),
        (look("docs"), look("config")),
        read("docs/server.md"),
        bash("cat config/shop.json"),
        bash("grep -c 'WARN stock' logs/app-2026-01-20.log"),
        bash("grep 'WARN stock' logs/app-2026-01-20.log | tail -3"),
        bash("grep -rn 8081 config docs"),
        search("stock", "config"),
        bash("systemctl status stock", slip="command not found"),
        write(
            "docs/stock.md",
            """
            # The stock service on 2026-01-20

            - Port 8081 refuses connections: nothing listens there.
            - The log of the day has warnings of low stock, so the shop had numbers.
            - config/shop.json names port 8081, as docs/server.md does.

            To do: start the service, then ask http://localhost:8081/health again.
            """,
        ),
        bash("cat docs/stock.md | wc -l"),
    ],
    done=(
        "Nothing listens on 8081, so the service is not running; settings and notes "
        "agree on the port. It is written up in docs/stock.md. I did not start anything."
    ),
)

JANUARY = Scenario(
    name="shop-11-january",
    at="2026-01-26T08:20:00",
    title="Failed payments day by day",
    ask=(
        "How did the failed payments develop in January? I'd like a CSV in reports/ "
        "with day and count, and the worst day."
    ),
    steps=[
        look("logs"),
        bash("ls logs/app-2026-01-*.log | wc -l"),
        bash("grep -c 'ERROR payment' logs/app-2026-01-*.log"),
        bash(
            "for f in logs/app-2026-01-*.log; do "
            "echo \"$(basename $f .log | cut -c5-),$(grep -c 'ERROR payment' $f)\"; "
            "done > report/failures.csv",
            slip="no such folder",
        ),
        look("reports"),
        bash(
            "for f in logs/app-2026-01-*.log; do "
            "echo \"$(basename $f .log | cut -c5-),$(grep -c 'ERROR payment' $f)\"; "
            "done > reports/failures.csv"
        ),
        bash("cat reports/failures.csv"),
        bash("column -t -s, reports/failures.csv", slip="command not found"),
        bash("sort -t, -k2 -nr reports/failures.csv | head -1"),
        bash("awk -F, '{sum += $2} END {print sum, sum/NR}' reports/failures.csv"),
        bash("grep 'ERROR payment' logs/app-2026-01-20.log"),
        bash(
            "grep -h 'ERROR payment' logs/app-2026-01-*.log | sed 's/.*failed: //' "
            "| sort | uniq -c | sort -rn"
        ),
        edit(
            "reports/failures.csv",
            "2026-01-05,",
            to="day,failed\n2026-01-05,",
            slip="edit before read",
        ),
        bash(
            "(echo day,failed; cat reports/failures.csv) > new.csv && "
            "mv new.csv reports/failures.csv"
        ),
        read("reports/failures.csv"),
    ],
    done=(
        "reports/failures.csv has five days. The 20th and the 22nd were worst with six "
        "failures each; the days before had five. There are no logs of the days between."
    ),
)

SCENARIOS = (ERRORS, HOURS, SERVICE, JANUARY)
