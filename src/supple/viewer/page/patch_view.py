"""One patch on the page: a mesh with moving vertices, ropes as beads and lines, clouds as balls, colours by value, and mouse
pulls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.render.surface import make_skin
from supple.types import Array
from supple.viewer.page.cloud_view import CloudView
from supple.viewer.page.colours import Bytes, byte_colour
from supple.viewer.page.glb import ColouredMesh
from supple.viewer.page.patches import Patch
from supple.viewer.slot import Singles

if TYPE_CHECKING:
    from viser import ViserServer

Dragged = Callable[[int, int | None, Any], None]
"""Callback of the mouse: tab number, point of the surface (None: release), target."""


class PatchView:
    """Takes points of the whole surface and selects its own."""

    def __init__(
        self,
        server: ViserServer,
        name: str,
        patch: Patch,
        x: Singles,
        colour: tuple[int, int, int] | None = None,
        opacity: float | None = None,
    ) -> None:
        """`colour`: replaces that of the patch."""
        self._scene, self._name, self._patch = server.scene, name, patch
        self._colour = colour or byte_colour(patch.look.colour)
        self._opacity = opacity
        self._mesh: Any = None
        self._painted: Any = None
        self._lines: Any = None
        self._beads: Any = None
        own = self._x = x[patch.points]
        if len(patch.faces):
            # vertices on sharp edges are duplicated for each side, so boxes look like boxes
            skin = make_skin(patch.faces, own.astype(np.float64))
            self._source = skin.source
            self._coloured = ColouredMesh(len(skin.source), skin.faces)
            self._mesh = server.scene.add_mesh_simple(
                f"{name}/mesh", own[skin.source], skin.faces, color=self._colour, opacity=opacity, side="double",
                cast_shadow=False, receive_shadow=False,
            )  # fmt: skip
        self._loose = np.setdiff1d(patch.edges, patch.faces).astype(np.int32)
        if len(patch.edges):
            self._add_ropes(server)
        self._balls: CloudView | None = None
        if len(patch.lone):
            x, spacing = own[patch.lone], patch.look.spacing
            self._balls = CloudView(server, f"{name}/balls", x, spacing, self._colour, opacity)

    def show(self, x: Singles) -> None:
        """Move to positions of all points of the surface; static patches cost nothing."""
        own = x[self._patch.points]
        if np.array_equal(own, self._x):
            return
        self._x = own
        if self._mesh is not None:
            self._mesh.vertices = own[self._source]
        if self._lines is not None:
            self._lines.points = own[self._patch.edges]
            self._beads.batched_positions = own[self._loose]
        if self._balls is not None:
            self._balls.show(own[self._patch.lone])

    def paint(self, colours: Bytes) -> None:
        """A colour for each point of the surface (k, 3)."""
        own = colours[self._patch.points]
        if self._beads is not None:
            self._beads.batched_colors = own[self._loose]
        if self._balls is not None:
            self._balls.paint(own[self._patch.lone])
        if self._mesh is None:
            return
        data = self._coloured.encode(self._x[self._source], own[self._source])
        if self._painted is None:
            self._painted = self._scene.add_glb(f"{self._name}/painted", data, cast_shadow=False, receive_shadow=False)
            self._mesh.opacity = 0.0  # stays for the mouse to hit
        else:
            self._painted.glb_data = data

    def unpaint(self) -> None:
        """Restore the uniform colour."""
        if self._painted is not None:
            self._painted.remove()
            self._painted = None
        if self._mesh is not None:
            self._mesh.opacity = self._opacity
        if self._beads is not None:
            self._beads.batched_colors = np.tile(np.array(self._colour, dtype=np.uint8), (len(self._loose), 1))
        if self._balls is not None:
            self._balls.unpaint()

    def on_pull(self, told: Dragged) -> None:
        """Shift and the left button pull the point nearest to the mouse."""
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

        for node in (self._mesh, self._beads, None if self._balls is None else self._balls.handle):
            if node is not None:
                node.on_drag("left", modifier="shift")(follow)

    def remove(self) -> None:
        """Remove everything from the page."""
        for node in (
            self._mesh,
            self._painted,
            self._lines,
            self._beads,
            None if self._balls is None else self._balls.node,
        ):
            if node is not None:
                node.remove()

    def _nearest(self, place: Array) -> int:
        return int(self._patch.points[np.argmin(np.linalg.norm(self._x - place, axis=1))])

    def _add_ropes(self, server: ViserServer) -> None:
        ends, beads = self._x[self._patch.edges], self._x[self._loose]
        size = float(np.median(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)))
        turn = np.tile([1.0, 0.0, 0.0, 0.0], (len(beads), 1))
        points, faces = _octahedron(0.18 * size)
        self._lines = server.scene.add_line_segments(
            f"{self._name}/lines", ends, self._colour, thickness=0.08 * size, thickness_units="world"
        )
        self._beads = server.scene.add_batched_meshes_simple(
            f"{self._name}/beads", points, faces, turn, beads, batched_colors=self._colour, opacity=self._opacity,
            lod="off", cast_shadow=False, receive_shadow=False,
        )  # fmt: skip


def _octahedron(radius: float) -> tuple[Singles, Any]:
    points = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=np.float32)
    around = np.array([[0, 2], [2, 1], [1, 3], [3, 0]])
    faces = [[a, b, 4] for a, b in around] + [[b, a, 5] for a, b in around]
    return radius * points, np.array(faces, dtype=np.int32)
