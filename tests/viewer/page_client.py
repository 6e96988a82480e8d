"""A client of a page without a browser: requests, and a WebSocket that speaks as the page does."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec.msgpack
import viser
from websockets import Subprotocol
from websockets.sync.client import ClientConnection, connect

from supple.viewer.page.server import address, close_server, open_server

PROTOCOL = Subprotocol(f"viser-v{viser.__version__}")
PATIENCE = 20.0


@contextmanager
def page(**options: Any) -> Iterator[Any]:
    server = open_server("127.0.0.1", None, "test", **options)
    try:
        yield server
    finally:
        close_server(server)


def get(url: str, **headers: str) -> tuple[int, str]:
    """Status and text of an answer; names of headers have _ for -."""
    request = urllib.request.Request(url, headers={name.replace("_", "-"): text for name, text in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def joined(server: Any, path: str | None = None, **options: Any) -> ClientConnection:
    """A WebSocket to the page, as its own tab opens it by default."""
    url = address(server).rstrip("/") if path is None else f"http://127.0.0.1:{server.get_port()}{path}"
    options = {
        "origin": f"http://127.0.0.1:{server.get_port()}",
        "subprotocols": [PROTOCOL],
        "max_size": None,
    } | options
    return connect(url.replace("http:", "ws:"), open_timeout=PATIENCE, close_timeout=1.0, **options)


def said(**message: Any) -> bytes:
    packed: bytes = msgspec.msgpack.encode(message)
    return packed


def camera(**changes: Any) -> bytes:
    """First message of a tab."""
    plain = {
        "type": "ViewerCameraMessage", "wxyz": [1.0, 0.0, 0.0, 0.0], "position": [3.0, 3.0, 3.0], "fov": 0.9,
        "near": 0.01, "far": 100.0, "image_height": 360, "image_width": 640, "look_at": [0.0, 0.0, 0.0],
        "up_direction": [0.0, 0.0, 1.0],
    }  # fmt: skip
    return said(**(plain | changes))


def update(handle: Any, value: Any) -> bytes:
    """A value of an element of the panel."""
    return said(type="GuiUpdateMessage", uuid=handle._impl.uuid, updates={"value": value})
