"""The server of a page: the page library's protocol with access checks, limits, and shared packed windows.

It replaces the library's loop, which accepts every origin, reads any message, and packs each frame again for each
client. Slow clients skip frames: each reads the buffer at its own pace, and the buffer keeps only the newest of each kind.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import viser
from viser.infra import Message, WebsockClientConnection, WebsockServer
from viser.infra._async_message_buffer import AsyncMessageBuffer
from websockets import Subprotocol
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from supple.viewer.door.answers import MISSING, Document, refuse
from supple.viewer.door.caller import Count, caller_class
from supple.viewer.door.client import Client
from supple.viewer.door.gate import Gate, Refusal
from supple.viewer.door.limits import Limits, Pacing
from supple.viewer.door.packets import Packets

PROTOCOL = Subprotocol(f"viser-v{viser.__version__}")
LOG = logging.getLogger("supple.viewer.door")
LOG.addFilter(lambda record: "handshake" not in record.getMessage())  # refused requests must not fill the terminal
READ = ("Host", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Upgrade", "Accept-Encoding")
ADAPT = 0.5
"""Interval between checks of the serving load [s]."""


@dataclass
class ClientState:
    """Library state of a client."""

    message_buffer: AsyncMessageBuffer
    event_loop: asyncio.AbstractEventLoop


class GuardedServer(WebsockServer):
    """Listens until it is stopped; `problem` holds the reason of a failure."""

    _host: str
    _port: int

    def __init__(self, gate: Gate, limits: Limits, **options: Any) -> None:
        super().__init__(**options)
        self.gate, self.limits = gate, limits
        self.packets = Packets()
        self.pacing: Pacing | None = None
        self.problem: OSError | None = None
        self.element: Callable[[str], Any] = lambda _: None
        """The element of the panel with an id; None if absent."""
        self._document = Document(Path(self._http_server_root or "") / "index.html")
        self._numbers = 0
        self._count = Count(limits.connections)

    @property
    def clients(self) -> int:
        """Number of connected clients."""
        return len(self._live_connections)

    def _background_worker(self, ready_sem: threading.Semaphore) -> None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        self._background_event_loop, self._stop_event = loop, asyncio.Event()
        self._broadcast_buffer = AsyncMessageBuffer(loop, persistent_messages=True)
        try:
            loop.run_until_complete(self._listen(ready_sem))
        except OSError as error:
            self.problem = error
            ready_sem.release()
        finally:
            loop.close()

    async def _listen(self, ready: threading.Semaphore) -> None:
        async with serve(
            self._serve_client, self._host, self._port,
            process_request=self._admit, select_subprotocol=_same_version, create_connection=caller_class(self._count),
            max_size=self.limits.message, open_timeout=self.limits.handshake, compression=None, server_header=None,
            logger=LOG,
        ) as server:  # fmt: skip
            self._port = _port(server)
            ready.release()
            pacing = asyncio.create_task(self._adapt())
            await self._stop_event.wait()
            pacing.cancel()

    async def _adapt(self) -> None:
        """Lower the frame rate for all if serving uses too much of a core."""
        self.pacing = Pacing(self.limits.share)
        while True:
            await asyncio.sleep(ADAPT)
            self._broadcast_buffer.window_duration_sec = self.pacing.adapt()

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        # a duplicate header becomes one that never matches
        headers = {name: ", ".join(found) for name in READ if (found := request.headers.get_all(name))}
        refusal = self.gate.refusal(request.path, headers, connection.local_address[0])
        if refusal is not None:
            return refuse(refusal)
        if headers.get("Upgrade", "").lower() == "websocket":
            return refuse(_full(self.limits)) if self.clients >= self.limits.clients else None
        if self.gate.rest(request.path) not in ("", "index.html"):
            return refuse(MISSING)
        return self._document.answer(headers)

    async def _serve_client(self, connection: ServerConnection) -> None:
        if connection.subprotocol != PROTOCOL:
            await connection.close(1002, "the page belongs to another version of viser: reload it")
            return
        if self.clients >= self.limits.clients:  # others may have connected meanwhile
            await connection.close(1013, _full(self.limits).sentence)
            return
        number, self._numbers = self._numbers, self._numbers + 1
        loop = asyncio.get_running_loop()
        state = ClientState(AsyncMessageBuffer(loop, persistent_messages=False), loop)
        handle = WebsockClientConnection(number, state)
        self._client_state_from_id[number], self._live_connections[number] = state, connection
        try:
            await _tell(self._client_connect_cb, handle)
            await Client(self, connection, handle, state.message_buffer).serve()
        except ConnectionClosed:
            pass
        finally:
            state.message_buffer.set_done()
            self._client_state_from_id.pop(number, None)
            self._live_connections.pop(number, None)
            self._broadcast_buffer.generator_cursors.pop(number, None)
            await _tell(self._client_disconnect_cb, handle)

    async def obey(self, handle: WebsockClientConnection, message: Message) -> None:
        """Pass a checked message to its handlers."""
        await self._handle_incoming_message(handle.client_id, message)
        await handle._handle_incoming_message(handle.client_id, message)

    def windows(self, number: int) -> Any:
        """The shared messages for client `number`: first the full state, then updates."""
        return self._broadcast_buffer.window_generator(number, backlog_done_message=self._backlog_done_message)


def _full(limits: Limits) -> Refusal:
    return Refusal(
        HTTPStatus.SERVICE_UNAVAILABLE,
        f"{limits.clients} clients are already connected: close one, or raise --max-clients.",
    )


def _same_version(connection: ServerConnection, offered: Any) -> Subprotocol | None:
    return PROTOCOL if PROTOCOL in offered else None


def _port(server: Server) -> int:
    """The actual port, chosen by the system if none was given."""
    return int(next(iter(server.sockets)).getsockname()[1])


async def _tell(callbacks: Any, handle: WebsockClientConnection) -> None:
    for callback in list(callbacks):
        answer = callback(handle)
        if inspect.isawaitable(answer):
            await answer
