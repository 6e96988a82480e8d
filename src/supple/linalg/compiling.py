"""Notification of compilation by Numba, which happens once per kernel and machine and takes seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import event

COMPILE = "numba:compile"


class _FirstCompile(event.Listener):
    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._told = False

    def on_start(self, event: Any) -> None:
        if not self._told:
            self._told = True
            self._tell()

    def on_end(self, event: Any) -> None:
        """No notification."""


_listening: list[_FirstCompile] = []


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell` when the next kernel is compiled, replacing the previous listener; loading from the cache does not count."""
    while _listening:
        event.unregister(COMPILE, _listening.pop())
    _listening.append(_FirstCompile(tell))
    event.register(COMPILE, _listening[0])
