"""Visually smoother bodies: each face is split in four, and new points move onto the surface implied by the normals.

Phong tessellation (Boubekeur and Alexa 2008): a point between two others moves towards the mean of its projections onto their
tangent planes, here by SHARE of the distance: a ball needs half. Points on sharp and open edges stay between their
neighbours, so the surface stays closed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.render.surface import DrawnSurface, Skin, unit
from supple.types import Array, Ints

SHARE = 0.5
FINE, ENOUGH = 6_000, 40_000
"""Numbers of faces up to which they are split twice, and once."""


@dataclass(frozen=True)
class Smooth:
    """A surface (see surface.py) with a point on each edge of another one."""

    inner: DrawnSurface
    pairs: Ints
    """(e, 2) ends of the edges."""
    bends: Array
    """(e, 1) SHARE, or 0 for edges that stay straight."""
    faces: Ints
    source: Ints
    closed: bool

    def place(self, x: Array) -> tuple[Array, Array]:
        """The points of the other surface, then those on its edges."""
        points, normals = self.inner.place(x)
        (a, b), (na, nb) = (v[self.pairs].transpose(1, 0, 2) for v in (points, normals))
        half = 0.5 * (b - a)
        # p - a = half and p - b = -half: the offset from the tangent planes
        out_a = np.einsum("ij,ij->i", half, na)[:, None] * na
        out_b = np.einsum("ij,ij->i", half, nb)[:, None] * nb
        between = 0.5 * (a + b) - self.bends * 0.5 * (out_a - out_b)
        return np.concatenate([points, between]), np.concatenate([normals, unit(na + nb)])


def smoothed(surface: DrawnSurface) -> DrawnSurface:
    """Split surfaces with few faces; surfaces other than skins are unchanged."""
    if not isinstance(surface, Skin):
        return surface
    found: DrawnSurface = surface
    if len(surface.faces) <= ENOUGH:
        found = _halved(found)
    if len(surface.faces) <= FINE:
        found = _halved(found)
    return found


def _halved(surface: DrawnSurface) -> Smooth:
    faces = surface.faces
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    pairs, number, count = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    ab, bc, ca = (number.reshape(-1, 3) + int(faces.max(initial=-1)) + 1).T
    a, b, c = faces.T
    four = [np.stack(face, axis=1) for face in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))]
    source = surface.source if surface.source.ndim == 2 else surface.source[:, None]
    both = source[pairs].reshape(len(pairs), -1)
    # the mean over repeated vertices equals the mean over the vertices
    wide = np.concatenate([np.tile(source, (1, 2)), both])
    bends = np.where(count == 2, SHARE, 0.0)[
        :, None
    ]  # an edge of one face is open, or sharp: there its points are double
    return Smooth(surface, pairs, bends, np.concatenate(four).astype(np.int32), wide, surface.closed)
