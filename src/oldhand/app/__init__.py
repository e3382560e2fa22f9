"""The wiring: settings in, connected parts out. The only package that knows everybody.

One file for each thing that a user sets out to do, so that starting a session does not
wait for the importers to be read.
"""

from __future__ import annotations
