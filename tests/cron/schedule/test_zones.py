"""Time zones by name, and this machine's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.cron.schedule import load_zone, machine_zone
from oldhand.errors import InvalidInput


def test_every_zone_of_a_place_is_there() -> None:
    places = {name for name in available_timezones() if "/" in name}

    assert len(places) > 400
    for name in places:
        load_zone(name)


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "Europe/../Europe/Berlin",
        "Europe//Berlin",
        "Europe/Berlin\0",
        "Europe/Berlin\n",
        "Europe",
        "zone.tab",
        "leapseconds",
        "right/Europe/Berlin",
        "posix/Europe/Berlin",
        "localtime",
        "",
        "+01:00",
        "x" * 10_000,
        "Europé/Berlin",
    ],
)
def test_what_is_no_name_of_a_place_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"expected an IANA name, as Europe/Berlin"):
        load_zone(name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Europe/Berln", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("lisbon", "Europe/Lisbon"),
        ("New York", "America/New_York"),
        ("PST", "America/Los_Angeles"),
    ],
)
def test_the_zone_that_was_meant_is_named(name: str, meant: str) -> None:
    with pytest.raises(InvalidInput, match=f"did you mean {meant}\\?"):
        load_zone(name)


@given(st.text())
def test_any_name_is_a_zone_or_refused(name: str) -> None:
    try:
        load_zone(name)
    except InvalidInput as caught:
        refusal = caught
    else:
        return

    assert len(str(refusal)) < 1000


def test_without_a_zone_database_utc_is_there_and_all_else_says_what_to_install() -> (
    None
):
    program = (
        "import sys; sys.modules['tzdata'] = None\n"
        "from oldhand.cron.schedule import load_zone, parse_schedule\n"
        "parse_schedule('daily 09:00', now_us=0, zone='UTC').next_after(0)\n"
        "try: load_zone('Europe/Berlin')\n"
        "except ValueError as refusal: print(refusal)"
    )
    environment = dict(os.environ, PYTHONTZPATH="")  # noqa: TID251

    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )

    assert "no zone database" in run.stdout
    assert "tzdata" in run.stdout


@pytest.mark.parametrize(
    ("tz", "name", "found_in"),
    [
        ("Asia/Tokyo", "Asia/Tokyo", "TZ"),
        (":Asia/Tokyo", "Asia/Tokyo", "TZ"),
        ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", "TZ"),
        ("", "UTC", "TZ"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "UTC", ""),
        ("../../etc/passwd", "UTC", ""),
        (":/etc/localtime", "Europe/Lisbon", "/etc/localtime"),
        (None, "Europe/Lisbon", "/etc/localtime"),
    ],
)
def test_a_variable_beats_the_link(
    tz: str | None, name: str, found_in: str, tmp_path: Path
) -> None:
    (tmp_path / "localtime").symlink_to("/usr/share/zoneinfo/Europe/Lisbon")
    (tmp_path / "timezone").write_text("Europe/Madrid\n")

    found = machine_zone(tz, etc=tmp_path)

    assert found == (name, found_in)
    assert bool(found.note) == (not found_in)


@pytest.mark.parametrize(
    "target",
    ["/var/db/timezone/zoneinfo/Europe/Lisbon", "../usr/share/zoneinfo/Europe/Lisbon"],
)
def test_a_link_is_read_without_following_it(target: str, tmp_path: Path) -> None:
    (tmp_path / "localtime").symlink_to(target)

    assert machine_zone(None, etc=tmp_path).name == "Europe/Lisbon"


def test_a_link_to_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "chosen").symlink_to("/usr/share/zoneinfo/Europe/Lisbon")
    (tmp_path / "localtime").symlink_to(tmp_path / "chosen")

    assert machine_zone(None, etc=tmp_path).name in {"Europe/Lisbon", "Portugal"}


def test_a_copied_file_leaves_the_name_to_timezone(tmp_path: Path) -> None:
    (tmp_path / "localtime").write_bytes(b"TZif2")
    (tmp_path / "timezone").write_text("Europe/Madrid\n")

    assert machine_zone(None, etc=tmp_path) == ("Europe/Madrid", "/etc/timezone")


def test_a_machine_that_says_nothing_is_in_utc_and_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "timezone").write_bytes(b"\xff")

    found = machine_zone(None, etc=tmp_path)

    assert found == ("UTC", "")
    assert "UTC" in found.note
