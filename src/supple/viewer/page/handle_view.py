"""The spring between a pulled vertex and the mouse, on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from viser import ViserServer


class HandleView:
    """A line and a ball at its end."""

    def __init__(self, server: ViserServer, size: float) -> None:
        nowhere = np.zeros((1, 2, 3), dtype=np.float32)
        self._line: Any = server.scene.add_line_segments(
            "/handle/line", nowhere, (213, 94, 0), thickness=0.15 * size, thickness_units="world", visible=False
        )
        self._ball: Any = server.scene.add_icosphere(
            "/handle/ball", size, (213, 94, 0), visible=False, cast_shadow=False, receive_shadow=False
        )

    def show(self, vertex: Any, target: Any) -> None:
        """Draw the line from the vertex to its target."""
        self._line.points = np.stack([vertex, target])[None].astype(np.float32)
        self._ball.position = np.asarray(target, dtype=np.float64)
        self._line.visible = self._ball.visible = True

    def hide(self) -> None:
        self._line.visible = self._ball.visible = False
