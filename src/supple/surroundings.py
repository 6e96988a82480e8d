"""The current folder, which may be a stranger's: nothing in it is imported, and no library takes its settings from there.

Python searches the current folder first when it starts a process for others, even for its own modules. Numba and Matplotlib read
a settings file there, with which nothing can be computed, or every figure waits for LaTeX.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SAFE = "PYTHONSAFEPATH"
"""Variable of Python: processes with it do not search the current folder. All that a command starts have it."""


def distrust_folder() -> None:
    """In a command: its child processes import nothing from the current folder, and ignore settings there."""
    os.environ[SAFE] = "1"
    import_matplotlib()


def import_matplotlib() -> None:
    """Let Matplotlib ignore settings in the current folder of a command; in a program of the user they are the user's own."""
    if SAFE in os.environ and Path("matplotlibrc").is_file() and "matplotlib" not in sys.modules:
        with _elsewhere():
            import matplotlib  # noqa: F401


def import_numba() -> None:
    """Let Numba ignore settings in the current folder; those of the environment count."""
    if not Path(".numba_config.yaml").is_file() or "numba" in sys.modules:
        return
    with _elsewhere():
        import numba  # noqa: F401
    sys.modules["numba.core.config"]._config_fname = ""  # type: ignore[attr-defined]  # it is read again by the compiler


@contextmanager
def _elsewhere() -> Iterator[None]:
    """Another current folder within, which is that of this file."""
    before = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))
    path, sys.path[:] = sys.path[:], [os.path.abspath(folder) for folder in sys.path]
    try:
        os.chdir(Path(__file__).parent)
        yield
    finally:
        os.fchdir(before)
        os.close(before)
        sys.path[:] = path
