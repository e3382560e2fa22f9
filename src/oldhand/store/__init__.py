"""The seam to the database: a handful of methods, two engines behind them."""

from __future__ import annotations

from oldhand.store.connector import Parameters, Row, Store
from oldhand.store.open import open_database
from oldhand.store.queries import Queries, Query

__all__ = ["Parameters", "Queries", "Query", "Row", "Store", "open_database"]
