"""Display of point clouds: point spacing, and the surface around the points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.mesh.level_set import level_surface
from supple.points.cloud import Cloud
from supple.types import Array, Ints

SPACINGS = "spacings"
"""Attribute name of the text written by `spacings_text`."""
LEVEL = 0.5
"""Density on the surface, relative to the interior."""
STRAY = 0.25
"""Density relative to the interior below which points are not part of a surface."""
MOST_CELLS = 40_000_000
"""Largest number of cells of a grid around points."""
_BLUR, _SMOOTH = 0.8, 1.3  # blur of the density in point spacings, and additional blur for normals
_AROUND, _ASKED = 8, 20_000  # neighbours for measuring distances, and number of sampled points
_MIDDLE = 0.99  # fraction of the points, along each axis, covered by a grid that would otherwise be too large


def spacings_text(named: Iterable[tuple[str, float]]) -> str:
    """Point spacings of clouds by name: the cube root of the volume per point [m]."""
    return "\n".join(f"{spacing:.9g} {name}" for name, spacing in named)


def cloud_spacings(clouds: Sequence[Cloud], bodies: Iterable[tuple[str, slice]]) -> list[tuple[str, float]]:
    """Spacings of bodies that are clouds, by name and vertices: the cube root of the mean particle volume [m]."""
    found = []
    for name, span in bodies:
        mine = [cloud.volume[(cloud.vertices >= span.start) & (cloud.vertices < span.stop)] for cloud in clouds]
        volume = np.concatenate([np.empty(0), *mine])
        if len(volume):
            found.append((name, float(np.cbrt(volume.mean()))))
    return found


def read_spacings(metadata: Mapping[str, str | float]) -> dict[str, float]:
    """Parse the text written by `spacings_text`."""
    lines = (line.partition(" ") for line in str(metadata.get(SPACINGS, "")).splitlines())
    return {name: float(spacing) for spacing, _, name in lines}


def estimate_spacing(x: npt.NDArray[np.floating]) -> float:
    """Cube root of the volume per point, from distances of neighbours [m]; 1 for fewer than two points."""
    from scipy.spatial import cKDTree  # slow to import, and only clouds need it

    x = np.asarray(x, dtype=np.float64)
    x = x[np.isfinite(x).all(axis=1)]
    if len(x) < 2:
        return 1.0
    k = min(_AROUND, len(x) - 1)
    asked = x[:: -(-len(x) // _ASKED)]
    reach = cKDTree(x).query(asked, k=[k + 1])[0][:, 0]
    # surface points have only half a ball of neighbours: the smaller half of the distances belongs to the interior
    return float(np.cbrt(4 / 3 * np.pi / (k + 0.5)) * np.quantile(reach, 0.25)) or 1.0


@dataclass(frozen=True)
class Lattice:
    """Cubes of side `cell` from `low` on; around all points, or around most where a few are far away."""

    low: Array
    shape: tuple[int, int, int]
    cell: float

    def places(self, x: Array) -> Array:
        """(n, 3) positions in cells from the centre of the first one."""
        return (x - self.low) / self.cell - 0.5

    def inside(self, x: Array) -> npt.NDArray[np.bool_]:
        """(n,) whether points lie two cells or more from the border."""
        at = self.places(x)
        found: npt.NDArray[np.bool_] = np.logical_and.reduce((at >= 1.5) & (at <= np.array(self.shape) - 2.5), axis=1)
        return found


def lattice_around(x: Array, cell: float, margin: int) -> Lattice:
    """With `margin` cells around the points; larger cells only if even most of the points would need too many."""
    for part in (1.0, _MIDDLE):
        low, high = (np.quantile(x, q, axis=0) for q in ((1 - part) / 2, (1 + part) / 2))
        counts = np.ceil((high - low) / cell) + 2 * margin
        if counts.prod() <= MOST_CELLS:
            break
    while counts.prod() > MOST_CELLS:
        cell *= 1.25
        counts = np.ceil((high - low) / cell) + 2 * margin
    nx, ny, nz = (int(count) for count in counts)
    return Lattice((low + high) / 2 - cell * counts / 2, (nx, ny, nz), cell)


@dataclass(frozen=True)
class CloudSurface:
    """Triangles around points, and isolated points."""

    points: Array
    """(p, 3) corners of the triangles [m]."""
    normals: Array
    """(p, 3) unit normals, outwards."""
    faces: Ints
    """(f, 3) counterclockwise seen from outside."""
    strays: Ints
    """(s,) isolated points, with too low a density around them."""


def cloud_surface(x: Array, spacing: float) -> CloudSurface:
    """The surface where the smoothed density of points `spacing` apart is half the interior one."""
    from scipy.ndimage import map_coordinates  # slow to import, and only clouds need it

    lattice = lattice_around(x, spacing, margin=6)
    density = _density(x, lattice, (lattice.cell / spacing) ** 3)
    around = map_coordinates(density, lattice.places(x).T, order=1)
    places, faces = level_surface(density, LEVEL)
    points = lattice.low + lattice.cell * (places + 0.5)
    return CloudSurface(points, _normals(density, places), faces, np.flatnonzero(around < STRAY).astype(np.int32))


def _density(x: Array, lattice: Lattice, whole: float) -> npt.NDArray[np.float32]:
    """Points in a cell over `whole`, smoothed: each point is distributed to the eight cells around it, then blurred."""
    from scipy.ndimage import gaussian_filter

    at = lattice.places(x[lattice.inside(x)])
    base = np.floor(at).astype(np.int64)
    share = at - base
    shape = lattice.shape
    sums = np.zeros(shape[0] * shape[1] * shape[2])
    for k in range(8):
        bits = np.array([k & 1, k >> 1 & 1, k >> 2])
        weight = np.where(bits, share, 1.0 - share).prod(axis=1)
        place = np.ravel_multi_index(tuple((base + bits).T), shape)
        sums += np.bincount(place, weight, minlength=len(sums))
    blurred: npt.NDArray[np.float32] = gaussian_filter(
        (sums / whole).astype(np.float32).reshape(shape), _BLUR, mode="constant", truncate=3.0
    )
    return blurred


def _normals(density: npt.NDArray[np.float32], places: Array) -> Array:
    """Normals down the gradient of a smoother density: shading reveals ripples of a hundredth of the point spacing."""
    from scipy.ndimage import gaussian_filter, map_coordinates

    density = gaussian_filter(density, _SMOOTH, mode="constant", truncate=3.0)
    slope = np.empty((len(places), 3))
    for axis in range(3):
        step = np.zeros(3)
        step[axis] = 1.0
        ahead, behind = (map_coordinates(density, (places + way * step).T, order=1) for way in (1, -1))
        slope[:, axis] = behind - ahead
    return slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-30)
