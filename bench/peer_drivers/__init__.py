"""One small program a store, run by the store's own interpreter; see `contract`."""

from __future__ import annotations
