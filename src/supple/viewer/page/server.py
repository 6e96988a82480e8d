"""The server of a page: its address, and the empty room in which bodies are shown."""

from __future__ import annotations

import contextlib
import io
import ipaddress
import socket
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from supple.errors import BackendMissing, SuppleError
from supple.viewer.page.room import Room

if TYPE_CHECKING:
    from viser import ViserServer

    from supple.viewer.door.serving import GuardedServer

BRAND = (0, 114, 178)
_MAKING = threading.Lock()
FIELD = 0.87
"""Vertical angle of view [rad]: 50 degrees."""


def open_server(
    host: str, port: int | None, label: str, names: Sequence[str] = (), clients: int | None = None
) -> ViserServer:
    """Listen at the given port, or at any free one. `names`: host names accepted in addition to the address;
    `clients`: largest number of simultaneous connections."""
    try:
        import viser
    except ImportError as error:
        raise BackendMissing(
            "the page in the browser needs viser, which is not installed: pip install 'supple[viewer]'"
        ) from error
    _check_address(host, port or 0)
    server = _guarded(viser, host, port or 0, names, clients)
    server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=BRAND, control_width="large")
    server.gui.main_panel.dock_right()  # beside the scene, not over it
    server.gui.set_panel_label(label)
    return server


def close_server(server: ViserServer) -> None:
    """Stop listening silently."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


def _guarded(viser: Any, host: str, port: int, names: Sequence[str], clients: int | None) -> ViserServer:
    """The library's server with ours behind it; only ours listens."""
    from supple.viewer.door.gate import Gate
    from supple.viewer.door.limits import Limits
    from supple.viewer.door.serving import GuardedServer

    gate = Gate(tuple(name.lower() for name in names))
    limits = Limits() if clients is None else Limits(clients=clients)
    made: list[GuardedServer] = []

    def make(**options: Any) -> GuardedServer:
        made.append(GuardedServer(gate, limits, **options))
        return made[0]

    with (
        _MAKING,
        patch.object(viser.infra, "WebsockServer", make),
        contextlib.redirect_stdout(io.StringIO()),  # it always prints a banner
    ):
        server: ViserServer = viser.ViserServer(host=host, port=port, verbose=False)
    if len(made) != 1 or guard(server) is not made[0]:
        close_server(server)
        raise BackendMissing(f"viser {viser.__version__} cannot be protected from other pages: install another version")
    if made[0].problem is not None:
        raise _taken(port) from made[0].problem
    made[0].element = server.gui._gui_input_handle_from_uuid.get
    return server


def guard(server: ViserServer) -> GuardedServer:
    """The listening server of a page."""
    listening: GuardedServer = server._websock_server
    return listening


def address(server: ViserServer) -> str:
    """The address to open in a browser on this machine; it grants access to the page."""
    host = server.get_host()
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{server.get_port()}/{guard(server).gate.token}/"


def open_to_others(server: ViserServer) -> bool:
    """Whether other machines can reach the page."""
    found = socket.getaddrinfo(server.get_host(), None, type=socket.SOCK_STREAM)
    return not all(ipaddress.ip_address(str(where[4][0]).partition("%")[0]).is_loopback for where in found)


def furnish(server: ViserServer, room: Room) -> None:
    """Light, a camera that shows the room, and lines on its floor."""
    axis = "xyz".index(room.up)
    centre, reach = (room.low + room.high) / 2, max(float(np.linalg.norm(room.high - room.low)), 1e-6)
    server.scene.set_up_direction({"x": "+x", "y": "+y", "z": "+z"}[room.up])
    server.scene.configure_default_lights(enabled=True, cast_shadow=False)
    if room.floor is not None:
        floor = centre.copy()
        floor[axis] = room.floor
        cell = 10.0 ** np.floor(np.log10(reach)) / 2
        server.scene.add_grid(
            "/floor", width=8 * reach, height=8 * reach, plane={"x": "yz", "y": "xz", "z": "xy"}[room.up],
            cell_size=cell, section_size=5 * cell, cell_color=(215, 218, 222), section_color=(185, 190, 196),
            position=tuple(floor), fade_distance=9 * reach,
        )  # fmt: skip
    # from the front, a little from the side and from above, whichever axis is up
    away = np.roll(np.array([0.55, 0.4, 1.0]), axis - 1)
    camera = server.initial_camera
    camera.position = tuple(centre + 1.35 * reach * away / np.linalg.norm(away))
    camera.look_at = tuple(centre)
    camera.up = tuple(np.eye(3)[axis])
    camera.fov = FIELD
    camera.near, camera.far = reach / 200, 60 * reach


def _check_address(host: str, port: int) -> None:
    """Refuse an unavailable address; the server itself would silently use the next port."""
    try:
        kind, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(kind, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
    except OSError as error:
        if port:
            raise _taken(port) from error
        raise SuppleError(f"--host {host}: cannot listen there ({error.strerror or error}); use 127.0.0.1") from error


def _taken(port: int) -> SuppleError:
    return SuppleError(
        f"--port {port}: the port is already in use or not permitted; "
        "choose another one, or omit --port to use a free one"
    )
