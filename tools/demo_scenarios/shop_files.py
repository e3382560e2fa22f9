"""Sessions that move, check and pack the shop's files."""

from __future__ import annotations

from demo_scenarios.shop_data import log
from demo_scenarios.steps import Scenario, bash, edit, look, read, search, text, write

_SHOP = text("""
    {
      "name": "Tea for Two",
      "port": 8080,
      "stock": {"port": 8081, "low": 3}
      "currency": "EUR"
    }
    """)
_TAXES = '{"default": 19, "books": 7}\n'

ARCHIVE = Scenario(
    name="shop-03-archive",
    at="2026-01-12T16:00:00",
    title="Archive the logs of December",
    ask="Move the logs of December into archive/, compressed. Leave January alone.",
    steps=[
        bash("ls logs"),
        bash("find logs -name '*2025-12*' | sort"),
        bash("wc -l logs/app-2025-12-*.log"),
        bash("mv logs/app-2025-12-*.log archive/", slip="no such folder"),
        bash("mkdir -p archive && mv logs/app-2025-12-*.log archive/"),
        bash("gzip archive/*.log"),
        bash("ls archive logs"),
        bash("gzip -dc archive/app-2025-12-31.log.gz | wc -l"),
        bash("gzip -dc archive/app-2025-12-30.log.gz | head -2"),
        bash("gzip --test archive/*.gz && echo intact"),
        bash("find logs -name '*2025-12*' | wc -l"),
    ],
    done="Two logs are in archive/, compressed and intact. January's logs are untouched.",
)

CONFIG = Scenario(
    name="shop-07-config",
    at="2026-01-19T08:30:00",
    title="Settings that do not load",
    ask="The shop says that its settings are broken. They are in config/. Please mend them.",
    given={"config/shop.json": _SHOP, "config/taxes.json": _TAXES},
    exit_lines=True,
    steps=[
        look("config"),
        bash("python3 -m json.tool config/taxes.json"),
        bash("python3 -m json.tool config/shop.json", slip="invalid JSON"),
        bash("sed -n '3,6p' config/shop.json"),
        edit(
            "config/shop.json",
            '"low": 3}\n',
            to='"low": 3},\n',
            slip="edit before read",
        ),
        read("config/shop.json"),
        edit("config/shop.json", '"low": 3}\n', to='"low": 3},\n'),
        bash("python3 -m json.tool config/shop.json > /dev/null && echo valid"),
        bash(
            "for f in config/*.json; do python3 -m json.tool $f > /dev/null && echo ok $f; done"
        ),
        search("port", "config"),
        bash(
            'python3 -c \'import json; print(json.load(open("config/shop.json"))["stock"]["port"])\''
        ),
    ],
    done="A comma was missing after the stock section of shop.json. Both files load now.",
)

DOWNLOADS = Scenario(
    name="shop-10-downloads",
    at="2026-01-23T15:05:00",
    title="Tidy the downloads",
    ask=(
        "downloads/ is a mess. Invoices go to invoices/, pictures to pictures/, names "
        "in lower case without spaces. Then pack the invoices into one tar.gz."
    ),
    given={
        "downloads/Invoice 1041.txt": "Invoice 1041: 310.00 EUR\n",
        "downloads/Invoice 1042.txt": "Invoice 1042: 1250.00 EUR\n",
        "downloads/invoice_1043.txt": "Invoice 1043: 2480.50 EUR\n",
        "downloads/Teapot Blue.svg": "<svg/>\n",
        "downloads/LOGO.svg": "<svg/>\n",
        "downloads/notes.txt": "Call the printer about the invoices.\n",
        "logs/app-2026-01-22.log": log("2026-01-22", salt=7),
    },
    steps=[
        look("downloads"),
        bash("ls -1 downloads | wc -l"),
        bash("mkdir invoices pictures"),
        bash(
            "mv downloads/Invoice 1041.txt invoices/invoice-1041.txt",
            slip="no such file",
        ),
        bash(
            "cd downloads && for f in [Ii]nvoice*; do "
            'mv "$f" "../invoices/$(echo "$f" | tr \'A-Z _\' \'a-z--\')"; done',
            say="The name has a space, so it needs quotes.",
        ),
        bash(
            "cd downloads && for f in *.svg; do "
            'mv "$f" "../pictures/$(echo "$f" | tr \'A-Z \' \'a-z-\')"; done'
        ),
        bash("ls invoices pictures downloads"),
        bash("cat downloads/notes.txt"),
        bash("grep -h EUR invoices/*.txt | awk '{sum += $3} END {print sum}'"),
        bash("tar -czf invoices.tar.gz --packed invoices", slip="unknown option"),
        bash("tar -czf invoices.tar.gz invoices"),
        bash("tar -tzf invoices.tar.gz | sort"),
        search("1042", "invoices"),
        write(
            "downloads/README.txt", "Sorted on 2026-01-23; notes.txt is left to you.\n"
        ),
    ],
    done=(
        "Three invoices and two pictures are renamed and in their folders, and "
        "invoices.tar.gz holds the invoices. notes.txt fits neither, so it stayed."
    ),
)

SCENARIOS = (ARCHIVE, CONFIG, DOWNLOADS)
