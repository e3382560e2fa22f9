"""The log: where messages go when nobody else takes them."""

from __future__ import annotations

import logging

from oldhand.notices.message import Message

MAX_CHARS = 4_096

logger = logging.getLogger(__name__)


class Log:
    """Writes to Python's logging, as a warning: it is shown where nothing was configured."""

    name = "log"

    def send(self, message: Message) -> None:
        """Log it; all but the first line are indented, so that none poses as an entry."""
        logger.warning("%s", message.text(MAX_CHARS).replace("\n", "\n    "))
