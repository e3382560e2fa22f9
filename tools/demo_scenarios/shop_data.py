"""The files of `shop`: logs, orders and customers of a small tea shop, all made up.

They are computed from running numbers, so that they are the same on every machine.
"""

from __future__ import annotations

_ITEMS = (
    ("green tea", "4.50"),
    ("black tea", "3.90"),
    ("teapot", "28.00"),
    ("strainer", "6.20"),
)
_NAMES = ("Ada", "Bo", "Cleo", "Dan", "Edda", "Finn", "Gus", "Hanna", "Ida")
_REASONS = ("card expired", "limit reached", "bank timeout")
_LOG_LINES = 48


def log(day: str, *, salt: int) -> str:
    """One day of the shop's log: logins, checkouts, warnings, payments that failed."""
    return "".join(_log_line(day, n, salt=salt) for n in range(_LOG_LINES))


def orders(month: str, *, first: int, count: int) -> str:
    """One month of orders as CSV, with a header."""
    rows = (_order(month, first + n) for n in range(count))
    return "order,date,customer,item,count,price,status\n" + "".join(rows)


def customers() -> str:
    """The customers as CSV: two of them are there twice, one in capitals."""
    rows = [f"{n},{name},{_address(name)}\n" for n, name in enumerate(_NAMES, 1)]
    rows.append(f"10,Cleo,{_address('Cleo')}\n")
    rows.append(f"11,Finn,{_address('Finn').upper()}\n")
    return "id,name,email\n" + "".join(rows)


def _log_line(day: str, n: int, *, salt: int) -> str:
    minute = n * 17 + salt
    time = f"{day}T{8 + minute // 60:02}:{minute % 60:02}:{n * 13 % 60:02}"
    order = 2000 + salt * 50 + n
    if (n + salt) % 9 == 0:
        reason = _REASONS[(n * salt + n // 9) % len(_REASONS)]
        return f"{time} ERROR payment order={order} failed: {reason}\n"
    if (n * 5 + salt) % 11 == 0:
        item = _ITEMS[n % len(_ITEMS)][0].replace(" ", "-")
        return f"{time} WARN stock item={item} left={n % 4}\n"
    what = ("login", "checkout", "search")[(n + salt) % 3]
    return f"{time} INFO {what} customer={1 + n * 7 % 9} order={order}\n"


def _order(month: str, number: int) -> str:
    item, price = _ITEMS[number * 3 % 7 % len(_ITEMS)]
    customer = 1 + number * 5 % 11
    status = "refunded" if number % 10 == 0 else "paid"
    day = f"{month}-{1 + number % 28:02}"
    return f"{number},{day},{customer},{item},{1 + number % 3},{price},{status}\n"


def _address(name: str) -> str:
    return f"{name.lower()}@example.invalid"
