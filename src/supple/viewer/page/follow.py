"""A camera that follows the bodies; rotation and zoom are left to the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from supple.types import Array

if TYPE_CHECKING:
    from viser import ViserServer

SHARE = 0.15
"""Fraction of the distance covered per frame, so the camera does not shake with the bodies."""
STILL = 1e-4
"""Distances below this fraction of the bodies' size are ignored."""


class Follow:
    """A switch in the panel, and the cameras of all tabs."""

    def __init__(self, server: ViserServer, x: Any) -> None:
        self._server = server
        self._size = max(float(np.linalg.norm(np.ptp(x, axis=0))), 1e-9)
        self._at: Array = np.mean(x, axis=0).astype(np.float64)
        self.switch = server.gui.add_checkbox(
            "camera follows", False, hint="The camera moves with the bodies; rotate and zoom as before."
        )
        self.switch.on_update(lambda _: self._catch_up())
        self._centre = self._at

    def refresh(self, x: Any) -> None:
        """The bodies are at x (n, 3) now."""
        centre = np.mean(x, axis=0).astype(np.float64)
        if not np.isfinite(centre).all():
            return
        self._centre = centre
        way = SHARE * (centre - self._at)
        if not self.switch.value or float(np.linalg.norm(way)) < STILL * self._size:
            return
        self._at = self._at + way
        for client in self._server.get_clients().values():
            camera = client.camera
            camera.position = np.asarray(camera.position) + way  # its position moves along

    def _catch_up(self) -> None:
        """Follow from the current position, not from where the bodies were when it was switched off."""
        self._at = self._centre
