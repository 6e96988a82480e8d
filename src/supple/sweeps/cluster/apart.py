"""Local workers that do not run the user's script.

A process that Python spawns first imports the main script of its parent, in which a script without `if __name__ == "__main__"`
would start a sweep of its own, and which does not exist for lines that were piped in. Workers need nothing from there: functions
of the main script travel to them by value.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

NAMES = ("__file__", "__spec__")
"""Where Python looks for the main script."""


@contextmanager
def apart() -> Iterator[None]:
    """Processes that are started within know nothing of the main script."""
    main = vars(sys.modules["__main__"])
    before = {name: main[name] for name in NAMES if name in main}
    main.pop("__file__", None)
    main["__spec__"] = None
    try:
        yield
    finally:
        main.update(before)
