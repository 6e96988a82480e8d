"""Surfaces of plain bodies as triangles, counterclockwise seen from outside: the drawn shapes of obstacles.

They are for rendering and export, not for contact.
"""

from __future__ import annotations

import itertools

import numpy as np

from supple.mesh.shapes.surface import Sphere
from supple.types import Array, Ints

Point = tuple[float, float, float]
Outline = tuple[Array, Ints]
"""Points (k, 3) [m] and the corners (f, 3) of triangles."""
AROUND, RINGS = 48, 12
"""Points round a capsule, and circles from its ends to its straight part."""
HALVINGS = 4
"""How often the icosahedron edges of a drawn sphere are halved."""
MARGIN = 0.5
"""Margin of a half-space's rectangle around the bodies on it, relative to their longer side."""


def rectangle(origin: Array, n: Array, low: Array, high: Array) -> Outline:
    """A piece of the plane through `origin` with the unit normal n, large enough for the box from `low` to `high`."""
    level = np.eye(3)[np.argmin(np.abs(n))]
    u = level - (level @ n) * n
    u /= np.linalg.norm(u)
    axes = np.stack([u, np.cross(n, u)])
    corners = np.stack(np.meshgrid(*zip(low, high, strict=True), indexing="ij"), axis=-1).reshape(-1, 3)
    flat = (corners - origin) @ axes.T
    first, last = flat.min(axis=0), flat.max(axis=0)
    margin = MARGIN * float((last - first).max())
    (a, c), (b, d) = first - margin, last + margin
    square = np.array([[a, c], [b, c], [b, d], [a, d]])
    return origin + square @ axes, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)


def globe(centre: Point, radius: float) -> Outline:
    """A sphere."""
    mesh = Sphere(1.0, subdivisions=HALVINGS).mesh()
    return radius * mesh.vertices + np.array(centre), mesh.triangles


def capsule(start: Point, end: Point, radius: float) -> Outline:
    """Circles round the axis from one end to the other, and a point at each end."""
    a, b = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
    along = (b - a) / np.linalg.norm(b - a)
    u = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    u /= np.linalg.norm(u)
    w = np.cross(along, u)
    rise = np.linspace(-np.pi / 2, 0.0, RINGS + 1)[1:]
    rise = np.concatenate([rise, -rise[::-1]])
    middles = np.where(np.arange(len(rise))[:, None] < RINGS, a, b) + radius * np.sin(rise)[:, None] * along
    angle = 2.0 * np.pi * np.arange(AROUND) / AROUND
    circle = np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * w
    rings = middles[:, None] + radius * np.cos(rise)[:, None, None] * circle
    ends = np.stack([a - radius * along, b + radius * along])
    points = np.concatenate([rings.reshape(-1, 3), ends])
    k = np.arange(AROUND)
    after, top = (k + 1) % AROUND, (len(rise) - 1) * AROUND
    walls = [
        np.concatenate([
            np.stack([k, after, after + AROUND], axis=1), np.stack([k, after + AROUND, k + AROUND], axis=1),
        ]) + AROUND * ring
        for ring in range(len(rise) - 1)
    ]  # fmt: skip
    first, last = (np.full(AROUND, rings.size // 3 + end) for end in (0, 1))
    caps = [np.stack([after, k, first], axis=1), np.stack([top + k, top + after, last], axis=1)]
    return points, np.concatenate([*walls, *caps]).astype(np.int32)


def box(centre: Point, size: Point, turn: Point) -> Outline:
    """A box with these edge lengths, rotated about its centre by a rotation vector."""
    from scipy.spatial.transform import Rotation  # slow to import, and only drawing needs it

    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    points = Rotation.from_rotvec(turn).apply(0.5 * signs * np.array(size)) + np.array(centre)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return points, _quads(sides)


def staircase(origin: Point, steps: int, rise: float, run: float, width: float, heading: float) -> Outline:
    """One closed surface. In profile: feet b_0 ... b_N on the ground, backs c_1 ... c_N of the treads, edges d_0 ... d_(N-1)."""
    N = steps
    i = np.arange(N + 1)
    feet = np.stack([i * run, 0.0 * i], axis=1)
    backs = np.stack([i * run, i * rise], axis=1)[1:]
    edges = np.stack([i * run, (i + 1) * rise], axis=1)[:-1]
    profile = np.concatenate([feet, backs, edges])
    b, c, d = list(range(N + 1)), [0, *range(N + 1, 2 * N + 1)], list(range(2 * N + 1, 3 * N + 1))
    side = [(b[k + 1], c[k + 1], d[k]) for k in range(N)] + [(b[k + 1], d[k], c[k]) for k in range(N)]
    side += [(b[k + 1], c[k], b[k]) for k in range(1, N)]
    # round the profile, counterclockwise: along the ground, up the back, and down over treads and risers
    way = [*b, *(corner for k in reversed(range(N)) for corner in (c[k + 1], d[k])), b[0]]
    count, front = len(profile), np.array(side)
    around = [(p, p + count, q + count, q) for p, q in itertools.pairwise(way)]
    ahead, height = profile.T
    cos, sin = np.cos(heading), np.sin(heading)
    points = np.concatenate([
        np.stack([cos * ahead + sin * z, height, -sin * ahead + cos * z], axis=1)
        for z in (0.5 * width, -0.5 * width)
    ])  # fmt: skip
    faces = np.concatenate([front, front[:, ::-1] + count, _quads(around)])
    return points + np.array(origin), faces.astype(np.int32)


def _quads(corners: list[tuple[int, int, int, int]]) -> Ints:
    quads = np.array(corners, dtype=np.int32)
    return quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3)
