"""Bodies on the page: a mesh whose vertices move, ropes as beads and lines, colours, and a mouse that pulls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.types import Array
from supple.viewer.colours import ramp
from supple.viewer.glb import ColouredMesh
from supple.viewer.slot import Singles
from supple.viewer.surface import Surface

if TYPE_CHECKING:
    from viser import ViserServer

Pulled = Callable[[int, int | None, Any], None]
"""Told of the mouse: who pulls (number of the tab), which seen vertex (None: let go), where to."""


class BodyView:
    """All bodies of one simulation or film, under one name."""

    def __init__(
        self,
        server: ViserServer,
        name: str,
        surface: Surface,
        x: Singles,
        colour: tuple[int, int, int],
        opacity: float | None = None,
    ) -> None:
        self._scene, self._name = server.scene, name
        self.surface = surface
        x = self.x = surface.points(x)
        self._opacity = opacity
        self._mesh: Any = None
        self._painted: Any = None
        self._coloured: ColouredMesh | None = None
        if len(surface.faces):
            self._coloured = ColouredMesh(len(x), surface.faces)
            self._mesh = server.scene.add_mesh_simple(
                f"{name}/mesh", x, surface.faces, color=colour, opacity=opacity, side="double",
                cast_shadow=False, receive_shadow=False,
            )  # fmt: skip
        self._lines = self._beads = None
        if len(surface.edges):
            self._add_ropes(server, colour)

    def show(self, x: Singles) -> None:
        """Move to positions (k, 3) of the surface's vertices."""
        x = self.x = self.surface.points(x)
        if self._mesh is not None:
            self._mesh.vertices = x
        if self._lines is not None and self._beads is not None:
            self._lines.points = x[self.surface.edges]
            self._beads.batched_positions = x[self.surface.loose]

    def paint(self, values: Singles, top: float) -> None:
        """Colour by values (k,) between 0 and `top`."""
        colours = ramp(self.surface.values(values), top)
        if self._beads is not None:
            self._beads.batched_colors = colours[self.surface.loose]
        if self._coloured is None:
            return
        data = self._coloured.encode(self.x, colours)
        if self._painted is None:
            self._painted = self._scene.add_glb(f"{self._name}/painted", data, cast_shadow=False, receive_shadow=False)
            self._mesh.opacity = 0.0  # stays for the mouse to hit
        else:
            self._painted.glb_data = data

    def unpaint(self, colour: tuple[int, int, int]) -> None:
        """Back to one colour."""
        if self._painted is not None:
            self._painted.remove()
            self._painted = None
        if self._mesh is not None:
            self._mesh.opacity, self._mesh.color = self._opacity, colour
        if self._beads is not None and self._lines is not None:
            self._beads.batched_colors = np.tile(np.array(colour, dtype=np.uint8), (len(self.surface.loose), 1))

    def on_pull(self, told: Pulled) -> None:
        """Shift and the left button pull at the vertex nearest to the mouse."""
        picked: dict[int, int] = {}

        async def follow(event: Any) -> None:  # async: in order, on the server's own loop
            who = int(event.client_id)
            if event.phase == "start":
                picked[who] = self._nearest(np.asarray(event.start_position))
            if who in picked:
                done = event.phase == "end"
                told(who, None if done else picked[who], event.end_position)
                if done:
                    del picked[who]

        for node in (self._mesh, self._beads):
            if node is not None:
                node.on_drag("left", modifier="shift")(follow)

    def remove(self) -> None:
        """Take everything off the page."""
        for node in (self._mesh, self._painted, self._lines, self._beads):
            if node is not None:
                node.remove()

    def _nearest(self, point: Array) -> int:
        return self.surface.grip(int(np.argmin(np.linalg.norm(self.x - point, axis=1))))

    def _add_ropes(self, server: ViserServer, colour: tuple[int, int, int]) -> None:
        x, loose = self.x, self.surface.loose
        ends = x[self.surface.edges]
        size = float(np.median(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)))
        turn = np.tile([1.0, 0.0, 0.0, 0.0], (len(loose), 1))
        points, faces = _octahedron(0.18 * size)
        self._lines = server.scene.add_line_segments(
            f"{self._name}/lines", ends, colour, thickness=0.08 * size, thickness_units="world"
        )
        self._beads = server.scene.add_batched_meshes_simple(
            f"{self._name}/beads", points, faces, turn, x[loose], batched_colors=colour, opacity=self._opacity,
            lod="off", cast_shadow=False, receive_shadow=False,
        )  # fmt: skip


class HandleView:
    """The spring between a pulled vertex and the mouse."""

    def __init__(self, server: ViserServer, size: float) -> None:
        nowhere = np.zeros((1, 2, 3), dtype=np.float32)
        self._line: Any = server.scene.add_line_segments(
            "/handle/line", nowhere, (213, 94, 0), thickness=0.15 * size, thickness_units="world", visible=False
        )
        self._ball: Any = server.scene.add_icosphere(
            "/handle/ball", size, (213, 94, 0), visible=False, cast_shadow=False, receive_shadow=False
        )

    def show(self, vertex: Any, target: Any) -> None:
        """From where the vertex is to where it is drawn."""
        self._line.points = np.stack([vertex, target])[None].astype(np.float32)
        self._ball.position = np.asarray(target, dtype=np.float64)
        self._line.visible = self._ball.visible = True

    def hide(self) -> None:
        self._line.visible = self._ball.visible = False


def _octahedron(radius: float) -> tuple[Singles, Any]:
    points = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=np.float32)
    around = np.array([[0, 2], [2, 1], [1, 3], [3, 0]])
    faces = [[a, b, 4] for a, b in around] + [[b, a, 5] for a, b in around]
    return radius * points, np.array(faces, dtype=np.int32)
