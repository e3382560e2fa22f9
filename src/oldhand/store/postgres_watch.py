"""Hears what PostgreSQL notifies of, on a connection of its own."""

from __future__ import annotations

import psycopg
from psycopg import sql

from oldhand.store.connector import Row
from oldhand.store.postgres_errors import translate


class NotifyWatch:
    """Listens on a channel."""

    def __init__(
        self, connection: psycopg.Connection[Row], channel: str, url: str
    ) -> None:
        """Begin to listen; the connection is its own from now on."""
        self._connection = connection
        self._url = url
        try:
            connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        except psycopg.Error as fault:
            connection.close()
            raise translate(fault, url) from fault

    def has_news(self) -> bool:
        """Say whether somebody notified since the last call."""
        try:
            return bool(list(self._connection.notifies(timeout=0)))
        except psycopg.Error as fault:
            raise translate(fault, self._url) from fault

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()
