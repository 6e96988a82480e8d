"""Bodies drawn by matplotlib as filled triangles, the furthest first: slower and simpler than VTK, but it works anywhere.

Colours are flat, so coarse triangles are drawn in pieces. Bodies that interlock may cover each other wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.render.colouring import table
from supple.render.ground import Pixels
from supple.render.pieces import Piece, Placed
from supple.render.shot import AMBIENT, Shot
from supple.render.surface import Tubes, face_normals, unit
from supple.types import Array

TRIANGLES = 6000
"""Coarse surfaces are divided until there are about as many."""


THREADS = 0.02
"""How much nearer than they are tubes count, over the size of the film."""


class PlainRenderer:
    """A figure of the size of a panel, filled anew for each picture."""

    def __init__(self, shot: Shot, pieces: Sequence[Sequence[Piece]]) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.collections import PolyCollection
        from matplotlib.figure import Figure

        self._shot, view = shot, shot.view
        figure = Figure(figsize=(view.width / 100, view.height / 100), dpi=100, facecolor="none")
        self._canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.axis("off")
        axes.set_xlim(0, view.width)
        axes.set_ylim(view.height, 0)
        self._polygons = PolyCollection([], linewidths=0.4, joinstyle="round")
        axes.add_collection(self._polygons, autolim=False)
        self._share = TRIANGLES // max((len(some) for some in pieces), default=1)
        self._table = table()

    def draw(self, run: int, placed: list[Placed]) -> Pixels:
        """See `Renderer`."""
        parts = [self._triangles(now) for now in placed]
        corners, colours, depth = (np.concatenate([part[k] for part in parts]) for k in range(3))
        order = np.argsort(-depth)
        self._polygons.set_verts(list(corners[order]))
        # edges of the same colour, or hairlines of the background show between neighbours
        self._polygons.set_facecolor(colours[order])
        self._polygons.set_edgecolor(colours[order])
        self._canvas.draw()
        pixels: Pixels = np.asarray(self._canvas.buffer_rgba(), dtype=np.float32) / np.float32(255)
        pixels[..., :3] *= pixels[..., 3:]
        return pixels

    def close(self) -> None:
        """Nothing is held."""

    def _triangles(self, now: Placed) -> tuple[Array, Array, Array]:
        """Corners in pixels (f, 3, 2), colours (f, 3) and depths (f,) of the triangles that can be seen."""
        surface, view = now.piece.surface, self._shot.view
        faces = surface.faces
        flat = unit(face_normals(now.points, faces))
        towards = np.einsum("ij,ij->i", flat, view.eye - now.points[faces].mean(axis=1))
        if surface.closed:
            faces, towards = faces[towards > 0], towards[towards > 0]
        data = np.concatenate([now.points, now.normals, now.values[:, None]], axis=1)[faces]
        data[towards < 0, :, 3:6] *= -1  # the back of a sheet is lit from its own side
        while 2 * len(data) < self._share and len(data):
            data = _divided(data)
        colours = self._shade(now, data.mean(axis=1))
        pixels, depth = view.project(data[:, :, :3].reshape(-1, 3))
        # threads on a sheet are drawn after the sheet, though their middles are as far away
        lift = THREADS * self._shot.size if isinstance(surface, Tubes) else 0.0
        return pixels.reshape(-1, 3, 2), colours, depth.reshape(-1, 3).mean(axis=1) - lift

    def _shade(self, now: Placed, middle: Array) -> Array:
        from matplotlib.colors import to_rgb

        normals = unit(middle[:, 3:6])
        if self._shot.colouring.shown:
            base = self._table[np.clip((255 * middle[:, 6]).astype(int), 0, 255)]
        else:
            base = np.tile(to_rgb(now.piece.tone), (len(middle), 1))
        light = np.full(len(middle), AMBIENT)
        for direction, strength in self._shot.lights:
            light += strength * np.maximum(normals @ (direction / np.linalg.norm(direction)), 0.0)
        return np.clip(base * light[:, None], 0.0, 1.0)


def _divided(data: Array) -> Array:
    """Each triangle in four, all that its corners carry interpolated."""
    a, b, c = data[:, 0], data[:, 1], data[:, 2]
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    four = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
    return np.concatenate([np.stack(three, axis=1) for three in four])
