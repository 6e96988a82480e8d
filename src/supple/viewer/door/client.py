"""One client of a page: outgoing messages at its own pace, and checked incoming ones."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any

from viser import _messages
from viser.infra import Message, WebsockClientConnection
from websockets.asyncio.server import ServerConnection

from supple.viewer.door.limits import Allowance
from supple.viewer.door.mail import Garbage, Refused, check_value, read_mail

if TYPE_CHECKING:
    from supple.viewer.door.serving import GuardedServer

TELLING = 2.0
"""Refusals reported per second; a client that causes more is not read."""


class Client:
    """Served until it disconnects or is rejected."""

    def __init__(
        self, server: GuardedServer, connection: ServerConnection, handle: WebsockClientConnection, own: Any
    ) -> None:
        """`own`: buffer of messages for this client only."""
        self._server, self._connection, self._handle, self._own = server, connection, handle, own
        self._told = Allowance(TELLING)

    async def serve(self) -> None:
        """Send and receive until either ends."""
        number = self._handle.client_id
        tasks = [
            asyncio.create_task(self._send(self._own, self._own.window_generator(number))),
            asyncio.create_task(self._send(self._server.get_message_buffer(), self._server.windows(number))),
            asyncio.create_task(self._receive()),
        ]
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in ended:
            task.result()

    async def _send(self, buffer: Any, windows: Any) -> None:
        """A client that does not read blocks only itself; it gets the newest frame when it continues."""
        try:
            async for window in windows:
                if buffer.done:
                    return
                await self._connection.send(self._server.packets.pack(window))
        finally:
            await windows.aclose()

    async def _receive(self) -> None:
        allowance = Allowance(self._server.limits.rate)
        while True:
            raw = await self._connection.recv()
            try:
                await self._take(raw)
            except Garbage as problem:
                await self._connection.close(1008, str(problem)[:100])
                return
            except Refused as problem:
                self._tell(problem)
            pause = allowance.wait()
            if pause > 0.0:  # unread messages wait at the client
                await asyncio.sleep(pause)

    async def _take(self, raw: bytes | str) -> None:
        message = read_mail(raw)
        if message is None:
            return
        if isinstance(message, _messages.GuiUpdateMessage):
            handle = self._server.element(message.uuid) if isinstance(message.uuid, str) else None
            if handle is None:
                return  # the element is gone; tabs learn of it late
            check_value(handle, message.updates)
        await self._server.obey(self._handle, message)

    def _tell(self, problem: Refused) -> None:
        """Show the tab why its message was refused."""
        if self._told.wait() == 0.0:
            self._handle.queue_message(_notice(str(problem)))


def _notice(words: str) -> Message:
    """A notification of the library with plain text."""
    return _messages.NotificationShowMessage(
        uuid.uuid4().hex,
        _messages.NotificationProps(
            title="refused", body=words, loading=False, with_close_button=True, auto_close_seconds=6.0, color="red"
        ),
    )
