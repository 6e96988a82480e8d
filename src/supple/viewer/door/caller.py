"""Connections that are counted before their first request; those beyond the limit are closed at once."""

from __future__ import annotations

import asyncio
from typing import Any

from websockets.asyncio.server import ServerConnection


class Count:
    """Open connections of one server."""

    def __init__(self, limit: int) -> None:
        self.limit, self.open = limit, 0


def caller_class(count: Count) -> type[ServerConnection]:
    """A class of connections that share a count."""

    class Caller(ServerConnection):
        _turned_away = False

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            if count.open >= count.limit:
                self._turned_away = True
                abort: Any = transport
                abort.abort()
                return
            count.open += 1
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            if self._turned_away:
                return
            count.open -= 1
            super().connection_lost(exc)

    return Caller
