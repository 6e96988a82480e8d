"""Bodies in the studio, drawn without VTK or GL: depth buffer, soft shadows, transmission through clear bodies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.render.colouring import table
from supple.render.drawing.backdrop import Pixels
from supple.render.drawing.pieces import Piece, Placed
from supple.render.drawing.plain_renderer import SAMPLES
from supple.render.drawing.raster import Buffer, Kept
from supple.render.drawing.shadow import LightPicture
from supple.render.drawing.studio.lamps import Lamps, linear, spiral
from supple.render.drawing.studio.samples import studio_shade
from supple.render.drawing.studio.shading import row_of
from supple.render.shot import Shot
from supple.render.surface import face_normals
from supple.types import Array, Ints

TAPS = 7
"""Lamp and ambient-occlusion taps per sample."""


class StudioRenderer:
    """Buffers of the size of a panel, refilled for each picture."""

    def __init__(self, shot: Shot, pieces: Sequence[Sequence[Piece]], light: LightPicture) -> None:
        view = shot.view
        self._buffer = Buffer(SAMPLES * view.height, SAMPLES * view.width)
        self._far = Buffer(SAMPLES * view.height, SAMPLES * view.width)
        self._table, self._taps, self._light = table() ** 2.2, spiral(TAPS), light
        self._pieces = pieces
        self._floor = linear(shot.look.floor)
        self.aim(shot)

    def aim(self, shot: Shot) -> None:
        """See `Renderer`."""
        self._shot = shot
        self._lamps = Lamps.of(shot).rows(shot.view.axes)
        self._feels = [
            np.array([row_of(shot.coats[k][p.part.name].feel, p.pushed(shot)) for p in some])
            for k, some in enumerate(self._pieces)
        ]

    def draw(self, run: int, placed: list[Placed], behind: Pixels) -> Pixels:
        """See `Renderer`."""
        view = self._shot.view
        out = np.zeros((view.height, view.width, 4), dtype=np.float32)
        if not placed:
            return out
        counts = np.cumsum([0, *(len(now.points) for now in placed)]).astype(np.int32)
        points = np.concatenate([now.points for now in placed])
        normals = np.concatenate([now.normals for now in placed]) @ view.axes.T
        colours = np.concatenate([self._colours(now) for now in placed])
        seen = [self._faces(now) for now in placed]
        faces = np.concatenate([f + np.int32(first) for (f, _), first in zip(seen, counts, strict=False)])
        kinds = np.repeat(np.arange(len(placed)), [len(f) for f, _ in seen]).astype(np.int32)
        turned = np.concatenate([t for _, t in seen])
        pixels, depth = view.project(points)
        nearness = np.where(depth > 0.01 * view.distance, view.distance / np.maximum(depth, 1e-300), 0.0)
        above = self._above(run, placed, points, counts)
        self._buffer.cover(SAMPLES * pixels, nearness, faces, above)
        far = self._last(run, placed, SAMPLES * pixels, nearness, counts)
        buffer, light = self._buffer, self._light.buffer
        studio_shade(
            buffer.face, buffer.weights, buffer.near, far, faces, turned, normals, colours, kinds, self._feels[run],
            self._lamps, self._floor, self._lens(), self._to_light(run), light.near, light.face, self._light.passes,
            self._taps, np.ascontiguousarray(behind, dtype=np.float32), SAMPLES, out,
        )  # fmt: skip
        return out

    def close(self) -> None:
        """Nothing to release."""

    def _colours(self, now: Placed) -> Array:
        if not now.piece.scaled:
            return now.colours**2.2
        return self._table[np.minimum((255 * now.values + 0.5).astype(int), 255)]

    def _faces(self, now: Placed) -> tuple[Ints, Array]:
        """Visible faces and the sign of their normals."""
        flat = face_normals(now.points, now.faces)
        towards = np.einsum("ij,ij->i", flat, self._shot.view.eye - now.points[now.faces[:, 0]])
        seen = towards > 0 if now.piece.culled else np.ones(len(towards), dtype=bool)
        return now.faces[seen], np.where(towards[seen] < 0, -1.0, 1.0)

    def _above(self, run: int, placed: list[Placed], points: Array, counts: Ints) -> Array:
        """Heights over the floor, which hides everything below."""
        ground = self._shot.grounds[run]
        if ground.colour is None or ground.above(self._shot.view.eye[None])[0] <= 0:
            return np.ones(len(points))
        sunk = np.repeat([now.piece.sunk(self._shot.size) for now in placed], np.diff(counts))
        return np.asarray(ground.above(points) + sunk)

    def _last(self, run: int, placed: list[Placed], pixels: Array, nearness: Array, counts: Ints) -> Kept:
        """Nearness of the last surface of clear bodies along each ray; 0 if none."""
        clear = [k for k, _ in enumerate(placed) if self._feels[run][k, 5] > 0]
        if not clear:
            return self._far.near
        faces = np.concatenate([placed[k].faces + np.int32(counts[k]) for k in clear])
        # the furthest is the nearest after subtraction from an upper bound
        most = 1.0 + float(nearness.max())
        self._far.cover(pixels, np.where(nearness > 0, most - nearness, 0.0), faces, np.ones(len(pixels)))
        return np.where(self._far.near > 0, most - self._far.near, 0.0).astype(np.float32)

    def _lens(self) -> Array:
        view = self._shot.view
        middle, _ = view.project((view.eye - view.distance * view.axes[2])[None])
        return np.array([*(SAMPLES * middle[0]), SAMPLES * view.focal, view.distance, self._shot.size])

    def _to_light(self, run: int) -> Array:
        """(4, 4) see `studio_shade`."""
        view, ground = self._shot.view, self._shot.grounds[run]
        corners = np.concatenate([np.zeros((1, 3)), np.eye(3)]) @ view.axes + view.eye
        values = np.concatenate([self._light.places(corners), ground.above(corners)[:, None]], axis=1)
        return np.concatenate([(values[1:] - values[0]).T, values[0][:, None]], axis=1)
