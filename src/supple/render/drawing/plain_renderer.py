"""Bodies drawn without VTK or GL: triangles into a depth buffer (see raster.py), several samples per pixel, smooth shading."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.render.colouring import table
from supple.render.drawing.backdrop import Pixels
from supple.render.drawing.pieces import Piece, Placed
from supple.render.drawing.raster import Buffer, shade
from supple.render.shot import AMBIENT, Shot
from supple.render.surface import face_normals
from supple.types import Array, Ints

SAMPLES = 3
"""Samples along each side of a pixel."""


class PlainRenderer:
    """A buffer of the size of a panel, refilled for each picture."""

    def __init__(self, shot: Shot, pieces: Sequence[Sequence[Piece]]) -> None:
        self._buffer = Buffer(SAMPLES * shot.view.height, SAMPLES * shot.view.width)
        self._table = np.ascontiguousarray(table())
        self.aim(shot)

    def aim(self, shot: Shot) -> None:
        """See `Renderer`."""
        self._shot = shot
        self._lights = np.array([k * direction / np.linalg.norm(direction) for direction, k in shot.lights])

    def draw(self, run: int, placed: list[Placed], behind: Pixels) -> Pixels:
        """See `Renderer`."""
        view, ground = self._shot.view, self._shot.grounds[run]
        counts = np.cumsum([0, *(len(now.points) for now in placed)])
        points, normals, colours = (
            np.concatenate([np.empty((0, 3)), *(getattr(now, name) for now in placed)])
            for name in ("points", "normals", "colours")
        )
        values = np.concatenate([
            np.empty(0), *(now.values if now.piece.scaled else np.full(len(now.points), -1.0) for now in placed),
        ])  # fmt: skip
        seen = [self._faces(now) for now in placed]
        faces = np.concatenate([np.empty((0, 3), dtype=np.int32), *(
            f + np.int32(first) for (f, _), first in zip(seen, counts, strict=False)
        )])  # fmt: skip
        turned = np.concatenate([np.empty(0), *(t for _, t in seen)])
        pixels, depth = view.project(points)
        nearness = np.where(depth > 0.01 * view.distance, view.distance / np.maximum(depth, 1e-300), 0.0)
        # seen from above, the ground hides everything below it
        above = ground.above(points)
        above += np.repeat([now.piece.sunk(self._shot.size) for now in placed], np.diff(counts))
        if ground.colour is None or ground.above(view.eye[None])[0] <= 0:
            above = np.ones(len(points))
        self._buffer.cover(SAMPLES * pixels, nearness, faces, above)
        out = np.empty((view.height, view.width, 4), dtype=np.float32)
        shade(
            self._buffer.face, self._buffer.weights, faces, turned, normals, colours, values, self._table,
            self._lights, AMBIENT, SAMPLES, out,
        )  # fmt: skip
        return out

    def close(self) -> None:
        """Nothing to release."""

    def _faces(self, now: Placed) -> tuple[Ints, Array]:
        """Visible faces and the sign of their normals: the back of a sheet is lit from its own side."""
        faces = now.faces
        flat = face_normals(now.points, faces)
        towards = np.einsum("ij,ij->i", flat, self._shot.view.eye - now.points[faces[:, 0]])
        if now.piece.culled:
            faces, towards = faces[towards > 0], towards[towards > 0]
        return faces, np.where(towards < 0, -1.0, 1.0)
