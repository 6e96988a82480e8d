"""A point cloud on the page: balls, or discs for large clouds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from supple.mesh.shapes.round import icosahedron
from supple.render.surface import face_normals
from supple.viewer.page.colours import Bytes
from supple.viewer.slot import Singles

if TYPE_CHECKING:
    from viser import ViserServer

MOST_BALLS = 30_000
"""More points are drawn as discs, which are uniform and ignore the mouse, but cost the browser little."""

_DARKEST = 0.72  # brightness of a disc, the brightest being 1


class CloudView:
    """`node` is the object on the page; `handle` the same if a mouse can pull it."""

    def __init__(
        self,
        server: ViserServer,
        name: str,
        x: Singles,
        spacing: float,
        colour: tuple[int, int, int],
        opacity: float | None,
    ) -> None:
        self._plain: Bytes = np.tile(np.array(colour, dtype=np.uint8), (len(x), 1))
        self._discs = len(x) > MOST_BALLS
        # discs are unlit: varying brightness of grains makes a heap recognisable
        self._bright = np.random.default_rng(0).uniform(_DARKEST, 1.0, (len(x), 1)).astype(np.float32)
        self.node: Any
        if self._discs:
            self.node = server.scene.add_point_cloud(
                name, x, self._grained(self._plain), point_size=spacing, point_shape="circle", precision="float32"
            )
        else:
            points, faces = icosahedron()
            inward = np.einsum("ij,ij->i", face_normals(points, faces), points[faces[:, 0]]) < 0
            turn = np.tile([1.0, 0.0, 0.0, 0.0], (len(x), 1))
            self.node = server.scene.add_batched_meshes_simple(
                name, (0.5 * spacing * points).astype(np.float32), np.where(inward[:, None], faces[:, ::-1], faces),
                turn, x, batched_colors=self._plain, opacity=opacity, flat_shading=False, lod="off",
                cast_shadow=False, receive_shadow=False,
            )  # fmt: skip

    @property
    def handle(self) -> Any:
        """Handle for the mouse; None if it cannot be pulled."""
        return None if self._discs else self.node

    def show(self, x: Singles) -> None:
        """Move to positions (n, 3)."""
        if self._discs:
            self.node.points = x
        else:
            self.node.batched_positions = x

    def paint(self, colours: Bytes) -> None:
        """A colour for each point (n, 3)."""
        if self._discs:
            self.node.colors = self._grained(colours)
        else:
            self.node.batched_colors = colours

    def unpaint(self) -> None:
        """Restore the uniform colour."""
        self.paint(self._plain)

    def _grained(self, colours: Bytes) -> Bytes:
        return (colours * self._bright).astype(np.uint8)
