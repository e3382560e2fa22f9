"""`python -m oldhand`."""

from __future__ import annotations

from oldhand.cli import main

if __name__ == "__main__":
    main()
