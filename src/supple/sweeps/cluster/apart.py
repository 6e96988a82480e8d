"""Local workers that do not run the user's script.

A process that Python spawns first imports the main script of its parent, in which a script without `if __name__ == "__main__"`
would start another sweep, and which does not exist for piped input. Workers need nothing from it: functions
of the main script are sent to them by value.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

NAMES = ("__file__", "__spec__")
"""Attributes by which Python finds the main script."""


@contextmanager
def apart() -> Iterator[None]:
    """Processes started in this context do not import the main script."""
    main = vars(sys.modules["__main__"])
    before = {name: main[name] for name in NAMES if name in main}
    main.pop("__file__", None)
    main["__spec__"] = None
    try:
        yield
    finally:
        main.update(before)
